import sharp from 'sharp'

/** A small picture as it is uploaded. */
export const testPicture: Buffer = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

const boundary = 'x-boundary-x'
/** The form that uploads the picture: headers and payload of a request. */
export const pictureForm = {
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  payload: Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`),
    testPicture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]),
}
