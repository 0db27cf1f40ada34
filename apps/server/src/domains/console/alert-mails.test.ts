import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import { incidentNames } from '@coffer/contract/operator/names.ts'
import { renderIncidentTexts } from './alert-mails.ts'

test('the Chinese half of a mail about an incident has no English sentence', () => {
  const reasons = [
    encodeHaltReason('nonce_ahead', '9', '5'),
    encodeHaltReason('coin_left', '1.5 TRX', '77', '2026-11-25T00:40:03.000Z', '0.1 TRX'),
    encodeHaltReason('nonce_signed'),
    'signer: daily_limit',
    'signer: no_key',
    'nonce used up by a transaction that is not ours',
  ]
  for (const kind of Object.keys(incidentNames.en))
    for (const reason of reasons) {
      const facts = [{ name: 'reason', value: reason, unit: '' } as const]
      const { subject, lines } = renderIncidentTexts({ kind, chain: 'TRON', facts })['zh-CN']
      for (const line of [subject, ...lines]) assert.doesNotMatch(line, /[a-z]+ [a-z]+ [a-z]+/i, line)
    }
})
