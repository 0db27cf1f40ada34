import { checkPort } from '../ports.ts'

/**
 * Returns a free port that stays free while a server restarts: outside the range of ephemeral ports (32768 and up on
 * Linux), and even, since a sandbox takes the next one for the operator's console.
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + 2 * Math.floor(Math.random() * 10_000)
    const isFree = await checkPort(port, '127.0.0.1', 'COFFER_PORT').then(
      () => true,
      () => false,
    )
    if (isFree) return port
  }
}
