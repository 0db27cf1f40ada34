import assert from 'node:assert/strict'
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { importJWK, jwtVerify } from 'jose'
import { makePushKeys, makeWebPushSender } from './push.ts'

/** Decrypts a message of one record (RFC 8188 and 8291), as a browser does. */
function decrypt(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 86)
  const sealed = body.subarray(86)
  const derive = (key: Buffer, by: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, by, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender])
  const key = derive(browser.computeSecret(sender), auth, info, 32)
  const cipher = createDecipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  ).setAuthTag(sealed.subarray(-16))
  const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  return text.subarray(0, text.lastIndexOf(2)).toString()
}

test('a push is encrypted for its browser, signed with the VAPID key, and kept away from private addresses', async t => {
  let status = 201
  const got: { headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    got.push({ headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(status).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = createECDH('prime256v1')
  const p256dh = browser.generateKeys('base64url')
  const auth = randomBytes(16)
  const device = { endpoint: `${origin}/push/1`, p256dh, auth: auth.toString('base64url') }
  const keys = makePushKeys()
  const push = { device, keys, topic: 'topic', payload: '{"title":"收款成功"}' }
  const settings = { mailFrom: 'Coffer <ops@example.com>', callbackHttp: 'allow' } as const
  const pusher = makeWebPushSender(settings, { loopback: true, private: [], ports: [] })
  assert.deepEqual(await pusher.send(push), { result: 'accepted' })

  const [{ headers, body }] = got as [(typeof got)[0]]
  assert.equal(decrypt(body, browser, auth), push.payload)
  assert.deepEqual([headers.topic, headers['content-encoding'], headers.ttl], ['topic', 'aes128gcm', '86400'])
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers.authorization)) ?? []
  assert.equal(key, keys.public_key)
  const point = Buffer.from(keys.public_key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url')) as [string, string]
  const verified = await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'), {
    audience: origin,
  })
  assert.equal(verified.payload.sub, 'mailto:ops@example.com')

  for (const [answer, result, isAway] of [
    [404, 'refused', undefined],
    [410, 'refused', undefined],
    [403, 'later', false],
    [429, 'later', true],
    [500, 'later', true],
  ] as const) {
    status = answer
    const outcome = await pusher.send(push)
    assert.deepEqual([outcome.result, 'isAway' in outcome ? outcome.isAway : undefined], [result, isAway])
  }
  const count = got.length
  status = 201
  const strict = makeWebPushSender(settings, { loopback: false, private: [], ports: [] })
  assert.equal((await strict.send(push)).result, 'later', 'a private address')
  const secure = makeWebPushSender({ ...settings, callbackHttp: 'refuse' }, { loopback: true, private: [], ports: [] })
  assert.equal((await secure.send(push)).result, 'later')
  assert.equal(got.length, count, 'nothing was sent there')
  await assert.rejects(pusher.send({ ...push, device: { ...device, p256dh: 'A'.repeat(87) } }), 'not a key')
})
