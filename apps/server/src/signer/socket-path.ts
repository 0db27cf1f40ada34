import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Longest path of a Unix socket, in bytes. */
const LONGEST = 107

/**
 * Path of the socket of a folder's signer. A path too long for a socket is replaced by one in a private folder under
 * the system's temporary folder.
 * @throws Error when that folder belongs to another user
 */
export function resolveSignerSocketPath(folder: string): string {
  const direct = join(resolve(folder), 'signer.sock')
  if (Buffer.byteLength(direct) <= LONGEST) return direct
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 24)
  const own = join(tmpdir(), `coffer-${name}`)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const found = lstatSync(own)
  const ours = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
  if (!ours) throw new Error(`${own} is not private to this user. Remove it, or choose a shorter COFFER_DATA.`)
  return join(own, 'signer.sock')
}
