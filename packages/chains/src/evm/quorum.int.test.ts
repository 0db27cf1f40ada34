import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import { defineSandboxChain, ethereum, mainnets } from '../definitions.ts'
import { CallRefused } from '../errors.ts'
import { suiteWorld } from '../testing/evm-harness.ts'
import { lied } from '../testing/lies.ts'
import { type Intercept, type ProxyNode, startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'

const definition = defineSandboxChain(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })
const to = `0x${'0'.repeat(36)}cafe`

/** Makes a node have blocks with a field of a later fork, whose hashes nobody can recompute. */
const anotherHash: Intercept = async ({ method, params }, ask) => {
  if (!method.startsWith('eth_getBlock')) return undefined
  const flipped = (hash: unknown) => `0x${[...String(hash).slice(2)].reverse().join('')}`
  const [which, ...rest] = params
  const found = await ask(method, String(which).length === 66 ? flipped(which) : which, ...rest)
  const isHash = (name: string) => name === 'blockHash' || name === 'parentHash' || name === 'hash'
  const inside = (value: unknown, isBlock: boolean): unknown => {
    if (Array.isArray(value)) return value.map(each => inside(each, false))
    if (value === null || typeof value !== 'object') return value
    const entries = Object.entries(value).map(([name, each]) =>
      isHash(name) && (isBlock || name === 'blockHash') ? [name, flipped(each)] : [name, inside(each, false)],
    )
    return { ...Object.fromEntries(entries), ...(isBlock && { futureRoot: `0x${'12'.repeat(32)}` }) }
  }
  return { result: inside(found, true) }
}

/** Makes a node have transactions of a type that a later fork added. */
const newType: Intercept = async ({ method, params }, ask) => {
  if (!method.startsWith('eth_getBlockBy')) return undefined
  const block = (await ask(method, ...params)) as { transactions: unknown[] }
  const changed = (tx: unknown) => (typeof tx === 'string' ? tx : { ...(tx as object), type: '0x7f' })
  return { result: { ...block, transactions: block.transactions.map(changed) } }
}

suite('quorum of nodes', () => {
  const it = suiteWorld(3, startProxy)
  const chainOf = (...nodes: ProxyNode[]) =>
    new EvmChain(definition, { endpoints: nodes.map(({ url }) => ({ url })), timeoutMs: 1_000 })

  test('a contract wallet signs what it says so of; a lying node alone signs nothing', async () => {
    const [faulty, ...honest] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    const [wallet, refusing, reverting] = ['a1', 'a2', 'a3'].map(end => `0x${'0'.repeat(38)}${end}`) as [
      string,
      string,
      string,
    ]
    const hash = `0x${'12'.repeat(32)}`
    const signature = `0x${'01'.repeat(65)}`
    // Returns the magic value of ERC-1271 if the hash of the call is that in slot 0.
    await it.world.call('anvil_setCode', wallet, '0x60043560005414631626ba7e60e01b0260005260206000f3')
    await it.world.call('anvil_setStorageAt', wallet, `0x${'0'.repeat(64)}`, hash)
    await it.world.call('anvil_setCode', refusing, '0x60206000f3')
    await it.world.call('anvil_setCode', reverting, '0x60006000fd')
    await it.world.mine(1)
    const chain = chainOf(faulty, ...honest)
    assert.equal(await chain.isSignedBy(wallet, hash, signature), true)
    const noes = [
      [wallet, `0x${'13'.repeat(32)}`],
      [refusing, hash],
      [reverting, hash],
      [to, hash],
    ] as const
    for (const [address, requested] of noes)
      assert.equal(await chain.isSignedBy(address, requested, signature), false, address)
    faulty.intercept = async ({ method, params }, ask) => ({
      result: method === 'eth_call' ? '0x01' : await ask(method, ...params),
    })
    assert.equal(await chain.isSignedBy(refusing, hash, signature), false)
    assert.equal(await chainOf(faulty, honest[0]!).isSignedBy(refusing, hash, signature), false)
  })

  test('after a fork that this version does not know, agreement decides, not one node', async () => {
    const txid = (await it.world.pay([[{ token: it.world.token, to, amount: 7n }]]))[0]!
    const filter = { tokens: [it.world.token], native: false, isOurs: (address: string) => address === to }
    for (const fork of [anotherHash, newType]) {
      const reasons: string[] = []
      const endpoints = it.nodes.map(({ url }) => ({ url }))
      const chain = new EvmChain(definition, { endpoints, onUnverified: reason => reasons.push(reason) })
      it.nodes[0]!.intercept = fork
      const before = await chain.head()
      assert.equal((await chain.transfersIn(before, filter)).transfers.length, 1)
      assert.deepEqual([chain.isVerified, reasons], [true, []])
      const lonely = new EvmChain(definition, { endpoints, onUnverified: reason => reasons.push(reason) })
      for (const node of it.nodes) node.intercept = () => ({ error: { code: -32_603, message: 'down' } })
      // The error is that of the first node for a head, and of the last for what a block holds.
      it.nodes[fork === newType ? 2 : 0]!.intercept = fork
      const reading = fork === newType ? lonely.transfersIn(before, filter) : lonely.head()
      await assert.rejects(reading, /not hash|unknown type/)
      assert.deepEqual([lonely.isVerified, reasons], [true, []], 'two of three must agree')
      for (const node of it.nodes) node.intercept = fork
      const head = await until('the chain has a head', () => chain.head())
      const read = await until('the block is read', () => chain.transfersIn(head, filter))
      assert.deepEqual(
        read.transfers.map(each => each.txid),
        [txid],
      )
      assert.deepEqual([chain.isVerified, reasons.length], [false, 1])
      assert.deepEqual(
        (await chain.agreed(head.number, head, filter))?.map(each => each.amount),
        [7n],
      )
      for (const node of it.nodes) node.reset()
    }
  })

  test('a head that most nodes have just reported is not asked for again by its height', async () => {
    const count = () => it.nodes.reduce((sum, { requested }) => sum + requested.length, 0)
    const [first] = it.nodes as [ProxyNode]
    const one = chainOf(first)
    const head = await one.newestHead()
    const before = count()
    assert.deepEqual(await one.blockAt(head.number), head)
    assert.equal(count(), before)
    assert.equal((await one.blockAt(head.number - 1))?.hash, head.parentHash)
    assert.equal(count(), before + 1)
    // One of three is not most of them, whatever it reports.
    for (const node of it.nodes.slice(1))
      node.intercept = async (_, ask) => ({ result: await ask('eth_getBlockByNumber', '0x1', false) })
    const three = chainOf(...it.nodes)
    await until('its report came', async () => (await three.newestHead()).number === head.number)
    for (const node of it.nodes) node.reset()
    first.intercept = () => ({ result: null })
    assert.deepEqual(await three.blockAt(head.number), head)
    first.reset()
  })

  for (const { name, roots = true } of Object.values(mainnets).filter(each => each.kind === 'evm'))
    test(`a fork that this version does not know does not stop ${name}`, async () => {
      await it.world.pay([[{ token: it.world.token, to, amount: 8n }]])
      const filter = { tokens: [it.world.token], native: true, isOurs: (address: string) => address === to }
      for (const fork of [anotherHash, newType]) {
        for (const node of it.nodes) node.intercept = fork
        const reasons: string[] = []
        const endpoints = it.nodes.map(({ url }) => ({ url }))
        const onUnverified = (reason: string) => void reasons.push(reason)
        const chain = new EvmChain({ ...definition, roots }, { endpoints, onUnverified })
        const head = await until('the chain has a head', () => chain.head())
        const { transfers } = await until('the block is read', () => chain.transfersIn(head, filter))
        const agreed = await chain.agreed(head.number, head, filter)
        assert.deepEqual(
          [transfers, agreed].map(each => each?.map(one => one.amount)),
          [[8n], [8n]],
        )
        assert.deepEqual([chain.isVerified, reasons.length], [false, roots ? 1 : 0])
      }
    })

  test('without roots, a transfer counts when a quorum has its transaction the same', async () => {
    const [faulty, ...honest] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    await it.world.pay([[{ token: it.world.token, to, amount: 5n }], [{ token: null, to, amount: 6n }]])
    const open = (...nodes: ProxyNode[]) =>
      new EvmChain({ ...definition, roots: false }, { endpoints: nodes.map(({ url }) => ({ url })), timeoutMs: 1_000 })
    const both = { tokens: [it.world.token], native: true, isOurs: (address: string) => address === to }
    const three = open(faulty, ...honest)
    const two = open(faulty, honest[0])
    const one = open(faulty)
    const head = await three.head()
    const agreed = async (chain: EvmChain) =>
      (await chain.agreed(head.number, head, both))?.map(each => [each.token, each.amount, each.from])
    const right = [
      [null, 6n, it.world.payer.toLowerCase()],
      [it.world.token, 5n, it.world.payer.toLowerCase()],
    ]
    assert.equal(three.isVerified, false)
    assert.deepEqual(await agreed(three), right)
    for (const lie of ['cut', 'amount', 'receiver', 'invented', 'doubled', 'sender'] as const) {
      faulty.intercept = async ({ method, params }, ask) => ({
        result: lied(lie, method, await ask(method, ...params)),
      })
      assert.deepEqual(await agreed(three), right, lie)
      // Logs that the header denies are no vote; what it cannot deny is one against.
      const isDenied = ['cut', 'receiver', 'sender'].includes(lie)
      assert.deepEqual(await agreed(two), isDenied ? right : undefined, lie)
      if (!isDenied) assert.ok(await agreed(one), 'a single node is trusted')
    }
    honest[0].intercept = () => ({ result: null })
    assert.equal(await agreed(three), undefined, 'two of three must agree')
  })

  test('without roots, the time of a block is what most nodes report', async () => {
    const [faulty, ...honest] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    const open = (...nodes: ProxyNode[]) =>
      new EvmChain({ ...definition, roots: false }, { endpoints: nodes.map(({ url }) => ({ url })), timeoutMs: 1_000 })
    await it.world.mine(3)
    const number = Number(await it.world.call('eth_blockNumber'))
    const { time } = (await open(honest[0]).blockAt(number))!
    faulty.intercept = async ({ method, params }, ask) => ({
      result: lied('time', method, await ask(method, ...params)),
    })
    const three = open(faulty, ...honest)
    assert.equal((await three.blockAt(number))?.time, time)
    const { last } = await three.transfersRange(number - 2, number, { tokens: [], native: false, isOurs: () => false })
    assert.equal(last.time, time)
    assert.equal(await open(faulty, honest[0]).blockAt(number), null, 'one of two does not decide')
  })

  test('without roots, a balance is certain if most of the nodes that have the state report it, and two of three', async () => {
    const [faulty, other, third] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    const open = (...nodes: ProxyNode[]) =>
      new EvmChain({ ...definition, roots: false }, { endpoints: nodes.map(({ url }) => ({ url })), timeoutMs: 1_000 })
    const chain = open(faulty, other, third)
    const head = await chain.head()
    const right = await chain.balanceOf(null, to, head)
    const certain = async (view = chain) => (await view.certainBalances(null, [to], head))[0]
    const reply =
      (answer: object): Intercept =>
      ({ method }) =>
        method === 'eth_getBalance' ? answer : undefined
    const refusal = reply({ error: { code: -32000, message: 'missing trie node' } })
    assert.equal(await certain(), right)
    faulty.intercept = reply({ result: '0x63' })
    assert.equal(await certain(), right)
    other.intercept = refusal
    assert.equal(await certain(), null, 'a tie')
    faulty.reset()
    assert.equal(await certain(), right)
    faulty.intercept = reply({ result: '0x63' })
    third.intercept = refusal
    await assert.rejects(certain(), CallRefused, 'one of three has the state')
    assert.equal(await certain(open(faulty)), 99n, 'a single node is trusted')
  })

  test('a nonce and a receipt are those of most nodes', async () => {
    const [faulty, ...honest] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    const three = chainOf(faulty, ...honest)
    const two = chainOf(faulty, honest[0])
    const rootless = [
      [faulty, ...honest],
      [faulty, honest[0]],
    ].map(nodes => new EvmChain({ ...definition, roots: false }, { endpoints: nodes.map(({ url }) => ({ url })) }))
    const [txid] = await it.world.pay([[{ token: it.world.token, to, amount: 5n }]])
    const receipt = await three.receipt(txid!)
    assert.deepEqual(receipt!.transfers, [
      { token: it.world.token, from: it.world.payer.toLowerCase(), to, amount: 5n },
    ])
    const block = { number: receipt!.blockNumber, hash: receipt!.blockHash }
    const certain = (...chains: EvmChain[]) => Promise.all(chains.map(each => each.certainReceipt(txid!, block)))
    assert.deepEqual(await certain(three, two, ...rootless), [receipt, receipt, receipt, receipt])
    assert.equal(await three.certainReceipt(txid!, await three.blockAt(1).then(each => each!)), null, 'another block')
    const nonce = await three.nonce(it.world.payer)
    const lie: Intercept = async ({ method, params }, ask) => {
      if (method === 'eth_getTransactionCount') return { result: '0xffff' }
      const isOne = method === 'eth_getTransactionReceipt'
      if (!isOne && method !== 'eth_getBlockReceipts') return undefined
      const found = (await ask(method, ...params)) as object | object[]
      const failed = [found].flat().map(each => ({ ...each, status: '0x0' }))
      return { result: isOne ? failed[0] : failed }
    }
    faulty.intercept = lie
    const reported = await chainOf(faulty).receipt(txid!)
    assert.equal(reported!.status, 'reverted')
    assert.deepEqual(await certain(three, two, ...rootless), [receipt, receipt, receipt, null], 'a tie')
    assert.deepEqual([await three.nonce(it.world.payer), await two.nonce(it.world.payer)], [nonce, nonce])
    for (const node of honest) node.intercept = lie
    assert.equal(await three.certainReceipt(txid!, block).catch(() => null), null, 'roots outweigh all nodes')
    assert.deepEqual(await certain(rootless[0]!), [reported])
  })

  test('the next fork is the earliest that a node has scheduled and this version was not written for', async () => {
    const [one, other] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    const schedules =
      (next: unknown): Intercept =>
      ({ method }) =>
        method === 'eth_config' ? { result: { next } } : undefined
    const unknownFork = (lastFork?: number) =>
      new EvmChain(
        { ...definition, ...(lastFork && { lastFork }) },
        { endpoints: it.nodes.map(({ url }) => ({ url })) },
      ).unknownFork()
    assert.equal(await unknownFork(), null)
    one.intercept = schedules({ activationTime: 2_000_000_000 })
    other.intercept = schedules({ activationTime: 1_900_000_000 })
    assert.equal(await unknownFork(), 1_900_000_000)
    assert.equal(await unknownFork(1_900_000_000), 2_000_000_000)
    assert.equal(await unknownFork(2_000_000_000), null)
    other.intercept = schedules('soon')
    one.intercept = schedules(null)
    assert.equal(await unknownFork(), null)
  })

  test('offers what recent transactions paid, above the base fee', async () => {
    const chain = chainOf(...it.nodes)
    const { baseFee, maxFeePerGas, maxPriorityFeePerGas } = await chain.fees()
    assert.ok(baseFee > 0n && maxPriorityFeePerGas > 0n)
    assert.equal(maxFeePerGas, baseFee * 2n + maxPriorityFeePerGas)
  })
})
