/** Blocks of a node. */
export interface Blocks {
  url: string
  first: number
  last: number
}

/** Reads all blocks, two ranges of `range` at a time like the follower. Returns blocks per second. */
export async function speed(
  { first, last }: Blocks,
  range: number,
  read: (from: number, to: number) => Promise<number>,
): Promise<number> {
  const started = performance.now()
  let next = first
  const readOn = async () => {
    for (let from = next; from <= last; from = next) {
      next += range
      const to = Math.min(from + range - 1, last)
      if ((await read(from, to)) !== to - from + 1) throw new Error('blocks are missing')
    }
  }
  await Promise.all([readOn(), readOn()])
  return ((last - first + 1) / (performance.now() - started)) * 1000
}

/** Parses blocks and receipts as JSON and discards them. Returns blocks per second. */
export const rawSpeed = (chain: Blocks, range: number): Promise<number> =>
  speed(chain, range, async (from, to) => {
    const ask = async (method: string, more: unknown[]) => {
      const calls = Array.from({ length: to - from + 1 }, (_, i) => {
        return { jsonrpc: '2.0', id: i, method, params: [`0x${(from + i).toString(16)}`, ...more] }
      })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(chain.url, { method: 'POST', headers, body: JSON.stringify(calls) })
      return ((await response.json()) as unknown[]).length
    }
    const found = await ask('eth_getBlockByNumber', [true])
    await ask('eth_getBlockReceipts', [])
    return found
  })
