import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { privateKeyToAddress } from 'viem/accounts'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import { ChainUnavailable } from '../errors.ts'
import { suiteWorld, tokenBalance } from '../testing/evm-harness.ts'
import { anotherHeader, behind, forkedAbove, type Intercept, type ProxyNode, startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'
import type { JsonObject } from './encoding.ts'
import { createNodeIdentity } from './identity.ts'
import { buildTransfer, bumpFees, signTransaction } from './transfer.ts'

const definition = defineSandboxChain(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })
const OURS = `0x${'0'.repeat(36)}beef`
const key = Uint8Array.from({ length: 32 }, (_, i) => i + 1)
const wallet = privateKeyToAddress(`0x${Buffer.from(key).toString('hex')}`).toLowerCase()

suite('faulty EVM nodes', () => {
  const it = suiteWorld(3, startProxy)
  const chainOf = (...nodes: ProxyNode[]) =>
    new EvmChain(definition, { endpoints: nodes.map(({ url }) => ({ url })), timeoutMs: 1_000 })
  const filter = () => ({ tokens: [it.world.token], native: false, isOurs: (to: string) => to === OURS })
  const payOne = (amount = 5n) => it.world.pay([[{ token: it.world.token, to: OURS, amount }]])

  test('rejects a block of another height, and headers that are not linked', async () => {
    const [faulty] = it.nodes as [ProxyNode]
    await it.world.mine(6)
    faulty.intercept = async ({ method, params }, ask) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x5'
        ? { result: await ask(method, '0x4', params[1]) }
        : undefined
    await assert.rejects(chainOf(faulty).blockAt(5), ChainUnavailable)
    await assert.rejects(chainOf(faulty).transfersRange(3, 8, filter()), ChainUnavailable)
    faulty.intercept = async ({ method, params }, ask) => {
      if (method !== 'eth_getBlockByNumber' || params[0] !== '0x5') return undefined
      return { result: anotherHeader((await ask(method, ...params)) as JsonObject) }
    }
    await assert.rejects(chainOf(faulty).transfersRange(3, 8, filter()), { name: 'BlockOrphaned' })
    faulty.intercept = async ({ method, params }, ask) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x5'
        ? { result: { ...((await ask(method, ...params)) as JsonObject), hash: `0x${'ab'.repeat(32)}` } }
        : undefined
    await assert.rejects(chainOf(faulty).blockAt(5), /does not hash/)
  })

  test('a majority decides on a hash, and a tie does not', async () => {
    const [a, b, c] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    const chain = chainOf(a, b, c)
    const head = await chain.head()
    const other: Intercept = async ({ method, params }, ask) =>
      method === 'eth_getBlockByNumber'
        ? { result: anotherHeader((await ask(method, ...params)) as JsonObject) }
        : undefined
    assert.equal(await chain.agreesOn(head), true)
    a.intercept = other
    assert.equal(await chain.agreesOn(head), true)
    assert.equal(await chainOf(a, b).agreesOn(head), false)
    b.intercept = other
    assert.equal(await chain.agreesOn(head), false)
    b.intercept = () => ({ result: null })
    assert.equal(await chain.agreesOn(head), false)
    a.reset()
    assert.equal(await chain.agreesOn(head), true)
  })

  test('a node ahead of all others does not decide alone', async () => {
    const [a, b, c] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    const chain = chainOf(a, b, c)
    const head = await chain.head()
    b.intercept = behind(1)
    assert.equal(await chain.agreesOn(head), true)
    c.intercept = behind(1)
    assert.equal(await chain.agreesOn(head), false)
    b.reset()
    assert.equal(await chain.agreesOn(head), true)
  })

  test('a block is reported once a quorum has told of it, as a head or when it was asked for', async () => {
    const [a, b, c] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    const chain = chainOf(a, b, c)
    b.intercept = behind(1)
    c.intercept = behind(1)
    const head = await chain.newestHead()
    assert.equal(chain.isReported(head), false)
    assert.equal(await chain.blockAt(head.number), null, 'one of three has it')
    assert.equal(chain.isReported(head), false)
    b.reset()
    assert.equal((await chain.blockAt(head.number))?.hash, head.hash)
    assert.equal(chain.isReported(head), true)
    assert.equal(chain.isReported({ number: head.number, hash: `0x${'ab'.repeat(32)}` }), false)
  })

  test('a quorum decides how deep a block is', async () => {
    const [a, b, c] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    const chain = chainOf(a, b, c)
    const { number } = await chain.head()
    const block = (await chain.blockAt(number - 2))!
    assert.equal(await chain.agreesOn(block, 3), true)
    assert.equal(await chain.agreesOn(block, 4), false)
    b.intercept = behind(1)
    c.intercept = behind(1)
    assert.equal(await chain.agreesOn(block, 2), true)
    assert.equal(await chain.agreesOn(block, 3), false)
  })

  test('one node does not decide on finality or a reorg while the others fail', async () => {
    const [a, b, c] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    let now = 0
    const open = (...nodes: ProxyNode[]) =>
      new EvmChain(definition, { endpoints: nodes.map(({ url }) => ({ url })), timeoutMs: 1_000, now: () => now })
    const head = await open(a).head()
    const other = { ...head, hash: `0x${'ab'.repeat(32)}` }
    const verdicts = async (chain: EvmChain) => [await chain.agreesOn(head), await chain.isReorgedOut(other)]
    const dead = (response: { destroy: () => void }) => {
      response.destroy()
      return true
    }
    for (const node of [a, b]) node.breaks = dead
    const three = open(a, b, c)
    const two = open(a, c)
    assert.deepEqual(await verdicts(three), [false, false])
    assert.deepEqual(await verdicts(two), [false, false])
    now += 59_000
    assert.deepEqual(
      [await verdicts(three), await verdicts(two)],
      [
        [false, false],
        [false, false],
      ],
    )
    now += 2_000
    assert.deepEqual(await verdicts(three), [false, false], 'of three nodes, two must agree')
    assert.deepEqual(await verdicts(two), [true, true], 'of two nodes, one that failed for a minute has no vote')
    b.reset()
    now += 61_000
    assert.deepEqual(await verdicts(three), [true, true])
    assert.deepEqual(await verdicts(open(c)), [true, true])
    assert.equal(await open(c).isReorgedOut(head), false)
    assert.equal(
      await open(c).isReorgedOut({ number: head.number + 1, hash: other.hash }),
      false,
      'the block may still arrive',
    )
    c.breaks = dead
    await assert.rejects(open(c).isReorgedOut(head), ChainUnavailable)
  })

  test('a node that refuses to answer keeps its vote for a minute', async () => {
    const [a, b] = it.nodes as [ProxyNode, ProxyNode]
    let now = 0
    const endpoints = [a, b].map(({ url }) => ({ url }))
    const chain = new EvmChain(definition, { endpoints, now: () => now })
    const head = await chain.head()
    b.intercept = ({ method }) =>
      method === 'eth_getBlockByNumber' ? { error: { code: -32000, message: 'not for you' } } : undefined
    for (const [at, agrees] of [
      [0, false],
      [59_000, false],
      [60_000, true],
      [90_000, true],
    ] as const) {
      now = at
      assert.equal(await chain.agreesOn(head), agrees, `${at}`)
    }
    b.intercept = () => ({ result: null })
    assert.equal(await chain.agreesOn(head), false, 'has a vote again')
  })

  test('nodes without any block are unavailable', async () => {
    const [a] = it.nodes as [ProxyNode]
    a.intercept = () => ({ result: null })
    await assert.rejects(chainOf(a).head(), ChainUnavailable)
  })

  test('the head is that of most nodes, and a block is the one that most nodes have', async () => {
    const [bad, ...good] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    const chain = chainOf(bad, ...good)
    const { number, hash } = await chain.head()
    for (const intercept of [behind(3), forkedAbove(number - 3)]) {
      bad.intercept = intercept
      assert.equal((await chain.head()).number, number)
      assert.equal((await chain.blockAt(number))?.hash, hash)
    }
    good[0].intercept = () => ({ result: null })
    good[1].intercept = () => ({ result: null })
    assert.equal(await chain.blockAt(number), null)
    good[1].reset()
    assert.equal(await chainOf(bad, good[1]).blockAt(number), null, 'one of two does not decide')
  })

  test('a node that hangs holds up nobody, wherever it stands, and is queried last from then on', {
    timeout: 180_000,
  }, async () => {
    const [a, b, c] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    await payOne()
    for (const at of [0, 1, 2]) {
      const nodes = [b, c].toSpliced(at, 0, a)
      const chain = new EvmChain(definition, { endpoints: nodes.map(({ url }) => ({ url })), timeoutMs: 600_000 })
      const { number } = await chain.head()
      // Requests are counted as they are made, other than those over HTTP that nobody answers.
      a.intercept = () => new Promise(() => {})
      const head = await chain.head()
      const block = (await chain.blockAt(number))!
      assert.equal((await chain.transfersIn(block, filter())).transfers.length, 1)
      assert.equal(await chain.agreesOn(head), true)
      const before = a.requested.length
      await chain.transfersIn(block, filter())
      assert.equal(a.requested.length, before)
      a.reset()
    }
  })

  test('nodes are identified again before a reorg is believed', async () => {
    const [a] = it.nodes as [ProxyNode]
    const chain = new EvmChain(definition, { endpoints: [{ url: a.url }], identity: createNodeIdentity(31_337) })
    const head = await chain.head()
    const other = { ...head, hash: `0x${'ab'.repeat(32)}` }
    assert.equal(await chain.isReorgedOut(other), true)
    a.intercept = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined)
    assert.equal((await chain.head()).hash, head.hash)
    await assert.rejects(chain.isReorgedOut(other), /chain id/)
    a.intercept = async ({ method, params }, ask) =>
      params[0] === '0x0' ? { result: anotherHeader((await ask(method, ...params)) as JsonObject) } : undefined
    await assert.rejects(chain.isReorgedOut(other), /first block/)
  })

  test('an internal transfer is no deposit, but shows in the balance', async () => {
    const chain = chainOf(it.nodes[0]!)
    await it.world.payInside(OURS, 77n)
    const head = await chain.head()
    const scan = await chain.transfersIn(head, { ...filter(), native: true })
    assert.deepEqual(scan.transfers, [])
    assert.equal(await chain.balanceOf(null, OURS, head), 77n)
  })

  test('pays out a token that returns nothing, sends again and replaces', async () => {
    const chain = chainOf(...it.nodes)
    await it.world.pay([
      [{ token: null, to: wallet, amount: 10n ** 18n }],
      [{ token: it.world.token, to: wallet, amount: 900n }],
    ])
    const payout = { from: wallet, token: it.world.token, to: OURS, amount: 300n }
    const before = await tokenBalance(it.world, it.world.token, OURS)
    const fees = await chain.fees()
    const gas = await chain.gasFor(payout)
    const nonce = await chain.nonce(wallet)
    const request = { chainId: 31_337, ...payout, nonce, gas }
    const { raw, txid } = await signTransaction(buildTransfer({ ...request, fees }), key)
    assert.deepEqual(await chain.send(raw), { txid, accepted: true, reason: null })
    assert.equal((await chain.send(raw)).accepted, true)
    assert.equal(await chain.receipt(txid), null)

    const replacement = await signTransaction(buildTransfer({ ...request, fees: bumpFees(fees, fees) }), key)
    assert.equal((await chain.send(replacement.raw)).accepted, true)
    await it.world.mine(1)
    assert.equal(await chain.receipt(txid), null)
    const receipt = await chain.receipt(replacement.txid)
    assert.equal(receipt!.status, 'success')
    assert.equal(receipt!.fee, receipt!.gasUsed * receipt!.gasPrice)
    assert.equal(await tokenBalance(it.world, it.world.token, OURS), before + 300n)
    assert.equal(await chain.nonce(wallet), nonce + 1)

    const late = await chain.send(raw)
    assert.equal(late.accepted, false)
    assert.match(late.reason!, /nonce/i)
    await assert.rejects(chain.gasFor({ ...payout, amount: 10n ** 30n }), { name: 'CallRefused' })
    assert.equal(await chain.gasFor({ ...payout, token: null, to: `0x${'7'.repeat(40)}`, amount: 1n }), 21_000n)
  })

  test('reports a broadcast without nodes as unknown, not as an error', async () => {
    const chain = new EvmChain(definition, { endpoints: [{ url: 'http://127.0.0.1:1' }] })
    const { raw, txid } = await signTransaction(
      buildTransfer({
        chainId: 1,
        token: null,
        to: OURS,
        amount: 1n,
        nonce: 0,
        gas: 21_000n,
        fees: { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
      }),
      key,
    )
    const sent = await chain.send(raw)
    assert.deepEqual([sent.txid, sent.accepted], [txid, false])
  })
})
