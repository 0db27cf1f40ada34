import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rpc } from '../anvil-state.ts'
import { withAnvil } from './anvil.ts'
import type { Scope } from './postgres.ts'

/** Runs with a scope of its own, and ends that. */
async function scoped<T>(run: (scope: Scope) => Promise<T>): Promise<T> {
  const ends: (() => unknown)[] = []
  const result = await run({ after: end => void ends.push(end) })
  for (const end of ends.toReversed()) await end()
  return result
}

const payee = `0x${'ab'.repeat(20)}`

/** Has code on each new chain, by which contracts are deployed at known addresses. */
const deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** What a test can see of a chain before it does anything, and the fee of the next block, which this mines. */
async function facts(url: string) {
  const accounts = (await rpc(url, 'eth_accounts')) as string[]
  const [payer] = accounts
  const genesis = await rpc(url, 'eth_getBlockByNumber', ['latest', false])
  const code = await rpc(url, 'eth_getCode', [deployer, 'latest'])
  const balances = [payer, payee].map(address => rpc(url, 'eth_getBalance', [address, 'latest']))
  const nonce = await rpc(url, 'eth_getTransactionCount', [payer, 'pending'])
  const others = ['anvil_getAutomine', 'txpool_status', 'eth_gasPrice', 'eth_chainId'].map(name => rpc(url, name))
  const seen = {
    accounts,
    genesis,
    code,
    nonce,
    balances: await Promise.all(balances),
    others: await Promise.all(others),
  }
  await rpc(url, 'anvil_mine', ['0x1'])
  const { baseFeePerGas } = (await rpc(url, 'eth_getBlockByNumber', ['latest', false])) as { baseFeePerGas: string }
  return { ...seen, baseFeePerGas }
}

/** Leaves what tests leave: blocks, a reorg, another time and price, and transactions that wait. */
async function use(url: string): Promise<void> {
  const [from] = (await rpc(url, 'eth_accounts')) as [string]
  const pay = () => rpc(url, 'eth_sendTransaction', [{ from, to: payee, value: '0x1' }])
  await pay()
  await rpc(url, 'anvil_impersonateAccount', [payee])
  await rpc(url, 'evm_setAutomine', [false])
  await rpc(url, 'anvil_setCoinbase', [payee])
  await rpc(url, 'anvil_mine', ['0x5'])
  await rpc(url, 'anvil_reorg', [2, []])
  await rpc(url, 'anvil_setNextBlockBaseFeePerGas', ['0x0'])
  await rpc(url, 'evm_setNextBlockTimestamp', [4_000_000_000])
  await rpc(url, 'anvil_mine', ['0x1'])
  await pay()
}

test('a chain that another test has used is as a new one', async () => {
  const [first, fresh] = await scoped(async scope => {
    const { url } = await withAnvil(scope)
    const seen = await facts(url)
    await use(url)
    return [url, seen] as const
  })
  await scoped(async scope => {
    const { url } = await withAnvil(scope)
    assert.equal(url, first)
    assert.deepEqual(await facts(url), fresh)
    const { timestamp } = (await rpc(url, 'eth_getBlockByNumber', ['latest', false])) as { timestamp: string }
    assert.ok(Math.abs(Number(timestamp) - Date.now() / 1_000) < 600)
  })
})

test('a chain that another test has used keeps as many blocks for a reorg as a new one', async () => {
  for (const [blocks, depth] of [
    [30, 10],
    [20, 18],
  ])
    await scoped(async scope => {
      const { url } = await withAnvil(scope)
      for (let block = 0; block < blocks!; block++) await rpc(url, 'anvil_mine', ['0x1'])
      await rpc(url, 'anvil_setCoinbase', [payee])
      await rpc(url, 'anvil_reorg', [depth, []])
    })
})

test('a chain that its test has stopped is not used again', async () => {
  const stopped = await scoped(async scope => {
    const anvil = await withAnvil(scope)
    await anvil.stop()
    return anvil
  })
  await stopped.ended
  await scoped(async scope => {
    const { url } = await withAnvil(scope)
    assert.equal(await rpc(url, 'eth_chainId'), '0x7a69')
  })
})
