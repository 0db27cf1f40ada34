/** Shared by the tests of local services: parent processes to start and kill, and the users to run them as. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isReachableByAll } from './account.ts'

/** A started parent process, with the URL of its service or the problem it reported, and its log. */
export type ParentProcess = { process: ChildProcess; url: string; problem: string; logs: string[] }

const script = fileURLToPath(new URL('./parent-process.fixture.ts', import.meta.url))

const nobody = 65534

/** The users to run as: the current one, and for root also a normal user, if that user can read this checkout. */
export const testUsers: { name: string; uid: number | undefined }[] = [
  { name: process.getuid?.() === 0 ? 'root' : 'a normal user', uid: undefined },
  ...(process.getuid?.() === 0 && isReachableByAll(script) && isReachableByAll(process.execPath)
    ? [{ name: 'a normal user', uid: nobody }]
    : []),
]

/** Parents by folder, so that failing tests leave none behind. */
const parents = new Map<string, ParentProcess[]>()

/**
 * Returns the path of a folder for one test, inside a private folder owned by `uid`. At the end of the test the
 * remaining parents on it are ended and both folders removed.
 */
export function createPrivateFolder(
  scope: { after: (fn: () => Promise<void>) => void },
  uid: number | undefined,
): string {
  const home = mkdtempSync(join(tmpdir(), 'coffer-platform-'))
  if (uid !== undefined) chownSync(home, uid, uid)
  const folder = join(home, 'data')
  scope.after(async () => {
    const left = [...parents].filter(([path]) => path.startsWith(folder)).flatMap(([, each]) => each)
    await Promise.all(left.map(parent => endParent(parent, 'SIGTERM')))
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/** Starts a parent that runs PostgreSQL or anvil in `folder`. Resolves when it is ready or has reported a problem. */
export async function startParent(
  kind: 'postgres' | 'anvil',
  folder: string,
  uid: number | undefined,
): Promise<ParentProcess> {
  const child = fork(script, [kind, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    cwd: '/',
    uid,
    gid: uid,
  })
  const parent: ParentProcess = { process: child, url: '', problem: '', logs: [] }
  parents.set(folder, [...(parents.get(folder) ?? []), parent])
  await new Promise<void>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the parent exited with ${code} without a report`)))
    child.on('message', (message: { url?: string; problem?: string; log?: string }) => {
      if (message.log) parent.logs.push(message.log)
      parent.url = message.url ?? ''
      parent.problem = message.problem ?? ''
      if (parent.url || parent.problem) resolve()
    })
  })
  return parent
}

/** Ends a parent with a signal and waits for its exit. */
export async function endParent(parent: ParentProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (parent.process.exitCode !== null || parent.process.signalCode !== null) return
  const exited = once(parent.process, 'exit')
  parent.process.kill(signal)
  await exited
}
