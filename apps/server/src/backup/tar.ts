/**
 * A subset of the tar format (POSIX.1-1988, ustar): plain files with short names, so that "age -d | tar x" unpacks a
 * backup without Coffer.
 */

const blockBytes = 512
/** The largest file that is read into memory (bytes). The database is stored in parts that are far smaller. */
export const tarFileBytesMax = 256 * 2 ** 20

/** A file of an archive. */
export interface TarFile {
  name: string
  content: Buffer
}

/** What is read is no archive of ours, or is damaged. */
export class TarFormatError extends Error {
  override name = 'TarFormatError'
}

/** Returns a file as it stands in an archive: its head, its content and the padding to a whole block. */
export function encodeTarFile({ name, content }: TarFile, modifiedAt: number): Buffer {
  if (Buffer.byteLength(name) > 99) throw new Error(`the name ${name} is too long for the archive`)
  const head = Buffer.alloc(blockBytes)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  head.write(name, 0)
  head.write(octal(0o600, 7), 100)
  head.write(octal(0, 7), 108)
  head.write(octal(0, 7), 116)
  head.write(octal(content.length, 11), 124)
  head.write(octal(modifiedAt, 11), 136)
  head.write('        ', 148)
  head.write('0', 156)
  head.write('ustar\x0000', 257)
  head.write(`${octal(sumOfHead(head), 6)} `, 148)
  return Buffer.concat([head, content, Buffer.alloc(paddingOf(content.length))])
}

/** What ends an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes)

/**
 * Yields the files of an archive in their order.
 * @throws TarFormatError when it is cut off or no such archive
 */
export async function* readTarFiles(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const source = new ByteSource(chunks)
  for (;;) {
    const head = await source.take(blockBytes)
    if (head.every(byte => byte === 0)) break
    const sum = Number.parseInt(head.toString('latin1', 148, 154), 8)
    if (sum !== sumOfHead(head)) throw new TarFormatError('the head of a file in it is damaged')
    const length = Number.parseInt(head.toString('latin1', 124, 135), 8)
    if (!(length >= 0 && length <= tarFileBytesMax)) throw new TarFormatError('a file in it is too large')
    const name = head.toString('utf8', 0, head.indexOf(0))
    const content = await source.take(length)
    await source.take(paddingOf(length))
    yield { name, content }
  }
  await source.drain()
}

const paddingOf = (length: number) => (blockBytes - (length % blockBytes)) % blockBytes

/** Sums the bytes of a head, with its sum as spaces. */
function sumOfHead(head: Buffer): number {
  let sum = 0
  for (const [index, byte] of head.entries()) sum += index >= 148 && index < 156 ? 32 : byte
  return sum
}

/** Gives the bytes of a stream in pieces of any length. */
class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async take(length: number): Promise<Buffer> {
    const taken = Buffer.allocUnsafe(length)
    for (let filled = 0; filled < length; ) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next()
        if (next.done) throw new TarFormatError('it is cut off')
        this.#rest = next.value
      }
      const part = this.#rest.subarray(0, length - filled)
      taken.set(part, filled)
      filled += part.length
      this.#rest = this.#rest.subarray(part.length)
    }
    return taken
  }

  /** Reads to the end, so that what encrypts the archive finds its own end. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}
