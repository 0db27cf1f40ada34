import { checkPort } from '../ports.ts'

/**
 * Gives a free port that stays free while a server is stopped and started again: outside the range from which the
 * system takes the ports of outgoing connections (32768 and up on Linux).
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const isFree = await checkPort(port, '127.0.0.1', 'COFFER_PORT').then(
      () => true,
      () => false,
    )
    if (isFree) return port
  }
}
