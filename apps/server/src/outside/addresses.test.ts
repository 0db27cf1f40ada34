import assert from 'node:assert/strict'
import dns from 'node:dns/promises'
import { test } from 'node:test'
import { type CallbackReach, findUrlBlockReason, resolveHost } from './addresses.ts'

const nowhere: CallbackReach = { loopback: false, private: [], ports: [] }
const why = (url: string, reach = nowhere) => findUrlBlockReason(new URL(url), reach)

test('names of the local machine are internal when they are given, in every form', async () => {
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'shop.localhost', 'a.b.localhost.', '127.0.0.1.'])
    assert.equal(await why(`https://${host}/hook`), 'internal', host)
  assert.equal(await why('https://shop.localhost/', { ...nowhere, loopback: true }), undefined)
})

test('a URL is internal if it has no address that may be called, and a fake address is told from others', async () => {
  assert.equal(await why('https://[64:ff9b::808:808]/'), undefined)
  assert.equal(await why('https://[64:ff9b::a00:1]/'), 'internal')
  assert.equal(await why('https://198.18.3.4/'), 'fake')
  assert.equal(await why('https://198.18.3.4/', { ...nowhere, private: ['198.18.0.0/15'] }), undefined)
  assert.equal(await why('https://198.18.3.4/', { ...nowhere, loopback: true }), undefined, 'a sandbox beside a proxy')
  assert.equal(await why('https://8.8.8.8:25/'), 'port')
})

test('a name that the operator allows is found as the system finds it', async t => {
  const lookup = t.mock.method(dns, 'lookup', async (host: string) => {
    if (host !== 'shop' && host !== 'shop.internal.') throw new Error('ENOTFOUND')
    return [{ address: '10.3.0.1', family: 4 }]
  })
  const reach = { ...nowhere, private: ['shop', 'shop.internal'] }
  assert.deepEqual(await resolveHost('shop', reach), ['10.3.0.1'])
  assert.equal(await why('https://shop/', reach), undefined)
  assert.equal(await why('https://Shop.internal./', reach), undefined)
  assert.equal(lookup.mock.callCount(), 3)
})
