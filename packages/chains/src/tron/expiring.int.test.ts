import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineSandboxChain, tron } from '../definitions.ts'
import { suiteWorld } from '../testing/evm-harness.ts'
import { TronChain } from './chain.ts'
import { startTronFacade, type TronFacade } from './facade.ts'
import { type RawJsonObject, toTronHttpBlock } from './facade-shapes.ts'
import { signTron } from './transaction.ts'

const definition = defineSandboxChain(tron, { chainId: 1, confirmations: 4, blockTime: 1, tokens: [] })
const OURS = `0x${'0'.repeat(36)}beef`
const key = Uint8Array.from({ length: 32 }, (_, i) => i + 1)
const BROADCAST = '/wallet/broadcasthex'

/**
 * A payer may add to a transaction what the API does not show, so that nobody can prove its block.
 */
const unprovable = (node: TronFacade) => {
  const { alter } = node
  node.alter = (what, own) => {
    const { transactions, ...block } = alter(what, own) as { transactions?: RawJsonObject[] }
    const extended = transactions?.map(each => ({ ...each, ret: [{ contractRet: 'SUCCESS', orderId: '1' }] }))
    return what === '/wallet/getblockbyid' && extended ? { ...block, transactions: extended } : alter(what, own)
  }
}

describe('payouts on TRON', () => {
  const it = suiteWorld(3, startTronFacade, world => world.mine(10))
  const chainOf = (...facades: TronFacade[]) =>
    new TronChain(definition, {
      endpoints: facades.map(({ url, http }) => ({ url, urls: { http } })),
      timeoutMs: 1_000,
    })
  /** What each node answers to a path instead of its own answer. */
  const answer = (path: string, ...answers: unknown[]) => {
    for (const [i, node] of it.nodes.entries()) node.alter = (what, own) => (what === path ? answers[i] : own)
  }

  const signed = async () => {
    const refBlock = (await chainOf(...it.nodes).expiring.reference())!
    const timestamp = refBlock.time * 1000
    const terms = { kind: 'tron' as const, refBlock, timestamp, expiration: timestamp + 60_000, feeLimit: 1n }
    return signTron({ does: 'transfer', token: null, to: OURS, amount: 5n }, terms, key)
  }

  test('names a final block that most nodes have', async () => {
    const chain = chainOf(...it.nodes)
    assert.equal((await chain.expiring.reference())?.number, (await chain.head()).number - 4)
    it.nodes[0]!.alter = (what, own) =>
      what === 'eth_getBlockByNumber' && own ? { ...(own as RawJsonObject), hash: `0x${'1'.repeat(64)}` } : own
    const { hash } = (await chain.expiring.reference())!
    assert.notEqual(hash, `0x${'1'.repeat(64)}`)
  })

  test('broadcasts to every node; only the success of one is a success', async () => {
    const { raw, txid } = await signed()
    const { expiring } = chainOf(...it.nodes)
    const requested: string[] = []
    for (const node of it.nodes)
      node.alter = (what, own) => {
        if (what === BROADCAST) requested.push(node.http)
        return own
      }
    assert.deepEqual((await expiring.send(raw)).accepted, false)
    assert.equal(requested.length, 3)

    const expired = { code: 'TRANSACTION_EXPIRATION_ERROR', txid: txid.slice(2), message: 'Transaction expired' }
    const busy = { code: 'SERVER_BUSY', txid: txid.slice(2) }
    answer(BROADCAST, expired, busy, busy)
    const reason = 'TRANSACTION_EXPIRATION_ERROR: Transaction expired'
    assert.deepEqual(await chainOf(...it.nodes).expiring.send(raw), { txid, accepted: false, reason })
    answer(BROADCAST, expired, busy, { result: true, txid: txid.slice(2) })
    assert.deepEqual(await chainOf(...it.nodes).expiring.send(raw), { txid, accepted: true, reason: null })
    answer(BROADCAST, busy, busy, { code: 'DUP_TRANSACTION_ERROR', txid: txid.slice(2) })
    assert.equal((await chainOf(...it.nodes).expiring.send(raw)).accepted, true)
    answer(BROADCAST, ...Array(3).fill({ result: true, txid: '1'.repeat(64) }))
    assert.equal((await chainOf(...it.nodes).expiring.send(raw)).accepted, false, 'a success of another transaction')
  })

  /**
   * What each node's final blocks say: the time of the last one (ms; null: it fails), and where they have the
   * transaction.
   */
  const final = (txid: string, times: (number | null)[], found: (number | 'somewhere' | undefined)[] = []) => {
    for (const [i, node] of it.nodes.entries())
      node.alter = (what, own) => {
        const time = times[i]
        const at = found[i]
        if (what === '/walletsolidity/getnowblock') return time ? headerAt(time) : { Error: 'busy' }
        if (what === '/walletsolidity/gettransactionbyid') return at === undefined ? {} : { txID: txid.slice(2) }
        if (what !== '/walletsolidity/gettransactioninfobyid') return own
        return typeof at === 'number' ? { id: txid.slice(2), blockNumber: at } : {}
      }
  }
  const headerAt = (time: number) =>
    toTronHttpBlock(
      { number: '0x9', timestamp: time / 1_000, transactions: [] },
      [],
      `${'0'.repeat(15)}8${'1'.repeat(48)}`,
    )
  const isDropped = async (txid: string, time: number, facades = it.nodes) =>
    (await chainOf(...facades).expiring.whetherDropped(txid, time)).isDropped

  test('a transaction is dropped when the final blocks of two nodes never had it', async () => {
    const { txid } = await signed()
    const time = (await chainOf(...it.nodes).expiring.reference())!.time * 1000
    const soon = time + 60_000
    const late = time + 61_000
    final(txid, [late, late, late])
    assert.equal(await isDropped(txid, time), true)
    final(txid, [late, late, soon])
    assert.equal(await isDropped(txid, time), false, 'one node is not there yet')
    final(txid, [late, late, null])
    assert.equal(await isDropped(txid, time), true, 'two are enough')
    it.nodes[1]!.alter = (what, own) => {
      const { block_header: head, ...rest } = headerAt(soon) as { block_header: { raw_data: RawJsonObject } }
      const later = { ...rest, block_header: { ...head, raw_data: { ...head.raw_data, timestamp: late } } }
      return what === '/walletsolidity/getnowblock' ? later : own
    }
    assert.equal(await isDropped(txid, time), false, 'a time that the id of the block does not cover')
    final(txid, [late, null, null])
    assert.equal(await isDropped(txid, time), false, 'one is not, where there are more')
    assert.equal(await isDropped(txid, time, it.nodes.slice(0, 1)), true, 'it is where there are no others')
  })

  test('a node that has the transaction is believed against two, if it shows where', async () => {
    const [local] = await it.world.pay([[{ token: null, to: OURS, amount: 5n }]])
    const txid = await it.nodes[0]!.idOf(local!)
    const { blockNumber, blockHash } = (await chainOf(...it.nodes).receipt(txid))!
    const time = (await chainOf(...it.nodes).blockAt(blockNumber))!.time * 1_000
    const late = time + 61_000
    const long = time + 3_601_000
    for (const at of [late, long]) {
      final(txid, [at, at, at], [undefined, undefined, blockNumber])
      assert.equal(await isDropped(txid, time), false, 'it is there')
    }
    final(txid, [late, late, late], [undefined, undefined, blockNumber])
    assert.equal(await isDropped(txid, time - 75_000), false, 'witnesses had paused: its block came late')
    final(txid, [late, late, late], [undefined, undefined, blockNumber - 1])
    assert.equal(await isDropped(txid, time), true, 'the block that it names does not have it')
    final(txid, [late, late, late], [undefined, undefined, 1_000_000])
    assert.equal(await isDropped(txid, time), false, 'it is on a fork of its own, for an hour')
    const unshown: [what: string, times: number[], found: (number | 'somewhere' | undefined)[]][] = [
      ['it has no place', [late, late, late], [undefined, undefined, 'somewhere']],
      ['it is behind', [late, late, time], []],
    ]
    for (const [what, times, found] of unshown) {
      final(txid, times, found)
      assert.equal(await isDropped(txid, time), false, what)
      final(txid, [long, long, times[2]!], found)
      assert.equal(await isDropped(txid, time), true, `${what} an hour later`)
    }
    const { txid: never } = await signed()
    for (const [of, at, dropped, why] of [
      [never, late, false, 'for an hour it is believed against two'],
      [never, long, true, 'and then the content on which they agree counts'],
      [txid, long, false, 'which has it'],
    ] as const) {
      final(of, [at, at, at], [undefined, undefined, blockNumber])
      for (const node of it.nodes) unprovable(node)
      assert.equal(await isDropped(of, time), dropped, why)
    }
    const [one, two, three] = it.nodes as [TronFacade, TronFacade, TronFacade]
    for (const [found, nodes] of [
      [
        [undefined, blockNumber],
        [one, two],
      ],
      [
        [undefined, blockNumber, blockNumber],
        [one, one, two, three, three],
      ],
    ] as const) {
      final(never, [long, long, long], [...found])
      for (const node of it.nodes) unprovable(node)
      assert.equal(await isDropped(never, time, [...nodes]), false, 'most of all nodes must never have had it')
    }
    // Two of three that hide it also name another block at its height.
    final(txid, [late, late, late], [undefined, undefined, blockNumber])
    for (const node of it.nodes.slice(0, 2)) {
      const { alter } = node
      node.alter = (what, own) => {
        const isIt = what === 'eth_getBlockByNumber' && (own as RawJsonObject).hash === blockHash
        return isIt
          ? { ...(own as RawJsonObject), hash: String((own as RawJsonObject).hash).replace(/.{4}$/, '0000') }
          : alter(what, own)
      }
    }
    assert.equal(await isDropped(txid, time), false, 'nodes differ on the block')
  })

  test('limits the fee by a dry run and the price of energy', async () => {
    const [node] = it.nodes as [TronFacade]
    const dryRun = (result: unknown) => {
      node.alter = (what, own) => {
        if (what === '/wallet/getchainparameters')
          return { chainParameter: [{ key: 'getMaintenanceTimeInterval' }, { key: 'getEnergyFee', value: 100 }] }
        return what === '/wallet/triggerconstantcontract' ? result : own
      }
    }
    const payout = { from: OURS, token: it.world.token, to: `0x${'7'.repeat(40)}`, amount: 5n }
    const { expiring } = chainOf(node)
    dryRun({ result: { result: true }, energy_used: 64_000, transaction: { ret: [{}] } })
    assert.equal(await expiring.feeLimitFor(payout), 8_000_000n)
    assert.equal(await expiring.feeLimitFor({ ...payout, token: null }), 0n)
    for (const failed of [
      { result: { result: true }, energy_used: 500, transaction: { ret: [{ ret: 'FAILED' }] } },
      { result: { code: 'CONTRACT_VALIDATE_ERROR', message: '' } },
    ]) {
      dryRun(failed)
      await assert.rejects(expiring.feeLimitFor(payout), { name: 'CallRefused' })
    }
  })

  /** A token transfer in a block, as honest nodes report it. */
  const paid = async () => {
    const [local] = await it.world.pay([[{ token: it.world.token, to: OURS, amount: 5n }]])
    const chain = chainOf(...it.nodes)
    const receipt = (await chain.receipt(await it.nodes[0]!.idOf(local!)))!
    const block = { number: receipt.blockNumber, hash: receipt.blockHash }
    return { chain, receipt, certain: () => chain.expiring.certainReceipt(receipt.txid, block) }
  }
  const failed = { receipt: { result: 'OUT_OF_ENERGY' }, result: 'FAILED' }
  const told = (wrong: object) => (what: string, own: unknown) =>
    what === '/wallet/gettransactioninfobyid' ? { ...(own as RawJsonObject), ...wrong } : own

  test('most nodes must have a receipt', async () => {
    const { chain, receipt, certain } = await paid()
    assert.deepEqual(await certain(), receipt)
    const elsewhere = `0x${'0'.repeat(15)}9${'2'.repeat(48)}`
    const lie = (what: string, own: unknown) =>
      what === 'eth_getTransactionReceipt' ? { ...(own as RawJsonObject), blockHash: elsewhere } : own
    it.nodes[0]!.alter = lie
    assert.deepEqual(await certain(), receipt)
    it.nodes[1]!.alter = lie
    assert.equal(await certain(), null)

    // One HTTP API reports the fee.
    for (const node of it.nodes) node.reset()
    it.nodes[0]!.alter = told({ fee: 1_000_000 })
    const believed = (await chain.receipt(receipt.txid))!
    assert.notDeepEqual(believed, receipt)
    assert.deepEqual(await certain(), receipt, 'one node says so')
    it.nodes[1]!.alter = told({ fee: 1_000_000 })
    assert.deepEqual(await certain(), believed, 'most do')
  })

  test('a payout that arrived has not failed, whatever nodes say: the root of its block covers the outcome', async () => {
    const { receipt, certain } = await paid()
    for (const node of it.nodes) node.alter = told(failed)
    assert.deepEqual(await certain(), receipt)
  })

  test('where nobody can prove a block, an outcome is what most nodes say', async () => {
    const { receipt, certain } = await paid()
    // A payer added what the API does not show.
    const unproven = (what: string, own: unknown) =>
      what === '/wallet/getblockbyid'
        ? {
            ...(own as RawJsonObject),
            transactions: (own as { transactions: RawJsonObject[] }).transactions.map(hideSignature),
          }
        : own
    const hideSignature = ({ signature: _, ...rest }: RawJsonObject) => rest
    for (const node of it.nodes) node.alter = unproven
    const lie = (what: string, own: unknown) => told(failed)(what, unproven(what, own))
    it.nodes[0]!.alter = lie
    assert.deepEqual(await certain(), receipt, 'one node says so')
    it.nodes[1]!.alter = lie
    const { status, isOutOfEnergy } = (await certain())!
    assert.deepEqual([status, isOutOfEnergy], ['reverted', undefined], 'most do, by one interface')
  })
})
