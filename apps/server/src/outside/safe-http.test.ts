import assert from 'node:assert/strict'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { until } from '@coffer/local/testing/until.ts'
import { isCallableAddress, isCallablePort, isPublicAddress } from './addresses.ts'
import { type SafeRequest, sendSafeRequest } from './safe-http.ts'

/** A self-signed certificate for hook.example and its key. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBnTCCAUSgAwIBAgIUSMEv6bwCTEOq0OiguYQRAgspM0gwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMaG9vay5leGFtcGxlMCAXDTI2MTEyMTAxMjAzN1oYDzIxMjYx
MDI4MDEyMDM3WjAXMRUwEwYDVQQDDAxob29rLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAAQQEaFDyH17JcsxvqSDsSihx47I7UkwpONnd0VzAznFnc4E
41gBbiO7uV9VjDMN6KGClz6o2yzTYo0I8Y4a5FyGo2wwajAdBgNVHQ4EFgQUbg1l
NzRuEchaV7jExIBol4pSd9AwHwYDVR0jBBgwFoAUbg1lNzRuEchaV7jExIBol4pS
d9AwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxob29rLmV4YW1wbGUwCgYI
KoZIzj0EAwIDRwAwRAIgGhxJDQxeXQzgyzSBNTyIxpUzyf1QzlVAwUmx4x2uOQUC
IEkUdARma7vwY2XBnKCFp+N7OyWH+bQv01lRpzgrbWm6
-----END CERTIFICATE-----
`

const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9KhIHglDsjD61mWk
7HpmnpUj/iG2zv/tCl6z2IfsnSahRANCAAQQEaFDyH17JcsxvqSDsSihx47I7Ukw
pONnd0VzAznFnc4E41gBbiO7uV9VjDMN6KGClz6o2yzTYo0I8Y4a5FyG
-----END PRIVATE KEY-----
`

const here = async () => ['127.0.0.1']
const nowhere = { loopback: false, private: [], ports: [] }
const locally = { loopback: true, private: [], ports: [] }

test('classifies only addresses of the public internet as public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '64:ff9b::5db8:d822'])
    assert.equal(isPublicAddress(address), true, address)
  const internal = [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::a83f:8110',
    '64:ff9b:1::a00:1',
    '2002:a00:1::',
    '2001::1',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'not an address',
    '',
  ]
  for (const address of internal) assert.equal(isPublicAddress(address), false, address)
})

test('never connects to a private address, in any notation', async t => {
  const { url, seen } = await receiver(t, (_request, response) => response.end('secret'))
  const port = new URL(url).port
  for (const host of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '127.1',
    '0',
    '[::]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    'LOCALHOST.',
    'shop.localhost',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '①②⑦.0.0.1',
  ]) {
    const answer = await post({ url: `http://${host}:${port}/`, reach: nowhere })
    assert.deepEqual([answer.status, answer.failure, answer.text], [0, 'address_forbidden', ''], host)
  }
  assert.equal(seen.length, 0)
})

test('the allow list of the operator opens ranges, addresses and hosts, and nothing else', () => {
  const reach = { ...nowhere, private: ['10.1.0.0/16', 'fd00::/8', '192.168.7.9', 'shop.internal'] }
  const table: [address: string, host: string, boolean][] = [
    ['10.1.255.1', 'shop.example', true],
    ['10.2.0.1', 'shop.example', false],
    ['fd12::1', 'shop.example', true],
    ['::ffff:10.1.0.1', 'shop.example', false],
    ['192.168.7.9', '192.168.7.9', true],
    ['192.168.7.8', '192.168.7.8', false],
    ['172.16.0.1', 'SHOP.internal', true],
    ['172.16.0.1', 'evil.shop.internal', false],
    ['64:ff9b::a01:1', 'shop.example', true],
    ['64:ff9b::a02:1', 'shop.example', false],
    ['172.16.0.1', 'shop.internal.', true],
    ['127.0.0.1', 'localhost', false],
    ['169.254.169.254', 'metadata', false],
    ['not an address', 'x', false],
  ]
  for (const [address, host, expected] of table)
    assert.equal(isCallableAddress(address, host, reach), expected, `${host} ${address}`)
})

test('reaches an internal receiver on the allow list', async t => {
  const { url, seen } = await receiver(t, (_request, response) => response.end('ok'))
  const port = Number(new URL(url).port)
  const reach = { ...nowhere, private: ['127.0.0.0/8'], ports: [port] }
  assert.equal((await post({ url, reach: { ...reach, ports: [port + 1] } })).failure, 'address_forbidden')
  assert.equal((await post({ url, reach })).status, 200)
  assert.equal(seen.length, 1)
})

test('refuses http unless it is allowed', async t => {
  const { url, seen } = await receiver(t, (_request, response) => response.end('ok'))
  assert.equal((await post({ url, allowHttp: false })).failure, 'address_forbidden')
  assert.equal(seen.length, 0)
  assert.equal((await post({ url })).status, 200)
})

test("refuses this machine's own public addresses, in any form", async t => {
  const own = (address: string) => ({ address }) as os.NetworkInterfaceInfo
  t.mock.method(os, 'networkInterfaces', () => ({ eth0: [own('93.184.216.34'), own('2606:4700::1111')] }))
  for (const host of ['93.184.216.34', '0x5db8d822', '[2606:4700:0:0::1111]', '[64:ff9b::5db8:d822]'])
    assert.equal((await post({ url: `https://${host}/` })).failure, 'address_forbidden', host)
  const answer = await post({ url: 'https://hook.example/', resolve: async () => ['93.184.216.34'] })
  assert.equal(answer.failure, 'address_forbidden')
  assert.equal(isCallableAddress('93.184.216.35', 'host.example', nowhere), true)
})

test('connects to the allowed addresses of a host alone, whatever others it has', async t => {
  const { url, seen } = await receiver(t, (_request, response) => response.end('ok'))
  const port = Number(new URL(url).port)
  const target = { url: `http://hook.example:${port}/`, reach: { ...nowhere, private: ['127.0.0.1'], ports: [port] } }
  const others = ['10.0.0.1', '::1', '127.0.0.2', '198.18.0.9']
  assert.equal((await post({ ...target, resolve: async () => [...others, '127.0.0.1'] })).status, 200)
  assert.equal((await post({ ...target, resolve: async () => others })).failure, 'address_forbidden')
  assert.equal(seen.length, 1)
})

test('allows loopback in the sandbox, but no other internal address', async t => {
  const { url } = await receiver(t, (_request, response) => response.end('ok'))
  assert.equal((await post({ url })).status, 200)
  assert.equal((await post({ url: 'http://169.254.169.254/latest/meta-data/' })).failure, 'address_forbidden')
})

test('resolves the name once and connects to that address', async t => {
  const { url, seen } = await receiver(t, (_request, response) => response.end('ok'))
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  let lookups = 0
  const resolve = async () => answers[lookups++] ?? []
  const target = `http://hook.example:${new URL(url).port}/in`
  assert.equal((await post({ url: target, resolve })).status, 200)
  assert.equal(lookups, 1)
  assert.equal(seen[0]?.host, `hook.example:${new URL(url).port}`)
  assert.equal((await post({ url: target, resolve })).failure, 'address_forbidden', 'each attempt resolves anew')
  assert.equal(seen.length, 1)
})

test('does not follow redirects', async t => {
  const internal = await receiver(t, (_request, response) => response.end('secret'))
  const { url } = await receiver(t, (_request, response) => response.writeHead(302, { location: internal.url }).end())
  const answer = await post({ url })
  assert.deepEqual([answer.status, answer.failure], [302, null])
  assert.equal(internal.seen.length, 0)
})

test('reads at most 64 KB of an answer', async t => {
  const { url } = await receiver(t, (_request, response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  const answer = await post({ url })
  assert.deepEqual([answer.status, answer.text.length], [200, 65_536])
})

test('does not decompress answers', async t => {
  const { url } = await receiver(t, (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
  )
  assert.equal((await post({ url })).text, 'no gzip')
})

test('gives up at the deadline on peers that never answer or never finish', async t => {
  const silent = await receiver(t, () => {})
  assert.equal((await post({ url: silent.url, timeoutMs: 150 })).failure, 'timeout')
  const drip = await receiver(t, (_request, response) => {
    response.writeHead(200)
    response.write('a')
    const timer = setInterval(() => response.write('b'), 20)
    response.on('close', () => clearInterval(timer))
  })
  let timeoutMs = 100
  const answer = await until(
    'an answer begins before the deadline',
    () => {
      timeoutMs *= 2
      return post({ url: drip.url, timeoutMs })
    },
    ({ status }) => status === 200,
  )
  assert.match(answer.text, /^ab*$/)
  const dripping = await rawServer(t, socket => {
    const timer = setInterval(() => socket.write('H'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  assert.equal((await post({ url: dripping, timeoutMs: 200 })).status, 0)
  const resolve = () => new Promise<never>(() => {})
  assert.equal((await post({ url: 'http://slow-names.example/', resolve, timeoutMs: 100 })).failure, 'timeout')
})

test('reports endless headers, malformed answers and broken connections as failures', async t => {
  const endless = await rawServer(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write(`x-${'a'.repeat(1000)}: 1\r\n`));
    }
    socket.on('drain', more)
    more()
  })
  assert.equal((await post({ url: endless })).failure, 'bad_answer')
  assert.equal(
    (await post({ url: await rawServer(t, socket => socket.end('SSH-2.0-OpenSSH\r\n')) })).failure,
    'bad_answer',
  )
  assert.equal((await post({ url: await rawServer(t, socket => socket.destroy()) })).failure, 'connection_lost')
})

test('reports unknown hosts, closed ports and forbidden ports', async t => {
  assert.equal(
    (await post({ url: 'http://gone.example/', resolve: () => Promise.reject(new Error('ENOTFOUND')) })).failure,
    'host_not_found',
  )
  const { url, close } = await receiver(t, () => {})
  await close()
  assert.equal((await post({ url })).failure, 'connection_refused')
  assert.equal((await post({ url: 'http://hook.example:25/', resolve: here })).failure, 'address_forbidden')
  const reach = { loopback: false, private: [], ports: [8443] }
  for (const port of ['', ':80', ':443', ':8443'])
    assert.ok(isCallablePort(new URL(`https://hook.example${port}/`), reach), port)
  for (const port of [0, 1, 22, 25, 1023, 1024, 5432, 6379, 8080, 8442, 9200, 65535])
    assert.ok(!isCallablePort(new URL(`https://hook.example:${port}/`), reach), `${port}`)
})

test('refuses header injection', async t => {
  const { url, seen } = await receiver(t, (_request, response) => response.end())
  const answer = await post({ url, headers: { 'webhook-id': 'a\r\nx-evil: 1' } })
  assert.equal(answer.status, 0)
  assert.equal(seen.length, 0)
})

test('verifies TLS certificates against the host name', async t => {
  const server = https.createServer({ cert: certificate, key: certificateKey }, (_request, response) =>
    response.end('ok'),
  )
  const port = await listen(t, server)
  const url = `https://hook.example:${port}/`
  assert.equal((await post({ url, resolve: here })).failure, 'tls_error', 'the certificate is self-signed')
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, certificate])
  t.after(() => tls.setDefaultCACertificates(before))
  assert.equal((await post({ url, resolve: here })).status, 200)
  assert.equal((await post({ url: `https://other.example:${port}/`, resolve: here })).failure, 'tls_error')
})

const post = (some: Partial<SafeRequest> & { url: string }) =>
  sendSafeRequest({
    headers: { 'content-type': 'application/json' },
    body: '{}',
    reach: locally,
    allowHttp: true,
    ...some,
  })

async function receiver(t: TestContext, answer: http.RequestListener) {
  const seen: http.IncomingHttpHeaders[] = []
  const server = http.createServer((request, response) => {
    seen.push(request.headers)
    answer(request, response)
  })
  const port = await listen(t, server)
  const close = () => new Promise<void>(resolve => void server.close(() => resolve()))
  return { url: `http://127.0.0.1:${port}/`, seen, close }
}

async function rawServer(t: TestContext, talk: (socket: net.Socket) => void): Promise<string> {
  const server = net.createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => talk(socket))
  })
  return `http://127.0.0.1:${await listen(t, server)}/`
}

async function listen(t: TestContext, server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>()
  server.on('connection', socket => sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
