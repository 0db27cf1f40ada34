import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Consumer } from '../conformance-consumer.ts'
import { sandboxOf, tron } from '../definitions.ts'
import { BlockOrphaned, ChainUnavailable } from '../errors.ts'
import { suiteWorld } from '../testing/evm-harness.ts'
import { TronChain } from './chain.ts'
import { startTronFacade, type TronFacade } from './facade.ts'
import type { Raw } from './facade-shapes.ts'

const definition = sandboxOf(tron, { chainId: 1, confirmations: 4, blockTime: 1, tokens: [] })
const OURS = `0x${'0'.repeat(36)}beef`
const INFOS = '/wallet/gettransactioninfobyblocknum'

suite('faulty TRON nodes, and differences from Ethereum', () => {
  const it = suiteWorld(2, startTronFacade)
  const chain = (...more: TronFacade[]) =>
    new TronChain(definition, { endpoints: [it.nodes[0]!, ...more].map(({ url, http }) => ({ url, urls: { http } })) })
  const filter = () => ({ tokens: [it.world.token], native: true, isOurs: (to: string) => to === OURS })
  const payToken = (amount = 5n) => it.world.pay([[{ token: it.world.token, to: OURS, amount }]])
  const inHead = async (view = chain()) => {
    return view.transfersIn((await view.blockAt((await view.head()).number))!, filter())
  }

  test('does not take a TRC-10 transfer for a TRX transfer', async () => {
    const txids = await it.world.pay([[{ token: null, to: OURS, amount: 5n }], [{ token: null, to: OURS, amount: 7n }]])
    it.nodes[0]!.shownAsTrc10.add(txids[0]!)
    assert.deepEqual(
      (await inHead()).transfers.map(t => [t.txid, t.amount]),
      [[txids[1], 7n]],
    )
  })

  test('ignores logs of a failed transaction on either interface', async () => {
    await it.world.pay([[{ token: it.world.token, to: OURS, amount: 7n }]], 'reverts')
    assert.deepEqual(await inHead(), { transfers: [], scanned: 1 })
  })

  test('finds logs that eth_getLogs omits, near the head and in a range', async () => {
    const start = (await chain().head()).number + 1
    it.nodes[0]!.alter = (what, answer) => (what === 'eth_getLogs' ? [] : answer)
    await payToken(1n)
    assert.equal((await inHead()).transfers.length, 1)
    await payToken(2n)
    await it.world.mine(6)
    const consumer = new Consumer(chain(), filter(), start)
    await consumer.catchUp()
    assert.deepEqual(
      [...consumer.credited.values()].map(t => t.amount),
      [1n, 2n],
    )
  })

  test('finds a transfer to us that a range omits among others', async () => {
    const start = (await chain().head()).number + 1
    it.nodes[0]!.alter = (what, answer) =>
      what === 'eth_getLogs' ? (answer as Raw[]).filter(log => !(log.topics as string[])[2]!.endsWith('beef')) : answer
    await it.world.pay([
      [{ token: it.world.token, to: OURS, amount: 3n }],
      [{ token: it.world.token, to: `0x${'0'.repeat(36)}cafe`, amount: 4n }],
    ])
    await it.world.mine(6)
    const consumer = new Consumer(chain(), filter(), start)
    const events = await consumer.catchUp()
    assert.ok(events.length < 7, 'reads a range')
    assert.deepEqual(
      [...consumer.credited.values()].map(t => t.amount),
      [3n],
    )
  })

  test('rejects logs that only eth_getLogs returns', async () => {
    await payToken()
    it.nodes[0]!.alter = (what, answer) => (what === INFOS ? (answer as Raw[]).map(({ log, ...info }) => info) : answer)
    await assert.rejects(inHead(), ChainUnavailable)
  })

  test('rejects a token amount on which the interfaces differ', async () => {
    await payToken()
    it.nodes[0]!.alter = (what, answer) =>
      what === 'eth_getLogs' ? (answer as Raw[]).map(log => ({ ...log, data: `0x${'9'.padStart(64, '0')}` })) : answer
    await assert.rejects(inHead(), ChainUnavailable)
  })

  test('rejects transactions of another block at the same height', async () => {
    await payToken()
    const other = { id: 'ab'.repeat(32), fee: 1, blockNumber: 1, receipt: {} }
    for (const infos of [[other], []]) {
      it.nodes[0]!.alter = (what, answer) => (what === INFOS ? infos : answer)
      await assert.rejects(inHead(), { name: 'BlockOrphaned' })
    }
    it.nodes[0]!.alter = (what, answer) => (what === INFOS ? [...(answer as Raw[]), other] : answer)
    await assert.rejects(inHead(), { name: 'BlockOrphaned' })
    it.nodes[0]!.alter = (what, answer) =>
      what === '/wallet/getblockbyid' ? { ...(answer as Raw), blockID: 'cd'.repeat(32) } : answer
    await assert.rejects(inHead(), { name: 'BlockOrphaned' })
  })

  test('rejects an amount beyond exact JSON numbers', async () => {
    await it.world.pay([[{ token: null, to: OURS, amount: 2n ** 60n }]])
    await assert.rejects(inHead(), ChainUnavailable)
  })

  test('reads a block with such an amount between others', async () => {
    const [, ours] = await it.world.pay([
      [{ token: null, to: `0x${'0'.repeat(36)}cafe`, amount: 2n ** 60n }],
      [{ token: null, to: OURS, amount: 6n }],
    ])
    assert.deepEqual(
      (await inHead()).transfers.map(t => [t.txid, t.amount]),
      [[ours, 6n]],
    )
  })

  test('rejects a TRX transfer on which the interfaces differ', async () => {
    await it.world.pay([[{ token: null, to: OURS, amount: 5n }]])
    const changes: [what: string, change: (answer: Raw) => Raw][] = [
      ['eth_getTransactionByHash', answer => ({ ...answer, value: '0x6' })],
      ['eth_getTransactionByHash', answer => ({ ...answer, to: `0x${'0'.repeat(36)}cafe` })],
      ['eth_getTransactionByHash', answer => ({ ...answer, from: OURS })],
      ['eth_getTransactionReceipt', answer => ({ ...answer, status: '0x0' })],
      [
        '/wallet/getblockbyid',
        answer => ({
          ...answer,
          transactions: (answer.transactions as Raw[]).map(t => ({ ...t, txID: 'ab'.repeat(32) })),
        }),
      ],
    ]
    for (const [method, change] of changes) {
      it.nodes[0]!.alter = (what, answer) => (what === method ? change(answer as Raw) : answer)
      await assert.rejects(inHead(), ChainUnavailable, method)
    }
  })

  test('rejects a TRX transfer whose transaction no node has as one of an orphaned block', async () => {
    await it.world.pay([[{ token: null, to: OURS, amount: 5n }]])
    for (const method of ['eth_getTransactionByHash', 'eth_getTransactionReceipt']) {
      for (const node of it.nodes) node.alter = (what, answer) => (what === method ? null : answer)
      await assert.rejects(inHead(), BlockOrphaned, method)
    }
  })

  test('skips a node faulty on either interface and misses nothing, with an honest node', async () => {
    const [txid] = await payToken()
    await it.world.pay([[{ token: null, to: OURS, amount: 8n }]])
    const head = (await chain().head()).number
    const changes: [what: string, change: (answer: unknown) => unknown][] = [
      ['eth_getLogs', answer => (answer as Raw[]).map(log => ({ ...log, data: `0x${'9'.padStart(64, '0')}` }))],
      [INFOS, answer => (answer as Raw[]).map(({ log, ...info }) => info)],
      ['eth_getTransactionByHash', answer => ({ ...(answer as Raw), value: '0x6' })],
    ]
    for (const [method, change] of changes) {
      it.nodes[0]!.alter = (what, answer) => (what === method ? change(answer) : answer)
      const view = chain(it.nodes[1]!)
      const token = await view.transfersIn((await view.blockAt(head - 1))!, filter())
      const native = await view.transfersIn((await view.blockAt(head))!, filter())
      assert.deepEqual(
        [...token.transfers, ...native.transfers].map(t => [t.txid === txid, t.amount]),
        [
          [true, 5n],
          [false, 8n],
        ],
        method,
      )
    }
  })

  test('rejects a balance on which the interfaces differ', async () => {
    const [funded, unused] = [`0x${'0'.repeat(36)}fade`, `0x${'0'.repeat(36)}abcd`]
    await it.world.pay([[{ token: null, to: funded, amount: 7n }]])
    assert.equal(await chain().balanceOf(null, funded), 7n)
    assert.equal(await chain().balanceOf(null, unused), 0n)
    it.nodes[0]!.alter = (what, answer) => (what === '/wallet/getaccount' ? { ...(answer as Raw), balance: 1 } : answer)
    await assert.rejects(chain().balanceOf(null, funded), ChainUnavailable)
  })

  test('returns the fee charged, not gas times price', async () => {
    const [txid] = await payToken()
    const receipt = await chain().receipt(txid!)
    assert.ok(receipt!.fee > 0n)
    assert.notEqual(receipt!.fee, receipt!.gasUsed * receipt!.gasPrice)
    it.nodes[0]!.alter = (what, answer) =>
      what === 'eth_getTransactionReceipt' ? { ...(answer as Raw), transactionHash: `0x${'ab'.repeat(32)}` } : answer
    await assert.rejects(chain().receipt(txid!), ChainUnavailable)
  })

  test('needs the HTTP API of a node', async () => {
    await payToken()
    const half = new TronChain(definition, { endpoints: [{ url: it.nodes[0]!.url }] })
    await assert.rejects(half.transfersIn(await half.head(), filter()), ChainUnavailable)
  })
})
