import sharp from 'sharp'

/** What is accepted, told by its first bytes and by nothing else. */
const beginnings = ['89504e470d0a1a0a', 'ffd8ff', '474946383761', '474946383961']
/** As many pixels as a large photo has: a small file must not unfold into gigabytes. */
const pixelsMax = 24_000_000
/** The longest side (px) that is decoded: a picture of one row costs as much as its width says. */
export const sideAcceptedMax = 10_000
/** Time (s) allowed for decoding and encoding, which run in a thread of libvips, not in the event loop. */
const seconds = 5
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
 * Gives undefined for what is no picture, is broken, too large or takes too long to decode, and 'busy' while others are being drawn.
 */
export async function redraw(bytes: Buffer): Promise<Buffer | 'busy' | undefined> {
  if (!looksLikePicture(bytes)) return undefined
  if (running >= atOnceMax) return 'busy'
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
