import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disperse, ethereum, sandboxOf, sweeperOf } from '@coffer/chains'
import { EvmChain } from '@coffer/chains/evm/chain.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type { Deps } from '../deps.ts'
import { localClient } from '../sandbox/chains.ts'
import { SignerUnavailable } from '../signer/client.ts'
import { CheckFailure } from './command.ts'
import { findCommand } from './run.ts'

const treasury = `0x${'f0'.repeat(20)}`
const definition = sandboxOf(ethereum, { chainId: 31337, confirmations: 6, blockTime: 1, tokens: [] })

test('prints the transactions that deploy missing contracts', async t => {
  const { url } = await withAnvil(t)
  const { command } = findCommand(['sweeper', 'contracts'])!
  const chains = new Map([['eth', new EvmChain(definition, { endpoints: [{ url }] })]])
  const deps = { chains, signer: { hot: async () => treasury } } as unknown as Deps
  const before = await command.run(deps, [])
  for (const { address } of [disperse, sweeperOf(treasury)]) assert.match(before, new RegExp(`${address}  missing`))

  const client = localClient(url)
  const [owner] = await client.getAddresses()
  const transactions = [...before.matchAll(/to (0x\w{40}), value 0, data\n(0x[0-9a-f]+)/g)]
  assert.equal(transactions.length, 2)
  for (const [, to, data] of transactions) {
    const transaction = { account: owner!, chain: null, to: to as '0x', data: data as '0x' }
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction(transaction) })
  }
  const after = await command.run(deps, [])
  assert.deepEqual(after.match(/deployed|missing|value/g), ['deployed', 'deployed'])
})

test('names nodes and a signer that do not answer', async () => {
  const { command } = findCommand(['sweeper', 'contracts'])!
  const chains = new Map([['eth', new EvmChain(definition, { endpoints: [{ url: 'http://127.0.0.1:1' }] })]])
  const signer = { hot: async () => treasury }
  assert.match(await command.run({ chains, signer } as unknown as Deps, []), /nodes unreachable/)
  const silent = { hot: () => Promise.reject(new SignerUnavailable('no answer')) }
  await assert.rejects(command.run({ chains, signer: silent } as unknown as Deps, []), CheckFailure)
})
