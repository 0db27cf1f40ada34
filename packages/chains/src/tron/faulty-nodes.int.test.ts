import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Consumer } from '../conformance-consumer.ts'
import { defineSandboxChain, tron } from '../definitions.ts'
import { ChainUnavailable } from '../errors.ts'
import { suiteWorld } from '../testing/evm-harness.ts'
import { TronChain } from './chain.ts'
import { startTronFacade, type TronFacade } from './facade.ts'
import type { RawJsonObject } from './facade-shapes.ts'

const definition = defineSandboxChain(tron, { chainId: 1, confirmations: 4, blockTime: 1, tokens: [] })
const OURS = `0x${'0'.repeat(36)}beef`
const transactionsOf = (answer: unknown) => (answer as { transactions: RawJsonObject[] }).transactions
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

  test('ignores logs of a failed transaction on either interface', async () => {
    await it.world.pay([[{ token: it.world.token, to: OURS, amount: 7n }]], 'reverts')
    const { transfers, scanned } = await inHead()
    assert.deepEqual([transfers, scanned], [[], 1])
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
      what === 'eth_getLogs'
        ? (answer as RawJsonObject[]).filter(log => !(log.topics as string[])[2]!.endsWith('beef'))
        : answer
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
    it.nodes[0]!.alter = (what, answer) =>
      what === INFOS ? (answer as RawJsonObject[]).map(({ log, ...info }) => info) : answer
    await assert.rejects(inHead(), ChainUnavailable)
  })

  test('rejects a token amount on which the interfaces differ', async () => {
    await payToken()
    it.nodes[0]!.alter = (what, answer) =>
      what === 'eth_getLogs'
        ? (answer as RawJsonObject[]).map(log => ({ ...log, data: `0x${'9'.padStart(64, '0')}` }))
        : answer
    await assert.rejects(inHead(), ChainUnavailable)
  })

  test('rejects transactions of another block at the same height', async () => {
    await payToken()
    const other = { id: 'ab'.repeat(32), fee: 1, blockNumber: 1, receipt: {} }
    for (const infos of [[other], []]) {
      it.nodes[0]!.alter = (what, answer) => (what === INFOS ? infos : answer)
      await assert.rejects(inHead(), { name: 'BlockOrphaned' })
    }
    it.nodes[0]!.alter = (what, answer) => (what === INFOS ? [...(answer as RawJsonObject[]), other] : answer)
    await assert.rejects(inHead(), { name: 'BlockOrphaned' })
    it.nodes[0]!.alter = (what, answer) =>
      what === '/wallet/getblockbyid' ? { ...(answer as RawJsonObject), blockID: 'cd'.repeat(32) } : answer
    await assert.rejects(inHead(), ChainUnavailable)
  })

  test('reads an amount beyond exact JSON numbers from the signed bytes', async () => {
    await it.world.pay([[{ token: null, to: OURS, amount: 2n ** 60n }]])
    assert.deepEqual(
      (await inHead()).transfers.map(each => each.amount),
      [2n ** 60n],
    )
  })

  test('what a node says beside the signed bytes is not read', async () => {
    await it.world.pay([[{ token: null, to: OURS, amount: 5n }]])
    const honest = await inHead()
    it.nodes[0]!.alter = (what, answer) =>
      what === '/wallet/getblockbyid'
        ? {
            ...(answer as RawJsonObject),
            transactions: transactionsOf(answer).map(each => ({ ...each, raw_data: { contract: [] } })),
          }
        : answer
    assert.deepEqual(await inHead(), honest)
  })

  test('refuses a transaction whose id is not the hash of its bytes', async () => {
    await it.world.pay([[{ token: null, to: OURS, amount: 5n }]])
    for (const change of [{ txID: 'ab'.repeat(32) }, { raw_data_hex: '0a02' }]) {
      it.nodes[0]!.alter = (what, answer) =>
        what === '/wallet/getblockbyid'
          ? { ...(answer as RawJsonObject), transactions: transactionsOf(answer).map(each => ({ ...each, ...change })) }
          : answer
      await assert.rejects(inHead(), ChainUnavailable)
    }
  })

  test('a block that a node changes is the one that another node proves', async () => {
    await it.world.pay([[{ token: null, to: OURS, amount: 5n }]])
    const honest = await inHead()
    for (const change of [
      { transactions: undefined },
      { ret: [{ contractRet: 'REVERT' }] },
      { ret: [{ contractRet: 'SUCCESS', fee: 1 }] },
      { signature: [] },
    ]) {
      it.nodes[0]!.alter = (what, answer) => {
        if (what !== '/wallet/getblockbyid') return answer
        if ('transactions' in change) return { ...(answer as RawJsonObject), ...change }
        return {
          ...(answer as RawJsonObject),
          transactions: transactionsOf(answer).map(each => ({ ...each, ...change })),
        }
      }
      // Of one node alone that cannot be told, unless it leaves out a transaction that its other answers have.
      assert.deepEqual((await inHead(chain(it.nodes[1]!))).transfers, honest.transfers)
    }
  })

  test('a block that nobody can prove is the one that most nodes have', async () => {
    await it.world.pay([[{ token: null, to: OURS, amount: 5n }]])
    const honest = await inHead()
    const unproven = (what: string, answer: unknown) =>
      what === '/wallet/getblockbyid'
        ? {
            ...(answer as RawJsonObject),
            // A payer adds what the API does not show.
            transactions: transactionsOf(answer).map(each => ({ ...each, signature: [] })),
          }
        : answer
    for (const node of it.nodes) node.alter = unproven
    assert.deepEqual((await inHead(chain(it.nodes[1]!))).transfers, honest.transfers)
    it.nodes[1]!.alter = (what, answer) =>
      what === '/wallet/getblockbyid' ? { ...(answer as RawJsonObject), transactions: undefined } : answer
    await assert.rejects(inHead(chain(it.nodes[1]!)), /do not agree/)
  })

  test('skips a node faulty on either interface and misses nothing, with an honest node', async () => {
    const [txid] = await Promise.all((await payToken()).map(it.nodes[0]!.idOf))
    await it.world.pay([[{ token: null, to: OURS, amount: 8n }]])
    const head = (await chain().head()).number
    const changes: [what: string, change: (answer: unknown) => unknown][] = [
      [
        'eth_getLogs',
        answer => (answer as RawJsonObject[]).map(log => ({ ...log, data: `0x${'9'.padStart(64, '0')}` })),
      ],
      [INFOS, answer => (answer as RawJsonObject[]).map(({ log, ...info }) => info)],
      ['/wallet/getblockbyid', answer => ({ ...(answer as RawJsonObject), transactions: undefined })],
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
    const funded = `0x${'0'.repeat(36)}fade`
    const unused = `0x${'0'.repeat(36)}abcd`
    await it.world.pay([[{ token: null, to: funded, amount: 7n }]])
    assert.equal(await chain().balanceOf(null, funded), 7n)
    assert.equal(await chain().balanceOf(null, unused), 0n)
    it.nodes[0]!.alter = (what, answer) =>
      what === '/wallet/getaccount' ? { ...(answer as RawJsonObject), balance: 1 } : answer
    await assert.rejects(chain().balanceOf(null, funded), ChainUnavailable)
  })

  test('returns the fee charged, not gas times price', async () => {
    const [txid] = await Promise.all((await payToken()).map(it.nodes[0]!.idOf))
    const receipt = await chain().receipt(txid!)
    assert.ok(receipt!.fee > 0n)
    assert.notEqual(receipt!.fee, receipt!.gasUsed * receipt!.gasPrice)
    it.nodes[0]!.alter = (what, answer) =>
      what === 'eth_getTransactionReceipt'
        ? { ...(answer as RawJsonObject), transactionHash: `0x${'ab'.repeat(32)}` }
        : answer
    await assert.rejects(chain().receipt(txid!), ChainUnavailable)
  })

  test('needs the HTTP API of a node', async () => {
    await payToken()
    const half = new TronChain(definition, { endpoints: [{ url: it.nodes[0]!.url }] })
    await assert.rejects(half.transfersIn(await half.head(), filter()), ChainUnavailable)
  })
})
