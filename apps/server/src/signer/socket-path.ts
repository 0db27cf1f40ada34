import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Bytes of the longest path that a unix socket can have. */
const LONGEST = 107

/**
 * Where the signer of a folder listens. A path too long for a socket is replaced by one under the folder for temporary
 * files, in a folder of ours that nobody else can enter.
 * @throws Error when somebody else made that folder first
 */
export function socketPath(folder: string): string {
  const direct = join(resolve(folder), 'signer.sock')
  if (Buffer.byteLength(direct) <= LONGEST) return direct
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 24)
  const own = join(tmpdir(), `coffer-${name}`)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const found = lstatSync(own)
  const ours = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
  if (!ours) throw new Error(`${own} does not belong to us alone. Remove it, or choose a shorter COFFER_DATA.`)
  return join(own, 'signer.sock')
}
