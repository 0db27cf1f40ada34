import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { defineSandboxChain, ethereum } from '@coffer/chains'
import { makeSandboxWallet } from './wallet.ts'

test('a block has a later time than the one before, which may not be mined yet when the clock goes back', async t => {
  const times: number[] = []
  const node = createServer(async (request, response) => {
    const { id, method, params } = (await json(request)) as { id: number; method: string; params: [string] }
    if (method === 'evm_setNextBlockTimestamp') times.push(Number(params[0]))
    const block = { number: '0x1', timestamp: '0x64', transactions: [] }
    const result = method === 'eth_getBlockByNumber' ? block : null
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  await once(node.listen(0, '127.0.0.1'), 'listening')
  t.after(() => node.close().closeAllConnections())
  const definition = defineSandboxChain(ethereum, { chainId: 31337, confirmations: 6, blockTime: 1, tokens: [] })
  let time = 200
  const wallet = makeSandboxWallet(
    [{ definition, url: `http://127.0.0.1:${(node.address() as AddressInfo).port}` }],
    () => time,
  )
  await wallet.mine(definition.id, 1)
  time = 150
  await wallet.mine(definition.id, 1)
  assert.deepEqual(times, [200, 201])
})
