import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { pino } from 'pino'
import sharp from 'sharp'
import { makeApp } from '../../serve.ts'
import { withDeps } from '../../testing/deps.ts'
import { testMerchant } from '../../testing/merchants.ts'

const logged: string[] = []
const log = pino({ level: 'error' }, { write: line => void logged.push(line) })
const deps = await withDeps({ after }, { log })
const app = await makeApp(deps)
after(() => app.close())
await app.listen({ port: 0, host: '127.0.0.1' })
const { token } = await testMerchant(deps)
const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

const boundary = 'x-boundary-x'
const type = `multipart/form-data; boundary=${boundary}`
const part = (headers: string, body: Buffer | string = picture) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')])
const file = part('Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png')
const field = part('Content-Disposition: form-data; name="note"', 'hello')
const end = Buffer.from(`--${boundary}--\r\n`)
const whole = Buffer.concat([file, end])

let visitors = 0
async function send(payload: Buffer, contentType = type) {
  if (++visitors % 50 === 0) await deps.owner.query('delete from throttles')
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/user/upload',
    remoteAddress: `10.1.${visitors >> 8}.${visitors & 255}`,
    headers: { 'x-token': token, 'content-type': contentType },
    payload,
  })
  return { status: answer.statusCode, code: answer.json().code as number }
}
const badImage = { status: 422, code: 10053 }

test('a well-formed upload is accepted', async () => {
  assert.equal((await send(whole)).status, 200)
  assert.equal((await send(Buffer.concat([field, file, end]))).status, 200)
})

const malformed: Record<string, [payload: Buffer, contentType?: string]> = {
  empty: [Buffer.alloc(0)],
  'without a part': [end],
  'without an end': [file],
  'cut within the picture': [whole.subarray(0, whole.length - 60)],
  'cut within the headers': [whole.subarray(0, 40)],
  'cut within the boundary': [whole.subarray(0, 5)],
  'of another boundary': [whole, 'multipart/form-data; boundary=other'],
  'without a boundary': [whole, 'multipart/form-data'],
  'with an empty boundary': [whole, 'multipart/form-data; boundary='],
  'with fields only': [Buffer.concat([field, end])],
  'with the file as a field': [Buffer.concat([part('Content-Disposition: form-data; name="file"'), end])],
  'with a name of every object': [
    Buffer.concat([part('Content-Disposition: form-data; name="__proto__"; filename="a.png"'), end]),
  ],
  'with headers that do not end': [Buffer.concat([part(`X-Long: ${'x'.repeat(200_000)}`), end])],
  'with thousands of headers': [Buffer.concat([part('X-Many: x\r\n'.repeat(5_000).trim()), end])],
  'without headers': [Buffer.concat([part(''), end])],
}
for (const [what, [payload, contentType]] of Object.entries(malformed))
  test(`a malformed form is refused: ${what}`, async () => assert.deepEqual(await send(payload, contentType), badImage))

test('additional parts of a form never cause a server error', async () => {
  const json = part('Content-Disposition: form-data; name="a"\r\nContent-Type: application/json', '{')
  for (const parts of [[file, file], [json, file], Array(9).fill(field).concat(file), Array(9).fill(file)])
    assert.ok([200, 422].includes((await send(Buffer.concat([...parts, end]))).status))
})

/** Returns a seeded generator of numbers in [0, 1) (mulberry32). */
function random(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let n = Math.imul(state ^ (state >>> 15), 1 | state)
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n
    return ((n ^ (n >>> 14)) >>> 0) / 2 ** 32
  }
}

test('400 forms with bytes removed, repeated or changed never cause a server error', async () => {
  const next = random(7)
  const at = (length: number) => Math.floor(next() * length)
  const changes: ((bytes: Buffer) => Buffer)[] = [
    bytes => bytes.subarray(0, at(bytes.length)),
    bytes => bytes.subarray(at(bytes.length)),
    bytes => Buffer.concat([bytes.subarray(0, at(bytes.length)), bytes.subarray(at(bytes.length))]),
    bytes => {
      const copy = Buffer.from(bytes)
      for (let n = 1 + at(8); n > 0; n--) copy[at(200)] = at(256)
      return copy
    },
    bytes => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', at(2) ? '\n' : '\r'), 'latin1'),
  ]
  for (let n = 0; n < 400; n++) {
    const bytes = changes[n % changes.length]!(Buffer.concat([field, file, end]))
    const { status, code } = await send(bytes)
    assert.ok(status === 200 || code === 10053 || code === 10002, `form ${n}: ${status} ${code}`)
  }
  assert.deepEqual(logged, [])
})

test('a wrong content length ends only its own request', { timeout: 180_000 }, async () => {
  const { port } = app.server.address() as AddressInfo
  for (const length of [whole.length - 50, whole.length + 50, 10]) {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST /api/v1/user/upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Token: ${token}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
    )
    socket.end(whole)
    assert.doesNotMatch(await text(socket), /^HTTP\/1.1 5/, String(length))
  }
  assert.equal((await send(whole)).status, 200)
  assert.deepEqual(logged, [])
})
