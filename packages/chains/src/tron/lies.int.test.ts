import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { withAnvil } from '../../../../tools/testing/anvil.ts'
import { Book } from '../conformance-book.ts'
import { sandboxOf, tron } from '../definitions.ts'
import { ChainUnavailable } from '../errors.ts'
import { makeWorld, type World } from '../testing/evm-harness.ts'
import { TronChain } from './chain.ts'
import { startTronFacade, type TronFacade } from './facade.ts'
import type { Raw } from './facade-shapes.ts'

const definition = sandboxOf(tron, { chainId: 1, confirmations: 4, blockTime: 1, tokens: [] })
const OURS = `0x${'0'.repeat(36)}beef`
const INFOS = '/wallet/gettransactioninfobyblocknum'

suite('nodes of TRON that lie, and what TRON has that Ethereum has not', () => {
  let world: World
  let facade: TronFacade
  const ends: (() => Promise<void> | void)[] = []
  const chain = () => new TronChain(definition, { endpoints: [{ url: facade.url, http: facade.http }] })
  const filter = () => ({ tokens: [world.token], native: true, isOurs: (to: string) => to === OURS })
  const payToken = (amount = 5n) => world.pay([[{ token: world.token, to: OURS, amount }]])
  const inHead = async () => {
    const view = chain()
    return view.transfersIn((await view.blockAt((await view.head()).number))!, filter())
  }

  before(async () => {
    world = await makeWorld((await withAnvil({ after: end => ends.push(end) })).url)
    facade = await startTronFacade(world.url)
  })
  after(async () => {
    await facade.stop()
    for (const end of ends) await end()
  })
  beforeEach(() => {
    facade.alter = (_, answer) => answer
    facade.disguised.clear()
  })

  test('a transfer of a TRC-10 token is not a transfer of TRX', async () => {
    const txids = await world.pay([[{ token: null, to: OURS, amount: 5n }], [{ token: null, to: OURS, amount: 7n }]])
    facade.disguised.add(txids[0]!)
    assert.deepEqual(
      (await inHead()).transfers.map(t => [t.txid, t.amount]),
      [[txids[1], 7n]],
    )
  })

  test('logs of a failed transaction do not count, on either interface', async () => {
    await world.pay([[{ token: world.token, to: OURS, amount: 7n }]], 'reverts')
    assert.deepEqual(await inHead(), { transfers: [], scanned: 1 })
  })

  test('logs that eth_getLogs leaves out are found, near the tip and in a range', async () => {
    const start = (await chain().head()).number + 1
    facade.alter = (what, answer) => (what === 'eth_getLogs' ? [] : answer)
    await payToken(1n)
    assert.equal((await inHead()).transfers.length, 1)
    await payToken(2n)
    await world.mine(6)
    const book = new Book(chain(), filter(), start)
    await book.catchUp()
    assert.deepEqual(
      [...book.credited.values()].map(t => t.amount),
      [1n, 2n],
    )
  })

  test('logs that only eth_getLogs has are not taken', async () => {
    await payToken()
    facade.alter = (what, answer) => (what === INFOS ? (answer as Raw[]).map(({ log, ...info }) => info) : answer)
    await assert.rejects(inHead(), ChainUnavailable)
  })

  test('an amount on which the interfaces differ is not taken', async () => {
    await payToken()
    facade.alter = (what, answer) =>
      what === 'eth_getLogs' ? (answer as Raw[]).map(log => ({ ...log, data: `0x${'9'.padStart(64, '0')}` })) : answer
    await assert.rejects(inHead(), ChainUnavailable)
  })

  test('transactions of another block at the same height are not mixed in', async () => {
    await payToken()
    const other = { id: 'ab'.repeat(32), fee: 1, blockNumber: 1, receipt: {} }
    for (const infos of [[other], []]) {
      facade.alter = (what, answer) => (what === INFOS ? infos : answer)
      await assert.rejects(inHead(), { name: 'BlockGone' })
    }
    facade.alter = (what, answer) => (what === INFOS ? [...(answer as Raw[]), other] : answer)
    await assert.rejects(inHead(), { name: 'BlockGone' })
    facade.alter = (what, answer) =>
      what === '/wallet/getblockbyid' ? { ...(answer as Raw), blockID: 'cd'.repeat(32) } : answer
    await assert.rejects(inHead(), { name: 'BlockGone' })
  })

  test('an amount that a JSON number cannot hold is not taken', async () => {
    await world.pay([[{ token: null, to: OURS, amount: 2n ** 60n }]])
    await assert.rejects(inHead(), ChainUnavailable)
  })

  test('the fee is what was taken, and not gas times price', async () => {
    const [txid] = await payToken()
    const receipt = await chain().receipt(txid!)
    assert.ok(receipt!.fee > 0n)
    assert.notEqual(receipt!.fee, receipt!.gasUsed * receipt!.gasPrice)
  })

  test('a node without its HTTP interface is not enough', async () => {
    await payToken()
    const half = new TronChain(definition, { endpoints: [{ url: facade.url }] })
    await assert.rejects(half.transfersIn(await half.head(), filter()), ChainUnavailable)
  })
})
