import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorProblem } from './problem.ts'

/** A user of the operating system. */
export type SystemAccount = { name: string; uid: number; gid: number }

/**
 * Returns the account to run PostgreSQL as when this process is root, which PostgreSQL refuses: the first of `names`
 * that exists. Returns undefined when this process is not root; PostgreSQL then runs as the current user.
 */
export function postgresAccount(names = ['coffer', 'nobody', 'daemon']): SystemAccount | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  for (const name of names) {
    const account = accounts.find(each => each.name === name)
    if (account && account.uid > 0) return account
  }
  throw new OperatorProblem(
    'PostgreSQL does not run as root. Add a user "coffer" (useradd --system coffer), or start as another user.',
  )
}

/** Whether every user can read `path` and traverse the folders above it. */
export function isReachableByAll(path: string): boolean {
  let wanted = 0o004
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & wanted) === 0) return false
    if (at === dirname(at)) return true
    wanted = 0o001
  }
}
