import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import sharp, { type Metadata } from 'sharp'
import { looksLikePicture, pictureSideMax, reencode, reencodePictureFullSize } from './reencode.ts'

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 77, g: 145, b: 247 } } })

async function drawn(bytes: Buffer): Promise<Metadata> {
  const result = await reencode(bytes)
  assert.ok(Buffer.isBuffer(result), `not drawn: ${result}`)
  return sharp(result).metadata()
}

test('png, jpeg and gif become a PNG of at most 512 x 512 with the same aspect ratio', async () => {
  for (const format of ['png', 'jpeg', 'gif'] as const) {
    const { format: after, width, height } = await drawn(await plain(1024, 256).toFormat(format).toBuffer())
    assert.deepEqual([after, width, height], ['png', 512, 128], format)
  }
  const small = await drawn(await plain(20, 10).png().toBuffer())
  assert.deepEqual([small.width, small.height], [20, 10], 'a small one is not blown up')
})

test('metadata and trailing bytes are removed', async () => {
  const bytes = await plain(8, 8)
    .withExif({ IFD0: { Artist: 'Ann, 1 Main Street' } })
    .jpeg()
    .toBuffer()
  assert.ok(bytes.includes('Main Street'))
  const after = await reencode(Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]))
  assert.ok(Buffer.isBuffer(after))
  assert.ok(!after.includes('Main Street') && !after.includes('<script>'))
})

test('a whole picture keeps its size: photos as JPEG, others as PNG while they are small', async () => {
  const noise = sharp(randomBytes(1400 * 1000 * 3), { raw: { width: 1400, height: 1000, channels: 3 } })
  const sent = [
    await plain(2000, 900)
      .withExif({ IFD0: { Artist: 'Ann' } })
      .jpeg()
      .toBuffer(),
    await plain(2000, 900).gif().toBuffer(),
  ]
  for (const [index, type] of ['jpeg', 'png'].entries()) {
    const result = await reencodePictureFullSize(sent[index]!)
    assert.ok(typeof result === 'object')
    const { format, width, height } = await sharp(result.bytes).metadata()
    assert.deepEqual([result.type, format, width, height], [`image/${type}`, type, 2000, 900])
    assert.ok(!result.bytes.includes('Ann'))
  }
  const photo = await reencodePictureFullSize(await noise.png().toBuffer())
  assert.ok(typeof photo === 'object')
  assert.equal(photo.type, 'image/jpeg')
  assert.ok(photo.bytes.length < 3 * 1024 * 1024)
  assert.equal(await reencodePictureFullSize(Buffer.from('<svg/>')), undefined)
})

test('an image with an oversized side is refused before decoding', async () => {
  for (const [width, height] of [
    [pictureSideMax + 1, 1],
    [1, pictureSideMax + 1],
  ] as const)
    assert.equal(await reencode(await plain(width, height).png().toBuffer()), undefined)
  assert.equal((await drawn(await plain(pictureSideMax, 2).png().toBuffer())).width, 512)
})

test('an animation becomes its first frame', async () => {
  const frames = await Promise.all(
    ['red', 'blue'].map(background =>
      sharp({ create: { width: 4, height: 4, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  assert.equal((await sharp(gif, { animated: true }).metadata()).pages, 2)
  const { pages, height } = await drawn(gif)
  assert.deepEqual([pages, height], [undefined, 4])
})

test('files that are not intact PNG, JPEG or GIF images are refused', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const webp = await plain(4, 4).webp().toBuffer()
  const png = await plain(64, 64).png().toBuffer()
  const broken = [
    svg,
    webp,
    Buffer.from('<html>'),
    Buffer.from('GIF89a<script>'),
    Buffer.from('89504e470d0a1a0a', 'hex'),
    png.subarray(0, png.length - 40),
    Buffer.alloc(0),
  ]
  for (const bytes of broken) assert.equal(await reencode(bytes), undefined)
  assert.deepEqual([svg, webp, png].map(looksLikePicture), [false, false, true])
})

test('a decompression bomb of more than 24 million pixels is refused', async () => {
  const bomb = await sharp({
    create: { width: 6_000, height: 4_001, channels: 3, background: 'black' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 9 })
    .toBuffer()
  assert.ok(bomb.length < 1_000_000)
  assert.equal(await reencode(bomb), undefined)
})

test('two images are processed at once, further ones are refused as busy', async () => {
  const bytes = await plain(600, 600).png().toBuffer()
  const results = await Promise.all([reencode(bytes), reencode(bytes), reencode(bytes)])
  assert.equal(results.filter(result => result === 'busy').length, 1)
  assert.ok(Buffer.isBuffer(await reencode(bytes)))
})
