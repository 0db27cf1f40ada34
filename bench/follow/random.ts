import { createCipheriv, createHash } from 'node:crypto'

const atOnce = 1 << 20

/** Random values that are the same in each run. */
export interface Random {
  /** Bytes as hex with 0x. */
  hex: (length: number) => string
  below: (limit: number) => number
  pick: <T>(list: readonly T[]) => T
}

/** Makes random values of a seed. */
export function randomOf(seed: string): Random {
  const stream = createCipheriv('aes-256-ctr', createHash('sha256').update(seed).digest(), Buffer.alloc(16))
  let bytes = Buffer.alloc(0)
  let at = 0
  const take = (length: number) => {
    if (at + length > bytes.length) {
      bytes = stream.update(Buffer.alloc(atOnce))
      at = 0
    }
    at += length
    return bytes.subarray(at - length, at)
  }
  const below = (limit: number) => take(4).readUInt32LE() % limit
  return {
    hex: length => `0x${take(length).toString('hex')}`,
    below,
    pick: list => list[below(list.length)]!,
  }
}
