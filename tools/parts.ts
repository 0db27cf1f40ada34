import { execFile } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type ProcessExit, startChild } from '@coffer/local/children.ts'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { endRecordedProcess, recordProcess } from '@coffer/local/processes.ts'
import { isWebCurrent } from './build-stamp.ts'

const root = join(import.meta.dirname, '..')

/** Something that runs until it is stopped. */
export type Part = { name: string; ended: Promise<ProcessExit>; stop: () => Promise<void> }

/**
 * At most half of V8's default for young objects: the server then holds 95 MB less, at the same CPU time. At least 4
 * MB: at rest V8 would shrink them to 1 MB, and collect four times as often. The heap is collected when it has grown by
 * a third since it last was, not by three times: blocks that are being read outlive the young objects, and are garbage
 * a second later.
 */
export const serverFlags = ['--min-semi-space-size=4', '--max-semi-space-size=8', '--heap-growing-percent=30']
/** glibc gives what the answers of nodes took back to the system, instead of keeping it in pieces. */
export const serverMalloc = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
}

/** Builds the web bundle if its sources have changed, in a separate process whose memory is freed afterwards. */
export async function buildWeb(): Promise<void> {
  if (isWebCurrent()) return
  try {
    await promisify(execFile)(process.execPath, [join(root, 'tools', 'build.ts')])
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new OperatorProblem(`The web bundle could not be built:\n${output.trim()}`)
  }
}

/**
 * Starts the server and waits until it listens. `env` is added to the environment; its log goes to `dataDir`, or to
 * standard output when that is undefined.
 * @throws Problem with the server's message when it cannot start
 */
export async function startServer(options: {
  env: Record<string, string>
  dataDir: string | undefined
}): Promise<Omit<Part, 'name'> & { url: string }> {
  const log = options.dataDir === undefined ? undefined : join(options.dataDir, 'log', 'server.log')
  const output = log === undefined ? 'inherit' : openLog(log)
  const child = await startChild({
    name: 'server',
    command: process.execPath,
    args: [...serverFlags, join(root, 'apps', 'server', 'src', 'main.ts')],
    cwd: process.cwd(),
    env: { ...process.env, ...serverMalloc, ...options.env },
    stdio: ['ignore', output, output, 'ipc'],
    stopWith: [['SIGTERM', 8_000]],
  }).finally(() => {
    if (typeof output === 'number') closeSync(output)
  })
  if (options.dataDir !== undefined) recordProcess(serverRecord(options.dataDir), child.id)
  const url = await new Promise<string>((resolve, reject) => {
    child.process.on('message', (message: { url?: string; failed?: string }) => {
      if (message.url) resolve(message.url)
      if (message.failed) reject(new OperatorProblem(message.failed))
    })
    child.ended.then(() =>
      reject(new OperatorProblem(`The server exited before it was ready${log ? `: see ${log}` : ''}.`)),
    )
  })
  return { url, ended: child.ended, stop: child.stop }
}

/** Ends an orphaned server on this data folder. */
export function endOrphanedServer(dataDir: string): Promise<void> {
  return endRecordedProcess(serverRecord(dataDir), [['SIGTERM', 8_000]])
}

const serverRecord = (dataDir: string) => join(dataDir, 'server.json')

function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true })
  return openSync(path, 'a', 0o600)
}
