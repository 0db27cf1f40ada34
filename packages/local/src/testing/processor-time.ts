/** Preloaded into the process of a test file, which writes its processor time when it exits. */
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Environment variable with the process id of the runner and the file to write to. */
export const used = 'COFFER_TEST_PROCESSOR'

/** Clock ticks per second in /proc, the same on every Linux that Node runs on. */
const ticks = 100

/** Returns the processor time (s) of a process and of those that it started and waited for. */
export function processorTime(pid: number | 'self' = 'self'): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name, which may contain spaces: utime, stime, cutime and cstime are fields 14 to 17, see proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks
}

const [runner, path] = (process.env[used] ?? '').split(' ')
// Processes that the file starts inherit the variable, and some the preload.
if (path && isMainThread && process.ppid === Number(runner))
  process.on('exit', () => writeFileSync(path, String(processorTime())))
