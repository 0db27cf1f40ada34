import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from './problem.ts'

/** A user of the operating system. */
export type Account = { name: string; uid: number; gid: number }

/**
 * Gives the account PostgreSQL runs as when we are root, which it refuses to be: a user `coffer` where the operator made
 * one, else `nobody`. Gives undefined when we are not root, since then it runs as ourselves.
 */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  for (const name of ['coffer', 'nobody', 'daemon']) {
    const account = accounts.find(each => each.name === name)
    if (account && account.uid > 0) return account
  }
  throw new Problem(
    'PostgreSQL does not run as root. Add a user "coffer" (useradd --system coffer), or start as another user.',
  )
}

/** Says whether any user may read the file `path`: everybody may read it and pass through every folder above. */
export function isReachableByAll(path: string): boolean {
  let wanted = 0o004
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & wanted) === 0) return false
    if (at === dirname(at)) return true
    wanted = 0o001
  }
}
