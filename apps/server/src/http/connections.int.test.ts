import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import type { Config } from '../config.ts'
import { makeApp } from '../serve.ts'
import { withDeps } from '../testing/deps.ts'
import { type ConnectionLimits, connectionLimits } from './connections.ts'

/** A listening server with short limits, and a function that opens raw connections to it. */
async function server(t: test.TestContext, limits: Partial<ConnectionLimits>, config: Partial<Config> = {}) {
  const deps = await withDeps(t, { config })
  const app = await makeApp(deps, { connections: { ...connectionLimits, checkMs: 20, ...limits } })
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    return app.close()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  return open
}

/** Reads until the server closes the connection. */
async function whole(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', part => {
    text += part
  })
  // Not `once`, which rejects when the connection is reset.
  await new Promise(resolve => socket.once('close', resolve))
  return text
}

const request = 'GET /healthz HTTP/1.1\r\nhost: x\r\n'

test('closes a connection that sends nothing', { timeout: 180_000 }, async t => {
  const open = await server(t, { headersMs: 100, requestMs: 100 })
  await whole(await open())
})

test('closes a connection that sends its headers too slowly', { timeout: 180_000 }, async t => {
  const open = await server(t, { headersMs: 300, requestMs: 300 })
  const socket = await open()
  const ended = whole(socket)
  socket.write(request)
  const drip = setInterval(() => socket.write('x-a: b\r\n'), 20)
  t.after(() => clearInterval(drip))
  // A reset may overtake the answer 408.
  assert.match(await ended, /^(?:HTTP\/1\.1 408 |$)/)
})

test('closes a connection that sends its body too slowly', { timeout: 180_000 }, async t => {
  const open = await server(t, { headersMs: 200, requestMs: 400 })
  const socket = await open()
  const ended = whole(socket)
  socket.write(
    'POST /api/v1/public/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n',
  )
  const drip = setInterval(() => socket.write(' '), 20)
  t.after(() => clearInterval(drip))
  // A reset may overtake the answer 408.
  assert.match(await ended, /^(?:HTTP\/1\.1 408 |$)/)
})

test('closes an unused connection after its answer', { timeout: 180_000 }, async t => {
  const open = await server(t, { keepAliveMs: 100 })
  const socket = await open()
  const ended = whole(socket)
  socket.write(`${request}\r\n`)
  assert.match(await ended, /^HTTP\/1\.1 200 /)
})

test('refuses further requests of a connection after its share', { timeout: 180_000 }, async t => {
  const open = await server(t, { requestsPerConnection: 2, keepAliveMs: 100 })
  const socket = await open()
  const ended = whole(socket)
  socket.write(`${request}\r\n`.repeat(3))
  const answers = (await ended).split('HTTP/1.1 ').slice(1)
  assert.deepEqual(
    answers.map(text => [text.slice(0, 3), /connection: close/i.test(text)]),
    [
      ['200', false],
      ['200', true],
      ['503', true],
    ],
  )
})

test('closes connections of one address beyond its limit; a closed one frees its place', {
  timeout: 180_000,
}, async t => {
  const open = await server(t, { perAddress: 3 })
  const held = [await open(), await open(), await open()]
  await whole(await open())
  held[0]?.destroy()
  await until(
    'another connection is answered',
    async () => {
      const socket = await open()
      const ended = whole(socket)
      socket.write(`${request}connection: close\r\n\r\n`)
      return ended
    },
    text => text.startsWith('HTTP/1.1 200'),
  )
})

test('does not limit an address behind a proxy, but all connections', { timeout: 180_000 }, async t => {
  const open = await server(t, { perAddress: 1, all: 3 }, { trustProxy: 1 })
  const held = [await open(), await open(), await open()]
  for (const socket of held) socket.write(`${request}\r\n`)
  await Promise.all(held.map(socket => once(socket, 'data')))
  await whole(await open())
})
