import { spawn } from 'node:child_process'

/**
 * Runs a program, with `env` added to the environment. Returns its output, and whether it exited with 0 within `limit`
 * milliseconds.
 */
export async function runProgram(
  file: string,
  args: string[],
  folder: string,
  limit: number,
  env: Record<string, string> = {},
): Promise<{ ok: boolean; output: string }> {
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limit,
  })
  let output = ''
  const collect = (chunk: Buffer | Error) => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const code = await new Promise<number | null>(resolve => {
    child.once('error', error => {
      collect(error)
      resolve(null)
    })
    child.once('close', resolve)
  })
  return { ok: code === 0, output }
}
