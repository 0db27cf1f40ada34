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
import type { Account } from './account.ts'
import type { Binaries } from './postgres-binaries.ts'
import { Problem } from './problem.ts'
import { endProcess, identify, signal, waitForEnd, workingFolder } from './processes.ts'

/**
 * As root, PostgreSQL runs as another user, who may not be able to pass the folders above the data (/root is private).
 * It is started inside its folder and told this path, which needs nothing of the folders above.
 */
export const ownFolder = '/proc/self/cwd'

/** The longest path a unix socket can be bound to or reached by, without the closing zero. */
const longestSocketPath = 107

/** Makes the cluster in `folder` unless it is there. Half a cluster never gets the name, whenever we are killed. */
export async function makeCluster(
  folder: string,
  binaries: Binaries,
  account: Account | undefined,
  durable: boolean,
): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) {
    const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
    const wanted = binaries.version.split('.')[0]
    if (found === wanted) return
    throw new Problem(
      `${folder} was made by PostgreSQL ${found}, this is ${wanted}. Move the folder away, or serve it with a PostgreSQL ${found} through DATABASE_URL.`,
    )
  }
  const half = `${folder}.new`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { mode: 0o700 })
  if (account) chownSync(half, account.uid, account.gid)
  const where = account ? ownFolder : half
  const args = ['-D', where, '-U', 'coffer', '-A', 'trust', '-E', 'UTF8', '--no-instructions']
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  if (!durable) args.push('--no-sync')
  const options = { cwd: half, env: { PATH: '/usr/bin:/bin', TZ: 'UTC' }, uid: account?.uid, gid: account?.gid }
  try {
    await promisify(execFile)(binaries.initdb, args, options)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw explainFailure(text, folder)
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(half, folder)
}

/**
 * Turns what PostgreSQL wrote before it gave up into a Problem of one line.
 * Takes its error output and the folder it works in.
 */
export function explainFailure(output: string, folder: string): Problem {
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new Problem(`The disk under ${folder} is full. Free some space, or point COFFER_DATA at another folder.`)
  }
  if (/Read-only file system|Permission denied/.test(output)) {
    return new Problem(`Cannot write to ${folder}. Make it writable, or point COFFER_DATA at another folder.`)
  }
  const lines = output.split('\n').filter(line => /FATAL|PANIC|error:/.test(line))
  const last = (lines.at(-1) ?? output.trim().split('\n').at(-1) ?? '').replace(/^.*?(FATAL|PANIC|error): */, '')
  return new Problem(`PostgreSQL did not start in ${folder}: ${last || 'it gave no reason'}.`)
}

/**
 * Ends every PostgreSQL process that a killed parent left working in `folder`: first the postmaster with a fast
 * shutdown, which writes everything down, then by force whatever is left. Call it only with the folder's lock held.
 * Takes also the folder of the unix socket and its port, because a lock file lies beside that socket too.
 */
export async function endLeftovers(folder: string, socket: string, port: number): Promise<void> {
  const real = realpathSync(folder)
  const pidFile = join(folder, 'postmaster.pid')
  const recorded = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0
  const left = processesIn(real)
  const postmaster = left.find(id => id.pid === recorded)
  if (postmaster && signal(postmaster, 'SIGINT')) await waitForEnd(postmaster, 8_000)
  await Promise.all(processesIn(real).map(id => endProcess(id, [['SIGQUIT', 2_000]])))
  // The pid may belong to another process by now, or to a dead one that nobody buried: PostgreSQL would take either for
  // a postmaster.
  if (!existsSync(`/proc/${recorded}`)) return
  rmSync(pidFile, { force: true })
  rmSync(join(socket, `.s.PGSQL.${port}.lock`), { force: true })
}

function processesIn(folder: string) {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && workingFolder(Number(name)) === folder)
    .map(name => identify(Number(name)))
    .filter(id => id !== undefined)
    .filter(id => readFileSync(`/proc/${id.pid}/comm`, 'utf8').startsWith('postgres'))
}

/**
 * Gives the folder of the server's unix socket: the cluster's own, which only its owner can enter, or a short private
 * one under the system's temporary folder where that path would be too long for a socket.
 */
export function socketFolder(folder: string, port: number, account: Account | undefined): string {
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= longestSocketPath) return folder
  const uid = account?.uid ?? process.getuid?.() ?? 0
  const short = join(tmpdir(), `coffer-${createHash('sha256').update(`${uid}:${folder}`).digest('hex').slice(0, 16)}`)
  mkdirSync(short, { recursive: true, mode: 0o700 })
  const found = lstatSync(short)
  if (!found.isDirectory() || (found.uid !== uid && found.uid !== process.getuid?.())) {
    throw new Problem(
      `${short} belongs to somebody else. Remove it, or point COFFER_DATA at a folder with a shorter path.`,
    )
  }
  if (account) chownSync(short, account.uid, account.gid)
  chmodSync(short, 0o700)
  return short
}

/** Gives the account that must run the cluster in `folder`: its owner where it exists, else the one proposed. */
export function ownerOf(folder: string, proposed: Account | undefined): Account | undefined {
  if (!proposed || !existsSync(folder)) return proposed
  const { uid, gid } = statSync(folder)
  return uid === 0 ? proposed : { name: String(uid), uid, gid }
}
