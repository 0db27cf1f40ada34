import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SystemAccount } from './account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { OperatorProblem } from './problem.ts'
import { endProcess, processIdOf, sendSignal, waitForEnd, workingFolder } from './processes.ts'

/**
 * The data folder as seen by PostgreSQL when it runs as another user, who may be unable to traverse the folders above
 * it (/root is private): PostgreSQL is started inside the folder and given this path.
 */
export const currentFolderPath = '/proc/self/cwd'

/** Longest path of a Unix socket, in bytes without the terminating zero. */
const longestSocketPath = 107

/**
 * Creates the cluster in `folder` unless it exists. It gets its name only once complete, in case this process is
 * killed.
 */
export async function makeCluster(
  folder: string,
  binaries: PostgresBinaries,
  account: SystemAccount | undefined,
  durable: boolean,
): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) {
    const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
    const wanted = binaries.version.split('.')[0]
    if (found === wanted) return
    throw new OperatorProblem(
      `${folder} was created by PostgreSQL ${found}, this is ${wanted}. Move the folder away, or serve it with a PostgreSQL ${found} through DATABASE_URL.`,
    )
  }
  const partial = `${folder}.new`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { mode: 0o700 })
  if (account) chownSync(partial, account.uid, account.gid)
  const where = account ? currentFolderPath : partial
  const args = ['-D', where, '-U', 'coffer', '-A', 'trust', '-E', 'UTF8', '--no-instructions']
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  if (!durable) args.push('--no-sync')
  const options = { cwd: partial, env: { PATH: '/usr/bin:/bin', TZ: 'UTC' }, uid: account?.uid, gid: account?.gid }
  try {
    await promisify(execFile)(binaries.initdb, args, options)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw explainPostgresFailure(text, folder)
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(partial, folder)
}

/**
 * Turns the error output of a failed PostgreSQL into a Problem of one line.
 */
export function explainPostgresFailure(output: string, folder: string): OperatorProblem {
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new OperatorProblem(`The disk of ${folder} is full. Free some space, or set COFFER_DATA to another folder.`)
  }
  if (/Read-only file system|Permission denied/.test(output)) {
    return new OperatorProblem(`Cannot write to ${folder}. Make it writable, or set COFFER_DATA to another folder.`)
  }
  const lines = output.split('\n').filter(line => /FATAL|PANIC|error:/.test(line))
  const last = (lines.at(-1) ?? output.trim().split('\n').at(-1) ?? '').replace(/^.*?(FATAL|PANIC|error): */, '')
  return new OperatorProblem(`PostgreSQL did not start in ${folder}: ${last || 'no reason given'}.`)
}

/**
 * Ends the PostgreSQL processes that a killed parent left running in `folder`: the postmaster with a fast shutdown,
 * then the rest by force. The caller must hold the folder's lock. `socket` is the folder of the Unix socket, which has
 * a lock file too.
 */
export async function endOrphanedPostgres(folder: string, socket: string, port: number): Promise<void> {
  const real = realpathSync(folder)
  const pidFile = join(folder, 'postmaster.pid')
  const recorded = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0
  const left = processesIn(real)
  const postmaster = left.find(id => id.pid === recorded)
  if (postmaster && sendSignal(postmaster, 'SIGINT')) await waitForEnd(postmaster, 8_000)
  await Promise.all(processesIn(real).map(id => endProcess(id, [['SIGQUIT', 2_000]])))
  // The pid may now belong to another process or to a zombie. PostgreSQL would take either for a postmaster.
  if (!existsSync(`/proc/${recorded}`)) return
  rmSync(pidFile, { force: true })
  rmSync(join(socket, `.s.PGSQL.${port}.lock`), { force: true })
}

function processesIn(folder: string) {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && workingFolder(Number(name)) === folder)
    .map(name => processIdOf(Number(name)))
    .filter(id => id !== undefined)
    .filter(id => readFileSync(`/proc/${id.pid}/comm`, 'utf8').startsWith('postgres'))
}

/**
 * Returns the folder of the server's Unix socket: the private folder of the cluster, or a private one under the
 * system's temporary folder if that path is too long for a socket.
 */
export function socketFolder(folder: string, port: number, account: SystemAccount | undefined): string {
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= longestSocketPath) return folder
  const uid = account?.uid ?? process.getuid?.() ?? 0
  const short = join(tmpdir(), `coffer-${createHash('sha256').update(`${uid}:${folder}`).digest('hex').slice(0, 16)}`)
  mkdirSync(short, { recursive: true, mode: 0o700 })
  const found = lstatSync(short)
  if (!found.isDirectory() || (found.uid !== uid && found.uid !== process.getuid?.())) {
    throw new OperatorProblem(
      `${short} belongs to another user. Remove it, or set COFFER_DATA to a folder with a shorter path.`,
    )
  }
  if (account) chownSync(short, account.uid, account.gid)
  chmodSync(short, 0o700)
  return short
}

/**
 * Returns the account that must run the cluster in `folder`: the owner of an existing cluster, else the proposed one.
 */
export function clusterAccountOf(folder: string, proposed: SystemAccount | undefined): SystemAccount | undefined {
  if (!proposed || !existsSync(folder)) return proposed
  const { uid, gid } = statSync(folder)
  return uid === 0 ? proposed : { name: String(uid), uid, gid }
}
