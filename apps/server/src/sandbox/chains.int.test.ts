import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineSandboxChain, disperseContract, ethereum, explorerUrl, sweeperOf } from '@coffer/chains'
import { EvmChain } from '@coffer/chains/evm/chain.ts'
import { Token } from '@coffer/chains/evm/generated/contracts.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type { Hex } from 'viem'
import { createAnvilClient, deployBatchContracts, prepareSandboxChains } from './chains.ts'
import { externalWalletAddress, makeBlockExplorer } from './explorer.ts'
import { makeSandboxWallet } from './wallet.ts'

const publicUrl = 'http://127.0.0.1:8080'
const sandboxEthereum = defineSandboxChain(ethereum, { chainId: 31337, confirmations: 6, blockTime: 1, tokens: [] })

test('keeps the block from which a chain is followed across a restart', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-chains-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const start = async () => {
    const genesisTime = Math.floor(Date.now() / 1000) - 86_400
    const nodes = await Promise.all(
      [31337, 31338].map(chainId => withAnvil(t, { folder: join(folder, String(chainId)), chainId, genesisTime })),
    )
    const stop = () => Promise.all(nodes.map(node => node.stop()))
    const chains = await prepareSandboxChains(
      nodes.map(node => node.url),
      publicUrl,
    )
    const followed = chains.map(async ({ definition, nodes: [node] }) => {
      const client = createAnvilClient(node?.url ?? '')
      const head = await client.getBlock()
      const first = await client.getBlock({ blockNumber: head.number - BigInt(definition.confirmations) })
      return [head.hash, first.hash, first.number > 0n]
    })
    return { stop, followed: await Promise.all(followed) }
  }
  const before = await start()
  assert.ok(before.followed.every(([, , afterGenesis]) => afterGenesis))
  await before.stop()
  const after = await start()
  assert.deepEqual(after.followed, before.followed)
})

test('funds the payer on nodes that mine late', async t => {
  const urls = await Promise.all([31337, 31338].map(async chainId => (await withAnvil(t, { chainId })).url))
  const clients = urls.map(createAnvilClient)
  for (const client of clients) await client.setAutomine(false)
  let isReady = false
  const mine = async (client: (typeof clients)[number]) => {
    while (!isReady) if ((await client.getTxpoolStatus()).pending > 0) await client.mine({ blocks: 1 })
  }
  const [chains] = await Promise.all([
    prepareSandboxChains(urls, publicUrl).finally(() => {
      isReady = true
    }),
    ...clients.map(mine),
  ])
  for (const [at, client] of clients.entries()) {
    const [, payer] = await client.getAddresses()
    const address = chains[at]!.definition.tokens[0]!.contract as Hex
    const balance = await client.readContract({ address, abi: Token.abi, functionName: 'balanceOf', args: [payer!] })
    assert.ok(balance > 0n)
  }
})

test('deploys the contracts for batches once', async t => {
  const { url } = await withAnvil(t)
  const treasury = `0x${'f0'.repeat(20)}`
  await deployBatchContracts(url, treasury)
  const chain = new EvmChain(sandboxEthereum, { endpoints: [{ url }] })
  for (const { address } of [disperseContract, sweeperOf(treasury)]) assert.ok(await chain.batches.isDeployed(address))
  const { number } = await chain.head()
  await deployBatchContracts(url, treasury)
  assert.equal((await chain.head()).number, number)
})

test('refuses a reorg of blocks from before its node was started, which would lose every contract', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-chains-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const treasury = `0x${'f0'.repeat(20)}`
  const older = await withAnvil(t, { folder })
  await deployBatchContracts(older.url, treasury)
  await createAnvilClient(older.url).mine({ blocks: 9 })
  await older.stop()
  const { url } = await withAnvil(t, { folder })
  const wallet = makeSandboxWallet([{ definition: sandboxEthereum, url }], () => Math.floor(Date.now() / 1000))
  const most = async () => {
    const refused = await wallet.reorg(sandboxEthereum.id, 1_000).catch(error => error)
    assert.deepEqual([refused.reason, refused.field], ['parameter_error', 'depth'])
    return Number(/the last (\d+) blocks/.exec(refused.detail.en)![1])
  }
  assert.equal(await most(), 0)
  await wallet.mine(sandboxEthereum.id, 3)
  assert.equal(await most(), 3)
  await wallet.mine(sandboxEthereum.id, 60)
  const before = await createAnvilClient(url).getBlock()
  await wallet.reorg(sandboxEthereum.id, await most())
  const after = await createAnvilClient(url).getBlock({ blockNumber: before.number })
  assert.notEqual(after.hash, before.hash)
  assert.notEqual(await createAnvilClient(url).getCode({ address: disperseContract.address as Hex }), undefined)
})

test('shows the wallet outside and what reached it, as a block explorer does', async t => {
  const urls = await Promise.all([31337, 31338].map(async chainId => (await withAnvil(t, { chainId })).url))
  const chains = await prepareSandboxChains(urls, publicUrl)
  const local = chains.map(({ definition }, at) => ({ definition, url: urls[at]! }))
  const explorer = makeBlockExplorer(local)
  const wallet = makeSandboxWallet(local, () => Math.floor(Date.now() / 1000))
  const [eth] = chains
  const tokenContract = eth!.definition.tokens[0]!.contract
  const { txid } = await wallet.spend({ chainId: 'eth', tokenContract, to: externalWalletAddress, amount: 2_500_000n })
  assert.equal(explorerUrl(eth!.definition, 'tx', txid), `${publicUrl}/sandbox?txid=${txid}#transaction`)
  await wallet.mine('eth', 1)
  const { moves, ...found } = (await explorer.transaction(txid as Hex))!
  assert.deepEqual(
    moves.map(({ from: _, ...move }) => move),
    [{ token: 'USDT', amount: '2.5', to: externalWalletAddress }],
  )
  assert.deepEqual([found.chain, found.succeeded], [eth!.definition.name, true])
  const arrived = (await explorer.balances()).filter(({ amount }) => amount !== '0')
  assert.deepEqual(arrived, [{ chain: eth!.definition.name, token: 'USDT', amount: '2.5' }])
  assert.equal(await explorer.transaction(`0x${'00'.repeat(32)}`), undefined)
})
