import type { Sharp } from 'sharp'

/** Magic bytes of the accepted formats: PNG, JPEG, GIF87a and GIF89a. */
const signatures = ['89504e470d0a1a0a', 'ffd8ff', '474946383761', '474946383961']
/** Maximum number of pixels, enough for a large photo. Prevents decompression bombs. */
const pixelsMax = 24_000_000
/** Longest side (px) that is decoded: even an image of one row has a cost that grows with its width. */
export const pictureSideMax = 10_000
/** Timeout (s) for decoding and encoding, which run in a libvips thread outside the event loop. */
const seconds = 5
const sideMax = 512
/** Size (bytes) from which a PNG becomes a JPEG, as photos do. */
const pngMax = 3 * 1024 * 1024
const concurrencyMax = 2

/**
 * Loaded at the first upload: a server at rest saves its memory. One thread and no cache, as other threads hash
 * passwords.
 */
async function load() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
let running = 0

/** Reports whether the bytes start like a PNG, JPEG or GIF. */
export const looksLikePicture = (bytes: Buffer): boolean =>
  signatures.some(hex => bytes.subarray(0, hex.length / 2).toString('hex') === hex)

/** Undefined: not an image, corrupt, too large or too slow to decode. `busy`: too many others are in progress. */
type Reencoded<T> = Promise<T | 'busy' | undefined>

/** Re-encodes the first frame of an image as a PNG of at most 512 x 512, which removes all metadata. */
export const reencode = (bytes: Buffer): Reencoded<Buffer> =>
  decoded(bytes, picture =>
    toPng(picture.resize(sideMax, sideMax, { fit: 'inside', withoutEnlargement: true }), 9).toBuffer(),
  )

/**
 * Re-encodes the first frame of an image in its own size, which removes all metadata: photos as JPEG, others as PNG.
 */
export const reencodePictureFullSize = (
  bytes: Buffer,
): Reencoded<{ type: 'image/png' | 'image/jpeg'; bytes: Buffer }> =>
  decoded(bytes, async (picture, format) => {
    const png = format === 'jpeg' ? undefined : await toPng(picture.clone(), 6).toBuffer()
    if (png && png.length < pngMax) return { type: 'image/png', bytes: png }
    const jpeg = picture.flatten({ background: 'white' }).jpeg({ quality: 80 }).timeout({ seconds })
    return { type: 'image/jpeg', bytes: await jpeg.toBuffer() }
  })

const toPng = (picture: Sharp, compressionLevel: number) => picture.png({ compressionLevel }).timeout({ seconds })

async function decoded<T>(bytes: Buffer, encode: (upright: Sharp, format: string) => Promise<T>): Reencoded<T> {
  if (!looksLikePicture(bytes)) return undefined
  if (running >= concurrencyMax) return 'busy'
  running++
  try {
    const sharp = await load()
    const picture = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1, sequentialRead: true })
    const { width, height, format } = await picture.metadata()
    if (Math.max(width, height) > pictureSideMax) return undefined
    return await encode(picture.rotate(), format)
  } catch {
    return undefined
  } finally {
    running--
  }
}
