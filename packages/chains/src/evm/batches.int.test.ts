import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { suiteScope } from '@coffer/local/testing/scope.ts'
import type { Hex } from 'viem'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import { type MoneyOut, moneyOut, newAccount } from '../testing/money-out.ts'
import { type ProxyNode, startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'
import { disperseContract, sweeperOf } from './contracts.ts'

const definition = defineSandboxChain(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })

describe('batches of a chain', () => {
  let out: MoneyOut
  let nodes: ProxyNode[]
  let chain: EvmChain
  const scope = suiteScope()
  before(async () => {
    out = await moneyOut(scope)
    nodes = [await startProxy(out.url), await startProxy(out.url), await startProxy(out.url)]
    for (const node of nodes) scope.after(node.stop)
    chain = new EvmChain(definition, { endpoints: nodes.map(({ url }) => ({ url })), timeoutMs: 2_000 })
    await out.issue(out.usdt, out.hot.address, 1_000_000n)
  })

  test('most nodes decide whether a contract is deployed', async () => {
    const { address } = sweeperOf(out.hot.address)
    const nowhere = sweeperOf(newAccount().address).address
    assert.deepEqual(
      await Promise.all([disperseContract.address, address, nowhere].map(each => chain.batches.isDeployed(each))),
      [true, true, false],
    )
    const lies = (code: string) => {
      const [node] = nodes as [ProxyNode]
      node.intercept = async ({ method }) => (method === 'eth_getCode' ? { result: code } : undefined)
    }
    lies('0x60')
    assert.equal(await chain.batches.isDeployed(nowhere), false)
    lies('0x')
    assert.equal(await chain.batches.isDeployed(address), true)
    for (const node of nodes.slice(1))
      node.intercept = async ({ method }) =>
        method === 'eth_getCode' ? { error: { code: -32_000, message: 'no' } } : undefined
    assert.equal(await chain.batches.isDeployed(address), null, 'one node does not decide while the others fail')
    for (const node of nodes) node.reset()
  })

  test('estimates batches and approvals, and refuses what would revert', async () => {
    const a = newAccount().address
    const b = newAccount().address
    const payments = [
      { to: a, amount: 5n },
      { to: b, amount: 7n },
    ]
    assert.equal(await chain.batches.allowance(out.usdt, out.hot.address), 0n)
    await assert.rejects(chain.batches.gasForBatch(out.hot.address, out.usdt, payments), { name: 'CallRefused' })
    const approve = { does: 'approve', token: out.usdt, amount: 12n } as const
    await out.act(approve, out.hot, await chain.batches.gasForApproval(out.hot.address, out.usdt, 12n))
    assert.equal(await chain.batches.allowance(out.usdt, out.hot.address), 12n)
    const gas = await chain.batches.gasForBatch(out.hot.address, out.usdt, payments)
    const receipt = await out.act({ does: 'batch', token: out.usdt, payments }, out.hot, gas)
    assert.deepEqual([receipt.status, await out.balance(out.usdt, b)], ['success', 7n])
    // Tether's allowance must be zero before it changes.
    await out.act({ ...approve, amount: 3n }, out.hot)
    await assert.rejects(chain.batches.gasForApproval(out.hot.address, out.usdt, 4n), { name: 'CallRefused' })
  })

  test('reads which addresses are delegated, and allows enough gas for all of them', async () => {
    const owners = Array.from({ length: 50 }, newAccount)
    for (const { address } of owners) await out.issue(out.usdt, address, 100n)
    const addresses = owners.map(({ address }) => address)
    const fresh = await chain.batches.accounts(addresses)
    assert.deepEqual(fresh[49], { nonce: 0, delegatedTo: null })
    const swept = owners.map(({ address, privateKey }, i) => {
      return { address, authorize: { privateKey, nonce: fresh[i]!.nonce } }
    })
    const action = { does: 'sweep', token: out.usdt, treasury: out.hot.address, owners: swept } as const
    const gas = chain.batches.gasForSweep(fresh.map(each => ({ authorize: each!.nonce })))
    const receipt = await out.act(action, out.sweeper, gas)
    assert.equal(receipt.logs.length, 50)

    const delegated = await chain.batches.accounts(addresses)
    assert.deepEqual(new Set(delegated.map(each => `${each!.nonce} ${each!.delegatedTo}`)), delegatedOnce())
    await out.issue(out.usdt, addresses[7] as Hex, 100n)
    const again = { ...action, owners: swept.map(({ address }) => ({ address, authorize: null })) }
    const later = await out.act(again, out.sweeper, chain.batches.gasForSweep(again.owners))
    assert.equal(later.logs.length, 1)
  })

  const delegatedOnce = () => new Set([`1 ${sweeperOf(out.hot.address).address}`])
})
