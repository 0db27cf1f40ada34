import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAlreadyKnownMessage } from './refusals.ts'

test('a refusal counts as what it means in the words of every make', () => {
  for (const said of [
    'already known',
    'AlreadyKnown',
    'ALREADY_EXISTS: already known',
    'ALREADY_KNOWN: already known',
    'AlreadyKnown: transaction is already known.',
    'INTERNAL_ERROR: existing tx with same hash',
    'Known transaction',
    'known transaction: 0x12',
    'Transaction with the same hash was already imported.',
    'transaction already imported',
    'transaction already exists in the pool',
  ])
    assert.ok(isAlreadyKnownMessage(said), said)
  for (const said of [
    'nonce too low',
    'OldNonce',
    'replacement transaction underpriced',
    'transaction underpriced',
    'FeeTooLow, MaxFeePerGas too low',
    'insufficient funds for gas * price + value',
    'unknown transaction type',
    'txpool is full',
  ])
    assert.ok(!isAlreadyKnownMessage(said), said)
})
