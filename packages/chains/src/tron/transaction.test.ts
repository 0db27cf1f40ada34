import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { recoverAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { decodeMessage, encodeMessage, readBytesField, readNumberField } from './protobuf.ts'
import { encodeTronTransaction, signTron, type TronAction, tronTxidOf } from './transaction.ts'

type Recorded = { txid: string; data: string; signature: string; owner: string }
type Named = { bytes: string; hash: string; expiration: number; timestamp: number; feeLimit?: bigint }

/** A reference block whose height and hash have the bytes that a transaction names. */
const termsOf = ({ bytes, hash, expiration, timestamp, feeLimit = 0n }: Named) => {
  const refBlock = {
    number: 65_536 * 7 + Number.parseInt(bytes, 16),
    hash: `0x${'0'.repeat(16)}${hash}${'0'.repeat(32)}`,
  }
  return { kind: 'tron' as const, refBlock, expiration, timestamp, feeLimit }
}
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the recorded call
const block = (name: string): any =>
  JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8')).answer

/** The plain transfers of recorded mainnet blocks. */
const transfers = ['mainnet-block-30864544', 'mainnet-now-47964392'].map(name => {
  const { raw_data: data, raw_data_hex, txID, signature } = block(name).transactions[0]
  const { owner_address: owner, to_address: to, amount } = data.contract[0].parameter.value
  const recorded = { txid: txID, data: raw_data_hex, signature: signature[0], owner: `0x${owner.slice(2)}` }
  const action: TronAction = { does: 'transfer', token: null, to: `0x${to.slice(2)}`, amount: BigInt(amount) }
  const { ref_block_bytes: bytes, ref_block_hash: hash, expiration, timestamp } = data
  return { name, recorded, action, terms: termsOf({ bytes, hash, expiration, timestamp }) }
})

/**
 * A transfer of USDT, as published in TRON's documentation of `/wallet/getapprovedlist`. Its receiver has the prefix
 * 41.
 */
const token: { name: string; recorded: Recorded; action: TronAction; terms: ReturnType<typeof termsOf> } = {
  name: 'a transfer of a token',
  recorded: {
    txid: '4ad97d49409cfff338d2f9e71d4019c70e82030b52e15e208b1808f2f3ea782e',
    data: '0a0268bd2208bc830d2c09fa23d14092a3bae4a3335aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a1541cf2e99409d2a9a9190197ab0bff35ca87818c41e121541a614f803b6fd780986a42c78ec9c7f77e6ded13c2244a9059cbb0000000000000000000000415d4a41a3b0cdda5c03df72b38a20aa1b88777c7500000000000000000000000000000000000000000000000000000000f9cd95c070afceb6e4a3339001c0f4a46b',
    signature:
      'c99cdc8af6f47dc65a75aa0c6da1c5be8510736e581043162c3e8525c6e0ed8f592adaa74ba250136ea6e1fb125b3d3d024ac6abd3e24c28097d66a8e2a0c0aa01',
    owner: '0xcf2e99409d2a9a9190197ab0bff35ca87818c41e',
  },
  action: {
    does: 'transfer',
    token: '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c',
    to: '0x415d4a41a3b0cdda5c03df72b38a20aa1b88777c75',
    amount: 0xf9cd95c0n,
  },
  terms: termsOf({
    bytes: '68bd',
    hash: 'bc830d2c09fa23d1',
    expiration: 1_761_952_567_698,
    timestamp: 1_761_952_507_695,
    feeLimit: 225_000_000n,
  }),
}

/** Loans of energy on a test network, as published in the manual of tronprotocol/wallet-cli. */
const lender = '0xce8a0cf0c16d48bcf22825f6053248df653c89ca'
const borrower = '0xfd49eda0f23ff7ec1d03b52c3a45991c24cd440e'
const loans = [
  {
    name: 'a loan of energy',
    recorded: {
      txid: '0917002d0068dde7ad4ffe46e75303d11192e17bfa78934a5f867c5ae20720ec',
      data: '0a02020c220854e32e95d11894f84093e9dcfde5305a710839126d0a35747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e44656c65676174655265736f75726365436f6e747261637412340a1541ce8a0cf0c16d48bcf22825f6053248df653c89ca100118c0843d221541fd49eda0f23ff7ec1d03b52c3a45991c24cd440e70a5bbb6f3e530',
      signature:
        '414de060e9c104bb45d745e22b7b7a30b4a89a2635c62aab152fff5d2f10b7443023a9aa487be86652b74974ff6a7d82d3dbf94cea9ac1e0a7e48e682175e3f601',
      owner: lender,
    },
    action: { does: 'delegate', to: borrower, amount: 1_000_000n } as TronAction,
    terms: termsOf({
      bytes: '020c',
      hash: '54e32e95d11894f8',
      expiration: 1_676_643_087_507,
      timestamp: 1_676_621_487_525,
    }),
  },
  {
    name: 'the end of a loan of energy',
    recorded: {
      txid: '537a3f4461ab55c705b77503bc42f469bfc22c0cb8588b8f3641ab40117ebfd8',
      data: '0a020251220868ac15256c213e7140febde9fde5305a73083a126f0a37747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e556e44656c65676174655265736f75726365436f6e747261637412340a1541ce8a0cf0c16d48bcf22825f6053248df653c89ca100118c0843d221541fd49eda0f23ff7ec1d03b52c3a45991c24cd440e709990c3f3e530',
      signature:
        '02ebde16d1abaccd976f8ead4b5acf92b05f7d9796c28ca6a26b4e51442e638e5e33e598bb03732da24dc761a39b9d307c045b55323128dc9b07510ffc48933a01',
      owner: lender,
    },
    action: { does: 'undelegate', to: borrower, amount: 1_000_000n } as TronAction,
    terms: termsOf({
      bytes: '0251',
      hash: '68ac15256c213e71',
      expiration: 1_676_643_294_974,
      timestamp: 1_676_621_695_001,
    }),
  },
]

for (const { name, recorded, action, terms } of [...transfers, token, ...loans]) {
  test(`builds the bytes of a recorded transaction: ${name}`, async () => {
    const data = encodeTronTransaction(action, terms, recorded.owner)
    assert.equal(hexOf(data), recorded.data)
    const signed = encodeMessage([
      [1, data],
      [2, Buffer.from(recorded.signature, 'hex')],
    ])
    assert.equal(tronTxidOf(`0x${hexOf(signed)}`), `0x${recorded.txid}`)
    const owner = await recoverAddress({ hash: `0x${recorded.txid}`, signature: `0x${recorded.signature}` })
    assert.equal(owner.toLowerCase(), recorded.owner)
  })
}

test('signs what it builds, in the form of recorded signatures', async () => {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i + 1)
  const owner = privateKeyToAddress(`0x${hexOf(key)}`).toLowerCase()
  const { raw, txid } = await signTron(token.action, token.terms, key)
  const data = encodeTronTransaction(token.action, token.terms, owner)
  assert.equal(txid, tronTxidOf(raw))
  const end = `1241${raw.slice(-130)}`
  assert.equal(raw, `0x0ad301${hexOf(data)}${end}`)
  assert.match(raw.slice(-2), /^0[01]$/)
  const signature = `0x${raw.slice(-130)}` as const
  assert.equal((await recoverAddress({ hash: txid as `0x${string}`, signature })).toLowerCase(), owner)
  assert.deepEqual(await signTron(token.action, token.terms, key), { raw, txid })
})

test('refuses an amount that the format cannot hold', () => {
  const coin = { ...token.action, token: null } as TronAction
  const loan = loans[0]!.action
  for (const [action, amount] of [
    [coin, -1n],
    [token.action, -1n],
    [coin, 2n ** 63n],
    [loan, 2n ** 63n],
    [token.action, 2n ** 256n],
  ] as const)
    assert.throws(() => encodeTronTransaction({ ...action, amount }, token.terms, lender), /out of range/)
  for (const action of [coin, loan]) encodeTronTransaction({ ...action, amount: 2n ** 63n - 1n }, token.terms, lender)
  // Nine tokens of 18 decimals are more than 64 bits hold.
  const data = hexOf(encodeTronTransaction({ ...token.action, amount: 10n ** 20n }, token.terms, lender))
  assert.match(data, new RegExp((10n ** 20n).toString(16).padStart(64, '0')))
})

test('encodes numbers and lengths of any size, and decodes them again', () => {
  assert.equal(
    hexOf(
      encodeMessage([
        [3, 300],
        [4, 0n],
        [16, true],
      ]),
    ),
    '18ac02800101',
  )
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 70_000 }),
      fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
      (content, n) => {
        const message = decodeMessage(
          encodeMessage([
            [1, content],
            [2, n],
          ]),
        )
        assert.deepEqual(
          [readBytesField(message, 1), readNumberField(message, 2), readNumberField(message, 3)],
          [content, n, 0n],
        )
      },
    ),
    { numRuns: 20 },
  )
  for (const wrong of ['0a', '0a05aa', '0affffffffff', '0affffffffffffffffffff01', '0b', '09aa'])
    assert.throws(() => decodeMessage(Buffer.from(wrong, 'hex')), /not a message/)
  // Of a field that is there twice the last counts, as nodes read it.
  const twice = decodeMessage(Buffer.from('08010802', 'hex'))
  assert.equal(readNumberField(twice, 1), 2n)
  assert.throws(() => readBytesField(twice, 1), /not a message/)
})
