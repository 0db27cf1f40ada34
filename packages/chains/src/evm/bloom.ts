import { WorkPacer } from '../nodes/pace.ts'
import type { HashedReceipt } from './decoding.ts'
import { keccak } from './keccak.ts'

const bytesOfBloom = 256

/** Whether no bit is set. */
export const isEmptyBloom = (bloom: Uint8Array): boolean => bloom.every(byte => byte === 0)

/** Returns the bloom of the contracts and topics of all logs of receipts, as a header has it (Yellow Paper, 4.3.1). */
export async function computeLogsBloom(
  receipts: readonly HashedReceipt[],
  pace = new WorkPacer(),
): Promise<Uint8Array> {
  const bloom = new Uint8Array(bytesOfBloom)
  // The same contract and event are in most logs of a block.
  const known = new Set<string>()
  for (const receipt of receipts) {
    if (pace.isDue(receipt.bytes.length)) await pace.rest()
    for (const part of receipt.bloomed()) {
      const text = Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1')
      if (known.has(text)) continue
      known.add(text)
      const hash = keccak(part)
      for (let i = 0; i < 6; i += 2) {
        const bit = ((hash[i]! << 8) | hash[i + 1]!) & (8 * bytesOfBloom - 1)
        bloom[bytesOfBloom - 1 - (bit >> 3)]! |= 1 << (bit & 7)
      }
    }
  }
  return bloom
}
