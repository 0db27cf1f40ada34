import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { makeBreachedPasswordCheck } from './breached-passwords.ts'

test('sends five characters of the hash, and reads the count of the rest', async t => {
  const requested: (string | undefined)[] = []
  // SHA-1 of 'Password1' is 70CCD9007338D6D81DD3B6271621B9CF9A97EA00.
  let count = 25
  const server = createServer((request, response) => {
    requested.push(request.url)
    if (request.url === '/range/70CCD') response.end(`0000:3\r\n9007338D6D81DD3B6271621B9CF9A97EA00:${count}\r\n`)
    else response.writeHead(503).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const check = makeBreachedPasswordCheck(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  assert.equal(await check('Password1'), true)
  count = 0
  assert.equal(await check('Password1'), false, 'padding')
  assert.deepEqual(requested, ['/range/70CCD', '/range/70CCD'])
  await assert.rejects(check('Correct1Horse'), /answered 503/)
  assert.equal(await makeBreachedPasswordCheck('')('Password1'), false)
})
