import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import type { FieldShape } from '../evm/fields.ts'
import { allHows, placesIn, withLie } from '../testing/field-lies.ts'
import { readReportedTronHeader, readTronBlock, readTronBlocks, readTronHeader, type TronBlock } from './content.ts'
import { type RawJsonObject, toTronHttpBlock, withBroadcastId } from './facade-shapes.ts'
import { TRON_ANSWER_SHAPES, type TronShape } from './fields.ts'
import {
  parseTransactionInfos,
  readBroadcastRefusal,
  readConstantResult,
  readEnergy,
  readEnergyPrice,
  readIsContractAccount,
  readLendableStake,
  readResources,
  readTransactionId,
  readTransactionInfo,
  readTronBalance,
} from './responses.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the recorded call
const recorded = (name: string): any =>
  JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8')).answer

const address = (digit: string) => `0x${digit.repeat(40)}`
const sent = (to: string, value: bigint, n: number, input = '0x') =>
  withBroadcastId<RawJsonObject>({
    from: address('a'),
    to,
    value: `0x${value.toString(16)}`,
    input,
    gas: '0xffff',
    hash: `0x${String(n).repeat(64)}`,
  })
/** A block of three transactions as an honest node reports it: two transfers, one of which failed, and a call. */
const blockAt = (number: number, amount: bigint) =>
  toTronHttpBlock(
    {
      number,
      timestamp: 1_700_000_000 + 3 * number,
      transactions: [sent(address('b'), amount, 1), sent(address('c'), 7n, 2), sent(address('d'), 0n, 3, '0xa9059cbb')],
    },
    ['0x1', '0x0', '0x1'].map((status, i) => ({ status, gasUsed: '0x1', logs: [], i })),
    `${(number - 1).toString(16).padStart(16, '0')}${'7'.repeat(48)}`,
  )
const block = blockAt(9, 5n)
const other = blockAt(10, 6n)

/** What is used of a block. */
const used = ({ isProven, digest, ...rest }: TronBlock) =>
  JSON.stringify(rest, (_, value) => (typeof value === 'bigint' ? String(value) : value))

suite('lies in every field of an answer of TRON', () => {
  test('a block that is proven is read as it is', () => {
    const truth = readTronBlock(block)!
    assert.ok(truth.isProven)
    assert.deepEqual(
      truth.transactions.map(({ transfer, result }) => [transfer?.amount, result]),
      [
        [5n, 'SUCCESS'],
        [7n, 'REVERT'],
        [undefined, 'SUCCESS'],
      ],
    )
    const places = placesIn(TRON_ANSWER_SHAPES['/wallet/getblockbyid'], block)
    const counts = { refused: 0, unproven: 0, same: 0 }
    for (const place of places)
      for (const how of allHows) {
        const lie = withLie(block, { place, how }, other)
        let found: TronBlock | null
        try {
          found = readTronBlock(lie)
        } catch {
          counts.refused++
          continue
        }
        // What is not there, and what is about another block, is told from the id that was requested.
        if (found?.hash !== truth.hash) continue
        if (!found.isProven) {
          counts.unproven++
          assert.notEqual(found.digest, '')
          continue
        }
        counts.same++
        assert.equal(used(found), used(truth), `${place.name} ${how}`)
      }
    assert.ok(places.length > 25 && counts.refused > 200 && counts.unproven > 20, JSON.stringify(counts))
  })

  test('blocks that are compared differ if what is used of them differs', () => {
    const truth = readTronBlock(block)!
    for (const place of placesIn(TRON_ANSWER_SHAPES['/wallet/getblockbyid'], block))
      for (const how of allHows) {
        const found = (() => {
          try {
            return readTronBlock(withLie(block, { place, how }, other))
          } catch {
            return null
          }
        })()
        if (found?.digest === truth.digest) assert.equal(used(found), used(truth), `${place.name} ${how}`)
      }
  })

  /** Answers of each call, and how they are read. */
  const calls: [what: keyof typeof TRON_ANSWER_SHAPES, answer: unknown, read: (value: unknown) => unknown][] = [
    ['eth_getBlockByNumber', { ...recorded('nile-header-66984960'), logsBloom: null }, readReportedTronHeader],
    ['/wallet/getblockbylimitnext', { block: [block, other] }, readTronBlocks],
    ['/walletsolidity/getnowblock', block, readTronHeader],
    ['/wallet/gettransactioninfobyblocknum', recorded('mainnet-infos-30864600'), parseTransactionInfos],
    ['/wallet/gettransactioninfobyid', recorded('mainnet-info-usdt'), readTransactionInfo],
    ['/wallet/gettransactioninfobyid', recorded('mainnet-info-failed'), readTransactionInfo],
    ['/walletsolidity/gettransactioninfobyid', recorded('mainnet-info-usdt'), readTransactionInfo],
    ['/walletsolidity/gettransactionbyid', { txID: '1'.repeat(64), raw_data_hex: '' }, readTransactionId],
    ['/wallet/getaccount', recorded('nile-account-dd791d6b'), readTronBalance],
    ['/wallet/getaccount', { type: 'Contract', balance: 5 }, readIsContractAccount],
    [
      '/wallet/getaccountresource',
      { EnergyLimit: 9, EnergyUsed: 4, TotalEnergyLimit: 5, TotalEnergyWeight: 6 },
      readResources,
    ],
    ['/wallet/getcandelegatedmaxsize', { max_size: 7 }, readLendableStake],
    [
      '/wallet/getchainparameters',
      { chainParameter: [{ key: 'other' }, { key: 'getEnergyFee', value: 100 }] },
      readEnergyPrice,
    ],
    [
      '/wallet/triggerconstantcontract',
      {
        result: { result: true },
        energy_used: 64_000,
        constant_result: ['1'.repeat(64)],
        transaction: { ret: [{ ret: 'SUCESS' }] },
      },
      readEnergy,
    ],
    [
      '/wallet/triggerconstantcontract',
      { result: { result: true }, constant_result: ['1'.repeat(64)] },
      readConstantResult,
    ],
    [
      '/wallet/broadcasthex',
      { result: true, code: 'X', message: '', txid: '1'.repeat(64) },
      value => readBroadcastRefusal(value, `0x${'1'.repeat(64)}`),
    ],
  ]

  /** Lies that have not the shape of their field: such an answer is that of a broken node. */
  const malformed = ['number', 'object', 'nested list', 'no digits', 'another alphabet', 'wider', 'huge'] as const

  test('a malformed answer to any call is refused where it is read, so that the next node is asked', () => {
    const seen = new Set<string>()
    for (const [what, answer, read] of calls) {
      assert.doesNotThrow(() => read(answer), what)
      seen.add(what)
      const shape: FieldShape | TronShape = TRON_ANSWER_SHAPES[what]
      for (const place of placesIn(shape, answer))
        for (const how of allHows) {
          const lie = withLie(answer, { place, how }, undefined)
          if (JSON.stringify(lie) === JSON.stringify(answer)) continue
          const isStrict = ['bare', 'bytes', 'whole', 'flag', 'list', 'quantity'].includes(place.shape.is)
          const isWrong =
            isStrict && place.name !== '' && malformed.some(each => each === how) && misfits(place.shape, how)
          const text = `${what} ${place.name} ${how}`
          if (isWrong) assert.throws(() => read(lie), Error, text)
          // Never an error of the language, which would be blamed on us.
          else assertClean(() => read(lie), text)
        }
    }
    const unread = Object.keys(TRON_ANSWER_SHAPES).filter(name => !seen.has(name))
    assert.deepEqual(unread, ['/wallet/getblockbyid', '/walletsolidity/getaccount'])
  })
})

/** Whether a lie of this kind has another shape than its field. */
function misfits({ is }: FieldShape | TronShape, how: string): boolean {
  if (is === 'whole') return ['object', 'nested list', 'huge'].includes(how)
  if (is === 'list') return ['number', 'object', 'huge'].includes(how)
  if (is === 'flag') return ['number', 'object', 'nested list'].includes(how)
  if (is === 'quantity') return how !== 'no digits' && how !== 'huge'
  return true
}

function assertClean(read: () => unknown, text: string): void {
  try {
    read()
  } catch (error) {
    assert.ok(
      !(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError),
      `${text}: ${error}`,
    )
  }
}
