import { createHash } from 'node:crypto'

/**
 * Returns a check whether a password is known from breaches, by a range API as of Have I Been Pwned: only the first
 * five characters of its SHA-1 leave this machine. Without a URL no password is. Rejects when the service does not
 * answer.
 */
export function makeBreachedPasswordCheck(url: string): (password: string) => Promise<boolean> {
  if (url === '') return async () => false
  return async password => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    const answer = await fetch(`${url}/range/${hash.slice(0, 5)}`, {
      headers: { 'add-padding': 'true' },
      redirect: 'error',
      signal: AbortSignal.timeout(3_000),
    })
    if (!answer.ok) throw new Error(`the service for breached passwords answered ${answer.status}`)
    const lines = (await answer.text()).split(/\r?\n/)
    // Padding has a count of 0.
    return lines.some(line => line.startsWith(`${hash.slice(5)}:`) && !line.endsWith(':0'))
  }
}
