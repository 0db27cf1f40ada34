/**
 * The clients of a crowd, in a process of their own, so that the figures of others hold no waiting for these. Its
 * arguments: URL, token, number of clients; without a token they are strangers, each from a network of its own. Ends on
 * any message, and answers with the statuses and times (ms) of its requests.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setPriority } from 'node:os'

/** The pages in turn. */
export const worstPages = ['', '&status=2', '&event=payment.paid'].map(
  filter => `/api/v1/callback/list?current=5000&pageSize=100${filter}`,
)

const password = Buffer.from('Wrong1Horse').toString('base64')
const login = (more: object) => [
  'POST',
  '/api/v1/public/login',
  { email: `${randomUUID()}@example.com`, password, ...more },
]
const address = () => `0x${randomUUID().replaceAll('-', '')}00000000`
/** What strangers send in turn: sign-ins, wallet messages and bodies that are too large. */
const strangersCalls: (() => unknown[])[] = [
  () => login({}),
  () => ['GET', `/api/v1/public/login/wallet?chain=eth&address=${address()}`],
  () => login({ x: 'x'.repeat(200_000) }),
]

if (import.meta.main) {
  const [url, token = '', clients] = process.argv.slice(2)
  // Clients are other machines: where they share this one, the server's work comes first.
  setPriority(10)
  const statuses: Record<number, number> = {}
  const times: number[] = []
  let done = false
  const page = async (round: number) => {
    const answer = await fetch(`${url}${worstPages[round % worstPages.length]}`, { headers: { 'x-token': token } })
    await answer.arrayBuffer()
    return answer.status
  }
  const strange = async (round: number, n: number) => {
    const [method, path, body] = strangersCalls[round % strangersCalls.length]!() as [string, string, object?]
    const sent = request(`${url}${path}`, {
      method,
      localAddress: `127.0.${n + 1}.1`,
      headers: { 'content-type': 'application/json' },
    })
    sent.end(body && JSON.stringify(body))
    // The server may answer, and close, before a large body was sent.
    const [answer] = (await once(sent, 'response').catch(() => [])) as [IncomingMessage?]
    for await (const _ of answer ?? []);
    return answer?.statusCode ?? 413
  }
  const client = async (n: number) => {
    for (let round = n; !done; round++) {
      const started = performance.now()
      const status = await (token ? page(round) : strange(round, n))
      statuses[status] = (statuses[status] ?? 0) + 1
      times.push(performance.now() - started)
    }
  }
  process.once('message', () => {
    done = true
  })
  await Promise.all(Array.from({ length: Number(clients) }, (_, n) => client(n)))
  process.send?.({ statuses, times } satisfies CrowdResult, () => process.exit())
}

export interface CrowdResult {
  statuses: Record<number, number>
  times: number[]
}
