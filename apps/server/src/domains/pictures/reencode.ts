import sharp from 'sharp'

/** Magic bytes of the accepted formats: PNG, JPEG, GIF87a and GIF89a. */
const signatures = ['89504e470d0a1a0a', 'ffd8ff', '474946383761', '474946383961']
/** Maximum number of pixels, enough for a large photo. Prevents decompression bombs. */
const pixelsMax = 24_000_000
/** Longest side (px) that is decoded: even an image of one row has a cost that grows with its width. */
export const sideAcceptedMax = 10_000
/** Timeout (s) for decoding and encoding, which run in a libvips thread outside the event loop. */
const seconds = 5
const sideMax = 512
const concurrencyMax = 2

// One thread and no cache: uploads are rare, and the other threads hash passwords.
sharp.concurrency(1)
sharp.cache(false)
let running = 0

/** Reports whether the bytes start like a PNG, JPEG or GIF. */
export const looksLikePicture = (bytes: Buffer): boolean =>
  signatures.some(hex => bytes.subarray(0, hex.length / 2).toString('hex') === hex)

/**
 * Re-encodes the first frame of an image as a PNG of at most 512 x 512, which removes all metadata. Returns undefined if
 * the input is not an image, corrupt, too large or too slow to decode, and 'busy' while too many others are in progress.
 */
export async function reencode(bytes: Buffer): Promise<Buffer | 'busy' | undefined> {
  if (!looksLikePicture(bytes)) return undefined
  if (running >= concurrencyMax) return 'busy'
  running++
  try {
    const picture = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1, sequentialRead: true })
    const { width, height } = await picture.metadata()
    if (Math.max(width, height) > sideAcceptedMax) return undefined
    return await picture
      .rotate()
      .resize(sideMax, sideMax, { fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .timeout({ seconds })
      .toBuffer()
  } catch {
    return undefined
  } finally {
    running--
  }
}
