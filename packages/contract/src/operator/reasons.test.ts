import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haltReason, nodeFailureText, reasonText } from './reasons.ts'

test('a reason of a halt is stored as code and parameters, and read in both languages', () => {
  const stored = haltReason('coin_left', '1.5 TRX', '77', '2026-11-25T00:40:03.000Z', '0.1 TRX')
  assert.equal(stored, 'coin_left | 1.5 TRX | 77 | 2026-11-25T00:40:03.000Z | 0.1 TRX')
  assert.match(
    reasonText(stored, 'en'),
    /^1\.5 TRX left it since block 77 of 2026-11-25 00:40 UTC without .+, 0\.1 TRX is there/,
  )
  for (const reason of [
    stored,
    haltReason('nonce_ahead', '9', '5'),
    haltReason('other_wallet', '0xaa'),
    haltReason('nonce_signed'),
    haltReason('deep_reorg', '77'),
    haltReason('deep_reorg_whole'),
    haltReason('less_than_ledger', 'Ethereum', '15 USDT', '14.9 USDT'),
    haltReason('less_than_received', 'Ethereum', '0xaa'),
  ]) {
    assert.match(reasonText(reason, 'zh-CN'), /^[^a-z]*\p{Script=Han}/u, reason)
    assert.doesNotMatch(reasonText(reason, 'en'), /undefined| \| /, reason)
  }
  assert.match(reasonText('signer: daily_limit', 'zh-CN'), /\p{Script=Han}/u)
})

test('what an operator wrote stays as it is, also with the words of the code', () => {
  for (const written of ['moving to a new key', 'toString', 'constructor | a', '', 'nonce_ahead was wrong'])
    assert.equal(reasonText(written, 'zh-CN'), written)
})

test('what fails at a node is read in both languages, also from what its transport says', () => {
  for (const said of [
    ...['ECONNREFUSED', 'timeout', 'HPE_INVALID_CONSTANT', 'ENOTFOUND', 'EHOSTUNREACH', 'slow response'],
    ...['too many requests', 'the node limits the rate of requests', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ...['HTTP 502, response is not JSON', 'chain id is 5, not 1'],
    'invalid balance in response',
  ]) {
    assert.match(nodeFailureText(said, 'zh-CN'), /^\p{Script=Han}+$/u, said)
    assert.notEqual(nodeFailureText(said, 'en'), said)
  }
  assert.equal(nodeFailureText('logs out of order', 'zh-CN'), 'logs out of order')
})
