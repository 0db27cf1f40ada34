import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOnChainConfirmations } from './stands.ts'

test('a transaction stands where a quorum has its receipt', async () => {
  const receipts: Record<string, object | null> = {
    '0xstays': { status: 'success' },
    '0xreverts': { status: 'reverted' },
    '0xgone': null,
    '0xdisputed': { status: 'success', isDisputed: true },
  }
  const chain = {
    receipt: async (txid: string) => {
      if (!(txid in receipts)) throw new Error('no node answers')
      return receipts[txid]
    },
    certainReceipt: async (txid: string) => {
      const { isDisputed, ...receipt } = receipts[txid] as { isDisputed?: boolean }
      return isDisputed ? null : receipt
    },
  }
  const found = await readOnChainConfirmations(chain as never, [...Object.keys(receipts), '0xother'])
  assert.deepEqual(Object.fromEntries(found), {
    '0xstays': 'yes',
    '0xreverts': 'no',
    '0xgone': 'no',
    '0xdisputed': 'unknown',
    '0xother': 'unknown',
  })
})
