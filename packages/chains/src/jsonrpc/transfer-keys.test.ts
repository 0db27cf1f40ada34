import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRANSFER } from './logs.ts'
import { keysInReceipt } from './transfer-keys.ts'

const word = (n: number) => `0x${n.toString(16).padStart(64, '0')}`
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
const log = (token: number, to: number, data = word(5)) => ({
  address: address(token),
  topics: [TRANSFER, word(1), word(to)],
  data,
})
const receipt = (logs: object[], status = '0x1') => ({
  transactionHash: word(7),
  blockHash: word(8),
  blockNumber: '0x1',
  status,
  gasUsed: '0x1',
  effectiveGasPrice: '0x1',
  logs,
})

test('keys the transfers of a receipt by their ordinal per token, and skips malformed logs', () => {
  const malformed = [
    { address: address(3), topics: [], data: '0x' },
    { ...log(3, 9), topics: [TRANSFER] },
    { ...log(3, 9), topics: [TRANSFER, word(1), word(2), word(3)] },
    log(3, 9, '0x'),
    log(3, 9, `${word(1)}00`),
    log(3, 9, '0xzz'),
  ]
  const keys = keysInReceipt(receipt([...malformed, log(2, 9), ...malformed, log(4, 9), log(2, 8)]))
  const at = `${word(7)} ${word(8)}`
  assert.deepEqual(keys, [
    `${at} ${address(2)} 0 ${address(9)} 5`,
    `${at} ${address(4)} 0 ${address(9)} 5`,
    `${at} ${address(2)} 1 ${address(8)} 5`,
  ])
  assert.deepEqual(keysInReceipt(receipt([log(2, 9)], '0x0')), [])
})
