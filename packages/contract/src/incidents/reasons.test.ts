import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeHaltReason, formatStoredReason, nodeFailureText } from './reasons.ts'

test('a reason of a halt is stored as code and parameters, and read in both languages', () => {
  const stored = encodeHaltReason('coin_left', '1.5 TRX', '77', '2026-11-25T00:40:03.000Z', '0.1 TRX')
  assert.equal(stored, 'coin_left | 1.5 TRX | 77 | 2026-11-25T00:40:03.000Z | 0.1 TRX')
  assert.match(
    formatStoredReason(stored, 'en'),
    /^1\.5 TRX left it since block 77 of 2026-11-25 00:40 UTC without .+, 0\.1 TRX is there/,
  )
  for (const reason of [
    stored,
    encodeHaltReason('nonce_ahead', '9', '5'),
    encodeHaltReason('other_wallet', '0xaa'),
    encodeHaltReason('nonce_signed'),
    encodeHaltReason('deep_reorg', '77'),
    encodeHaltReason('deep_reorg_whole'),
    encodeHaltReason('less_than_ledger', 'Ethereum', '15 USDT', '14.9 USDT'),
    encodeHaltReason('less_than_received', 'Ethereum', '0xaa'),
    encodeHaltReason('far_base_fee', '600', '0.5'),
    encodeHaltReason('far_tip', '600', '2'),
    encodeHaltReason('no_receipts', 'eth_getBlockReceipts', '7'),
    encodeHaltReason('denied_logs', 'eth_getBlockReceipts', '7'),
    encodeHaltReason('claims', '0xaa'),
    encodeHaltReason('claims_in_block', '0xaa', '7'),
    encodeHaltReason('expired_claimed', 'node.example (7)'),
    encodeHaltReason('expired_undecided', 'node.example (7)'),
    encodeHaltReason('unverified', 'a header of an unknown form'),
    encodeHaltReason('unknown_fork', '2096-10-02T07:06:00.000Z'),
    encodeHaltReason('last_error', 'HTTP 502'),
    encodeHaltReason('last_error', 'logs out of order'),
    encodeHaltReason('last_error', encodeHaltReason('nonce_signed')),
    encodeHaltReason('last_error', 'issuer: paused'),
  ]) {
    assert.match(formatStoredReason(reason, 'zh-CN'), /^[^a-z]*\p{Script=Han}/u, reason)
    assert.doesNotMatch(formatStoredReason(reason, 'en'), /undefined| \| /, reason)
  }
  assert.match(formatStoredReason('signer: daily_limit', 'zh-CN'), /\p{Script=Han}/u)
})

test('an amount of a reason is read with separators, a number or address as it is', () => {
  const stored = encodeHaltReason('less_than_ledger', 'Ethereum', '1111906.25 USDT', '98106 USDT')
  assert.equal(formatStoredReason(stored, 'zh-CN'), '账本应有 1,111,906.25 USDT，链上仅有 98,106 USDT（Ethereum）')
  assert.match(
    formatStoredReason(encodeHaltReason('nonce_ahead', '19000', '15000'), 'en'),
    /nonce is 19000, ours 15000/,
  )
})

test('what each node says of a balance is read in both languages', () => {
  const stored = encodeHaltReason('each_node', 'one.example: 5', 'two.example:8545: timeout')
  assert.equal(formatStoredReason(stored, 'en'), 'one.example: 5; two.example:8545: No answer in time')
  assert.equal(formatStoredReason(stored, 'zh-CN'), 'one.example：5；two.example:8545：响应超时')
})

test('an error is read with what was said', () => {
  assert.equal(
    formatStoredReason(encodeHaltReason('last_error', 'HTTP 502 | twice'), 'en'),
    'Answers with an error (HTTP 502 | twice)',
  )
  assert.equal(formatStoredReason(encodeHaltReason('last_error', 'timeout'), 'zh-CN'), '响应超时（timeout）')
  assert.match(
    nodeFailureText(encodeHaltReason('unknown_fork', '2096-10-02T07:06:00.000Z'), 'zh-CN'),
    /2096-10-02 07:06 UTC 分叉/,
  )
})

test('what an operator wrote stays as it is, also with the words of the code', () => {
  for (const written of ['moving to a new key', 'toString', 'constructor | a', '', 'nonce_ahead was wrong'])
    assert.equal(formatStoredReason(written, 'zh-CN'), written)
})

test('what fails at a node is read in both languages, also from what its transport says', () => {
  for (const said of [
    'ECONNREFUSED',
    'timeout',
    'HPE_INVALID_CONSTANT',
    'ENOTFOUND',
    'EHOSTUNREACH',
    'slow response',
    'too many requests',
    'the node limits the rate of requests',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'HTTP 502, response is not JSON',
    'chain id is 5, not 1',
    'invalid balance in response',
    'no answer in time',
    'nodes do not agree on the newest block',
    'slow: the chain waits for its vote for more than a second',
    'response is for another block',
    'JSON-RPC and HTTP API report different balances',
    'no node has these blocks',
  ]) {
    assert.match(nodeFailureText(said, 'zh-CN'), /^\p{Script=Han}+$/u, said)
    assert.notEqual(nodeFailureText(said, 'en'), said)
  }
  assert.equal(nodeFailureText('logs out of order', 'zh-CN'), 'logs out of order')
})
