import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RLP } from '@ethereumjs/rlp'
import { serializeTransaction as serializeDeposit } from 'viem/op-stack'
import { serializeTransaction } from 'viem/utils'
import { toHex } from '../hex.ts'
import { SignedTransaction } from './decoding.ts'
import { computeKeccakHex, encodeReceipt, encodeTransaction, headerHash } from './encoding.ts'
import { keccak } from './keccak.ts'
import { readVerifiedHeader } from './responses.ts'
import { listRoot } from './trie.ts'

const address = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`
const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`
const signature = { r: word('a'), s: word('b'), yParity: 1 as const }
const signed = { r: word('a'), s: word('b'), yParity: '0x1', v: '0x1' }
const call = { nonce: 7, gas: 21_000n, to: address('1'), value: 128n, data: '0xc0ffee' as const }
const fields = { nonce: '0x7', gas: '0x5208', to: address('1'), value: '0x80', input: '0xc0ffee' }
const noBloom = `0x${'00'.repeat(256)}`
const accessList = [{ address: address('2'), storageKeys: [word('3')] }]
const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 0n }
const rpcFees = { maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x0' }

test('encodes transactions of every type as viem does', () => {
  const pairs = [
    [
      serializeTransaction({ ...call, type: 'legacy', chainId: 56, gasPrice: 5n }, { ...signature, v: 148n }),
      { ...fields, gasPrice: '0x5', ...signed, v: '0x94' },
    ],
    [
      serializeTransaction({ ...call, type: 'eip2930', chainId: 1, gasPrice: 5n, accessList }, signature),
      { ...fields, type: '0x1', chainId: '0x1', gasPrice: '0x5', accessList, ...signed },
    ],
    [
      serializeTransaction({ ...call, to: undefined, type: 'eip1559', chainId: 1, ...fees }, signature),
      { ...fields, to: null, type: '0x2', chainId: '0x1', ...rpcFees, accessList: [], ...signed },
    ],
    [
      serializeTransaction(
        {
          ...call,
          type: 'eip4844',
          chainId: 1,
          ...fees,
          maxFeePerBlobGas: 3n,
          blobVersionedHashes: [`0x01${'4'.repeat(62)}`],
        },
        signature,
      ),
      {
        ...fields,
        type: '0x3',
        chainId: '0x1',
        ...rpcFees,
        accessList: [],
        maxFeePerBlobGas: '0x3',
        blobVersionedHashes: [`0x01${'4'.repeat(62)}`],
        ...signed,
      },
    ],
    [
      serializeTransaction(
        {
          ...call,
          type: 'eip7702',
          chainId: 1,
          ...fees,
          authorizationList: [{ address: address('5'), chainId: 1, nonce: 2, ...signature }],
        },
        signature,
      ),
      {
        ...fields,
        type: '0x4',
        chainId: '0x1',
        ...rpcFees,
        accessList: [],
        ...signed,
        authorizationList: [{ address: address('5'), chainId: '0x1', nonce: '0x2', ...signed }],
      },
    ],
  ] as const
  for (const [encoded, json] of pairs) assert.equal(toHex(encodeTransaction(json)), encoded)
  assert.throws(() => encodeTransaction({ ...fields, type: '0x7f' }), /unknown type/)
})

test('refuses receipts whose outcome can be read in two ways', () => {
  const receipt = { cumulativeGasUsed: '0x1', logsBloom: noBloom, logs: [], root: '0x01' }
  assert.throws(() => encodeReceipt(receipt), /without status/)
  assert.ok(encodeReceipt({ ...receipt, root: word('1') }))
  for (const status of ['x', '0x', '0x01f', 1, [], '1']) assert.throws(() => encodeReceipt({ ...receipt, status }))
})

test('returns the well-known root of an empty list', () => {
  assert.equal(toHex(listRoot([])), '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
})

test('hashes the header of block 0 of Ethereum', () => {
  const genesis = {
    parentHash: word('0'),
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: address('0'),
    stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
    transactionsRoot: toHex(listRoot([])),
    receiptsRoot: toHex(listRoot([])),
    logsBloom: `0x${'0'.repeat(512)}`,
    difficulty: '0x400000000',
    number: '0x0',
    gasLimit: '0x1388',
    gasUsed: '0x0',
    timestamp: '0x0',
    extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
    mixHash: word('0'),
    nonce: '0x0000000000000042',
  }
  assert.equal(headerHash(genesis), '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3')
})

const base = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
]
/** The bytes of a field of a header that is no number. */
const of = (name: string) =>
  ({ miner: address('1'), logsBloom: noBloom, nonce: '0x1111111111111111' })[name] ?? word('1')
const numbers = new Set(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'])

test('encodes deposits of OP chains as viem does, and their receipts with the nonce since Canyon', () => {
  const deposit = { sourceHash: word('1'), from: address('2'), gas: 1_000_000n, value: 5n, data: '0xc0ffee' as const }
  const json = { sourceHash: word('1'), from: address('2'), gas: '0xf4240', value: '0x5', input: '0xc0ffee' }
  for (const [more, rpc] of [
    [
      { to: address('3'), mint: 7n, isSystemTx: false },
      { to: address('3'), mint: '0x7', isSystemTx: false },
    ],
    [{ isSystemTx: true }, { to: null, isSystemTx: true }],
  ] as const)
    assert.equal(
      toHex(encodeTransaction({ ...json, ...rpc, type: '0x7e' })),
      serializeDeposit({ ...deposit, ...more, type: 'deposit' }),
    )
  const receipt = { type: '0x7e', status: '0x1', cumulativeGasUsed: '0x5', logsBloom: noBloom, logs: [] }
  const fieldsOf = (more: object) => RLP.decode(encodeReceipt({ ...receipt, ...more }).slice(1)).length
  assert.deepEqual(
    [{}, { depositNonce: '0x9' }, { depositNonce: '0x9', depositReceiptVersion: '0x1' }].map(fieldsOf),
    [4, 4, 6],
  )
})

test('encodes what Arbitrum adds to a block so that it hashes to its id', () => {
  // Blocks 408889830 and 350791066 of Arbitrum One.
  const pad = (digits: string) => digits.padStart(64, '0')
  for (const [l1, l2, id] of [
    ['16ddb27', '185f29e6', '0x61d48ab94f7fccf48f4baa3903781053f932feb466474c037736e910d7ca2afe'],
    ['15b88c4', '14e8a59a', '0x03dd259cba9ef03a0043700ff6aa27de5c96337ad410b3710b6482ca8a971fd0'],
  ] as const) {
    const input = `0x6bf6a42d${pad('')}${pad(l1)}${pad(l2)}${pad('')}`
    assert.equal(
      computeKeccakHex(encodeTransaction({ type: '0x6a', chainId: '0xa4b1', input, to: address('1'), value: '0x9' })),
      id,
    )
  }
  const plain = { chainId: '0xa4b1', requestId: word('1'), from: address('2'), to: address('3'), value: '0x5' }
  const encoded = encodeTransaction({ ...plain, type: '0x64' })
  assert.equal(RLP.decode(encoded.slice(1)).length, 5)
  const deposit = new SignedTransaction(encoded)
  assert.deepEqual([deposit.to && toHex(deposit.to), deposit.value], [address('3'), 5n])
  const internal = encodeTransaction({ type: '0x6a', chainId: '0xa4b1', input: '0x', to: address('1'), value: '0x9' })
  assert.equal(new SignedTransaction(internal).to, null, 'nothing vouches for what it moves')
})

test('a header with fields that a later fork appended hashes to its hash, and any change does not', () => {
  const header = {
    ...Object.fromEntries(base.map((name, i) => [name, numbers.has(name) ? `0x${(i + 1).toString(16)}` : of(name)])),
  }
  const encoded = base.map((name, i) => (numbers.has(name) ? i + 1 : of(name)))
  const hash = toHex(keccak(RLP.encode([...encoded, word('7'), 300] as never)))
  const forked = { ...header, hash, size: '0x99', slotNumber: '0x12c', blockAccessListHash: word('7'), extra: '0x1' }
  assert.equal(headerHash(forked), hash)
  assert.notEqual(headerHash({ ...forked, timestamp: '0x1234' }), hash)
  assert.notEqual(headerHash({ ...forked, slotNumber: '0x12d' }), hash)
})

test('fields that no fork appends are not tried, even where the header would hash to its hash with them', () => {
  const header = Object.fromEntries(
    base.map((name, i) => [name, numbers.has(name) ? `0x${(i + 1).toString(16)}` : of(name)]),
  )
  const encoded = base.map((name, i) => (numbers.has(name) ? i + 1 : of(name)))
  const appendedIsTried = (value: string) => {
    const hash = toHex(keccak(RLP.encode([...encoded, value] as never)))
    return headerHash({ ...header, hash, unknown: value }) === hash
  }
  assert.ok(appendedIsTried(word('7')))
  for (const size of [33, 64, 2 ** 10, 2 ** 16]) assert.ok(!appendedIsTried(`0x${'12'.repeat(size)}`), `${size} bytes`)
})

test('hashes a header of Avalanche, which has a field among those of Ethereum and more behind', () => {
  const header = {
    baseFeePerGas: '0x5e0443893',
    blockExtraData: '0x',
    blockGasCost: '0x61a80',
    difficulty: '0x1',
    extDataGasUsed: '0x0',
    gasLimit: '0xe4e1c0',
    gasUsed: '0x3213ee',
    nonce: '0x0000000000000000',
    number: '0x1d61350',
    size: '0x2be0',
    timestamp: '0x6479b047',
    totalDifficulty: '0x1d61350',
    uncles: [],
    extDataHash: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    extraData: `0x${'0000000000428007000000000000000000000000001dd4470000000000340e55'}${'000000000000000000000000002b55c20000000000322c67'}${'0'.repeat(48)}`,
    logsBloom: `0x${[
      '0020804440002009100000108211006300064004800124882a00e02a00342110100140444000002100500400001c0000010010000001010010800210283024800041d400080080a00001000c81002028088020008046800880000100480018000004008282800c0110400010000208098200020000ca46000200009002002020',
      '440200040420000000000001108000101120081028000a08000020d0000000800284c0104100c28022020004200001000020080200080000200804000201004081001602004238040001080000000800090304420400041080010022500230001054800461e08500080100000000042c12004020001040220100100008081240',
    ].join('')}`,
    miner: '0x0100000000000000000000000000000000000000',
    mixHash: `0x${'0'.repeat(64)}`,
    parentHash: '0x325c49c63b3f894c28ee1ea9513aae8e2194e8819060cd7b888971d23a114040',
    receiptsRoot: '0xc5533e051491f1b3218e8bc51e86c58759847916ae74ee3d4aecb1d43ae9a242',
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    stateRoot: '0xdf5aaa6e78b1fa40bbf002abeeca3bbfb8fa58a50e13dafa89d37afa71c26979',
    transactionsRoot: '0x2aff3102ef3cb883265e9b93421c765714f28a70106e0a5b9d3a994cc6d60b02',
  }
  // Block 30,806,864 of the C-Chain.
  const hash = '0x3fb8949661bb2f6f5eaa5b16318d3c7e7a0990f8c2382d1fe4389e0caac6519d'
  assert.equal(headerHash({ ...header, hash }), hash)
  assert.equal(readVerifiedHeader({ ...header, hash }).baseFee, 0x5e0443893n)
})
