import { keccak_256 } from '@noble/hashes/sha3.js'
import { createKeccak } from 'hash-wasm'

let hash: (bytes: Uint8Array) => Uint8Array = keccak_256

/**
 * Resolves once hashes are computed by WebAssembly: 600 bytes then take 2.0 instead of 18 µs, and a block has thousands
 * of them. Modules do not await it at their top level, since a process may get its first message before they are
 * evaluated then.
 */
export const fastKeccakReady: Promise<void> = createKeccak(256).then(hasher => {
  hash = bytes => hasher.init().update(bytes).digest('binary')
})
// Without WebAssembly hashes are slower, and the same.
fastKeccakReady.catch(() => {})

/** Returns the keccak-256 of bytes. */
export const keccak = (bytes: Uint8Array): Uint8Array => hash(bytes)
