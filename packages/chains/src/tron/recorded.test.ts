import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { tron } from '../definitions.ts'
import { type RawLog, readBigInt, readList, readReceipt, readReportedHeader } from '../evm/responses.ts'
import { formatTronAddress, parseTronAddress } from './address.ts'
import { readTronBlock, readTronBlocks } from './content.ts'
import { pickTransfers } from './logs.ts'
import { parseTransactionInfos, readTransactionInfo, readTronBalance } from './responses.ts'

const folder = new URL('recorded/', import.meta.url)
// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the recorded call
const recorded = (name: string): any => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')).answer

/** A response of which the publication abridged some bytes. */
const whole = (name: string) => {
  const { logsBloom, logs = [], ...answer } = recorded(name)
  assert.equal(logsBloom, '0x0000...0000')
  const longer = logs.map((log: object) => ({ ...log, data: '0x' }))
  return { ...answer, logs: longer, logsBloom: `0x${'00'.repeat(256)}` }
}

test('every recorded response names its network, call and source', () => {
  const readme = readFileSync(new URL('README.md', folder), 'utf8')
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  assert.ok(files.length >= 20)
  for (const name of files) {
    const { network, call, source, answer } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
    assert.ok(['mainnet', 'Nile', 'Shasta'].includes(network), name)
    assert.match(call, /^(eth_|\/wallet\/)/, name)
    assert.match(source, /^https:\/\/(github|docs\.tatum)\./, name)
    assert.notEqual(answer, undefined, name)
    assert.ok(readme.includes(name.replace('.json', '')), name)
  }
})

test('recorded transaction ids are hashes of the signed bytes', () => {
  for (const name of [
    'mainnet-block-30864544',
    'mainnet-now-47964392',
    'mainnet-blocks-30864542',
    'shasta-blocks-33801077',
  ]) {
    const answer = recorded(name)
    for (const block of answer.block ?? [answer]) {
      for (const { txID, raw_data_hex } of block.transactions ?? []) {
        assert.equal(createHash('sha256').update(Buffer.from(raw_data_hex, 'hex')).digest('hex'), txID)
      }
    }
  }
})

test('reads plain TRX transfers of a mainnet block from the signed bytes', () => {
  const block = readTronBlock(recorded('mainnet-block-30864544'))!
  assert.deepEqual(block.transactions, [
    {
      txid: '0x979e0823f455f3b67d65b351052f0265233f422792d31d5dbeb7c24737dd5556',
      result: 'SUCCESS',
      transfer: {
        index: 0,
        from: '0xc33eeefda1059afba41d86759e281bcb851edfc8',
        to: '0x58c85b7b6a5118beb3b23c14fcb2f3551a81d79a',
        amount: 50_000_000n,
      },
    },
  ])
  assert.equal(block.hash, '0x0000000001d6f4a09f60c27befccff6fe3cc593b2d6c46cdc79d3fd4f55db859')
  assert.equal(block.time, 1_623_055_923)
  // Published with one transaction of many.
  assert.equal(block.isProven, false)
  assert.equal(readTronBlock(recorded('mainnet-now-47964392'))?.transactions[0]?.transfer?.amount, 1n)
})

test('proves whole blocks by their ids: one of a transaction, and those without any', () => {
  const blocks = readTronBlocks(recorded('shasta-blocks-33801077'))
  assert.deepEqual(
    blocks.map(({ number, isProven, transactions }) => [number, isProven, transactions.length]),
    [33_801_077, 33_801_078, 33_801_079].map((number, i) => [number, true, i === 0 ? 1 : 0]),
  )
  assert.deepEqual(
    blocks.slice(1).map(each => each.parentHash),
    blocks.slice(0, -1).map(each => each.hash),
  )
})

test('reads the first mainnet blocks, and the chain id from the genesis hash', () => {
  const blocks = readTronBlocks(recorded('mainnet-blocks-1'))
  assert.deepEqual(
    blocks.map(({ number, isProven }) => [number, isProven]),
    [1, 2, 3, 4].map(number => [number, true]),
  )
  assert.equal(tron.chainId, Number.parseInt(blocks[0]!.parentHash.slice(-8), 16))
  assert.notEqual(tron.chainId, Number(recorded('nile-chain-id')))
})

test('does not take a mainnet TRC-10 transfer for a TRX transfer', () => {
  const [block] = readTronBlocks(recorded('mainnet-blocks-30864542'))
  assert.deepEqual(
    block?.transactions.map(({ transfer, result }) => [transfer, result]),
    [[null, 'SUCCESS']],
  )
})

test('reads the executed transactions of a mainnet block, with a USDT transfer', () => {
  const [plain, token] = parseTransactionInfos(recorded('mainnet-infos-30864600'))
  assert.deepEqual([plain?.succeeded, plain?.fee, plain?.logs], [true, 0n, []])
  assert.deepEqual([token?.succeeded, token?.fee], [true, 0n])
  const [log] = token!.logs
  assert.equal(formatTronAddress(log!.address), 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  assert.deepEqual([log?.topics.length, BigInt(log!.data)], [3, 532_079_999n])
})

test('reads a USDT transfer, one that ran out of energy, and a plain transfer', () => {
  const usdt = readTransactionInfo(recorded('mainnet-info-usdt'))
  assert.deepEqual([usdt?.succeeded, usdt?.fee, usdt?.logs.length], [true, 345_000n, 1])
  const failed = readTransactionInfo(recorded('mainnet-info-failed'))
  assert.deepEqual([failed?.succeeded, failed?.fee, failed?.logs], [false, 16_500_120n, []])
  const plain = readTransactionInfo(recorded('mainnet-info-plain'))
  assert.deepEqual([plain?.succeeded, plain?.fee, plain?.logs], [true, 0n, []])
  for (const { succeeded, fee } of parseTransactionInfos(recorded('nile-infos-66987565'))) {
    assert.deepEqual([succeeded, fee], [true, 267_000n])
  }
})

test('reads a recent header, and one of 2022 with milliseconds and nulls', () => {
  const now = readReportedHeader(whole('nile-header-66984960'))
  assert.deepEqual([now.number, now.time], [66_984_960, 1_777_437_276])
  assert.equal(Number.parseInt(now.hash.slice(2, 18), 16), now.number, 'block id begins with the height')
  assert.equal(Number.parseInt(now.parentHash.slice(2, 18), 16), now.number - 1)
  const then = readReportedHeader(recorded('mainnet-header-39507235'))
  assert.deepEqual([then.number, then.time, then.baseFee], [39_507_235, 1_649_072_643, 0n])
  assert.equal(new Date(then.time * 1_000).toISOString(), '2022-04-04T11:44:03.000Z')
})

test('both interfaces agree on a transaction of Nile', () => {
  const receipt = readReceipt(whole('nile-receipt-66985120'))
  const abridged = recorded('nile-info-66985120')
  const info = readTransactionInfo({ ...abridged, log: abridged.log.map((log: object) => ({ ...log, data: '' })) })!
  const [log] = readList(recorded('nile-logs-66985120')) as RawLog[]
  assert.equal(receipt.txid, info.txid)
  assert.deepEqual([receipt.status, info.succeeded], ['success', true])
  assert.deepEqual(
    info.logs.map(each => [each.address, each.topics]),
    [[log?.address, log?.topics]],
  )
  assert.deepEqual([log?.transactionHash, log?.blockHash], [receipt.txid, receipt.blockHash])
  assert.equal(recorded('nile-info-66985120').blockNumber, receipt.blockNumber)
  assert.equal(receipt.fee, 4_458_500n, 'gas times price covers energy only')
  assert.equal(info.fee, 5_254_500n, 'including bandwidth')
})

test('reads Shasta receipts of a plain transfer and of token transfers', () => {
  const plain = readReceipt(recorded('shasta-receipt-34533660'))
  assert.deepEqual([plain.status, plain.blockNumber, plain.gasUsed], ['success', 34_533_660, 0n])
  const [receipt] = recorded('shasta-receipts-5509393')
  const { blockNumber, blockHash, txid } = readReceipt(receipt)
  const block = { number: blockNumber, hash: blockHash, parentHash: '', time: 0 }
  const ours = '0x74b6ff6a481d19f6df9106fe5065ac245ce9872c'
  const token = '0xf553520e0f76fbb4afb967a9a7167881593d54c6'
  const filter = { tokens: [token], native: true, isOurs: (to: string) => to === ours }
  const all = (receipt.logs as RawLog[]).map((log, position) => ({ ...log, position }))
  const logs = all.filter(log => log.address === token)
  const { transfers, scanned } = pickTransfers('tron', logs, filter, () => block)
  assert.equal(scanned, 2)
  assert.deepEqual(
    transfers.map(each => [each.txid, each.to, each.amount, each.ordinal, each.logIndex]),
    [[txid, ours, 0xdac0n, 1, 1]],
  )
})

test('reads the balance of a Nile account from either interface', () => {
  const account = recorded('nile-account-dd791d6b')
  assert.equal(readTronBalance(account), 1_793_227_200n)
  assert.equal(readBigInt(recorded('nile-balance-dd791d6b')), 1_830_448_200n)
  assert.equal(parseTronAddress(formatTronAddress(`0x${account.address.slice(2)}`)), `0x${account.address.slice(2)}`)
})
