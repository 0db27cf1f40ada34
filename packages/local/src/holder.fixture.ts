/** What the tests of the platform share: parents to start and kill, and the users to start them as. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isReachableByAll } from './account.ts'

/** A started parent: where what it holds can be reached, what it said, and its process. */
export type Holder = { process: ChildProcess; url: string; problem: string; logs: string[] }

const script = fileURLToPath(new URL('./hold.fixture.ts', import.meta.url))

const nobody = 65534

/** The users to start as: ourselves, and a normal user where we are root and that user can read this checkout. */
export const users: { name: string; uid: number | undefined }[] = [
  { name: process.getuid?.() === 0 ? 'root' : 'a normal user', uid: undefined },
  ...(process.getuid?.() === 0 && isReachableByAll(script) && isReachableByAll(process.execPath)
    ? [{ name: 'a normal user', uid: nobody }]
    : []),
]

/** The parents of each folder, so that a test that fails leaves none. */
const holders = new Map<string, Holder[]>()

/**
 * Makes the name of a folder for one test, in a private folder owned by `uid`. At the end of the test it ends the
 * parents that still hold something there, and removes both folders.
 */
export function ownFolder(scope: { after: (fn: () => Promise<void>) => void }, uid: number | undefined): string {
  const home = mkdtempSync(join(tmpdir(), 'coffer-platform-'))
  if (uid !== undefined) chownSync(home, uid, uid)
  const folder = join(home, 'data')
  scope.after(async () => {
    const left = [...holders].filter(([path]) => path.startsWith(folder)).flatMap(([, each]) => each)
    await Promise.all(left.map(holder => endHolder(holder, 'SIGTERM')))
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/** Starts a parent that holds a postgres or an anvil in `folder`; resolves when it is ready or has told its problem. */
export async function hold(kind: 'postgres' | 'anvil', folder: string, uid: number | undefined): Promise<Holder> {
  const child = fork(script, [kind, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    cwd: '/',
    uid,
    gid: uid,
  })
  const holder: Holder = { process: child, url: '', problem: '', logs: [] }
  holders.set(folder, [...(holders.get(folder) ?? []), holder])
  await new Promise<void>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the parent ended with ${code} and said nothing`)))
    child.on('message', (message: { url?: string; problem?: string; log?: string }) => {
      if (message.log) holder.logs.push(message.log)
      holder.url = message.url ?? ''
      holder.problem = message.problem ?? ''
      if (holder.url || holder.problem) resolve()
    })
  })
  return holder
}

/** Ends a parent with a signal and waits until it is gone. */
export async function endHolder(holder: Holder, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (holder.process.exitCode !== null || holder.process.signalCode !== null) return
  const gone = once(holder.process, 'exit')
  holder.process.kill(signal)
  await gone
}
