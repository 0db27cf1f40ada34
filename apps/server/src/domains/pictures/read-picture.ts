import sharp from 'sharp'

/** What is accepted, told by its first bytes and by nothing else. */
const beginnings = ['89504e470d0a1a0a', 'ffd8ff', '474946383761', '474946383961']
/** As many pixels as a large photo has: a small file must not unfold into gigabytes. */
const pixelsMax = 24_000_000
const sideMax = 512
const atOnceMax = 2

// One thread and no cache: pictures are rare here, and the other threads hash passwords.
sharp.concurrency(1)
sharp.cache(false)
let running = 0

/** Whether these are the bytes of a png, jpeg or gif picture. */
export const looksLikePicture = (bytes: Buffer): boolean =>
  beginnings.some(hex => bytes.subarray(0, hex.length / 2).toString('hex') === hex)

/**
 * Draws a picture anew as a PNG of at most 512 x 512: nothing of the file survives but what can be seen of its first frame.
 * Gives undefined for what is no picture, is broken or is too large, and 'busy' while others are being drawn.
 */
export async function redraw(bytes: Buffer): Promise<Buffer | 'busy' | undefined> {
  if (!looksLikePicture(bytes)) return undefined
  if (running >= atOnceMax) return 'busy'
  running++
  try {
    return await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1, sequentialRead: true })
      .rotate()
      .resize(sideMax, sideMax, { fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .timeout({ seconds: 10 })
      .toBuffer()
  } catch {
    return undefined
  } finally {
    running--
  }
}
