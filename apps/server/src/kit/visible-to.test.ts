import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MerchantRole, merchantRoleNames } from '@coffer/contract/kit/merchant-roles.ts'
import type { LiveHint } from './live.ts'
import { mayHear } from './visible-to.ts'

test('a role hears of what it may read, and of nothing else', () => {
  const readsMoney: readonly MerchantRole[] = ['owner', 'finance', 'viewer']
  const expected: Record<LiveHint['type'], readonly MerchantRole[]> = {
    payment: merchantRoleNames,
    deposit: merchantRoleNames,
    notification: merchantRoleNames,
    account: merchantRoleNames,
    link: ['owner', 'finance', 'support', 'clerk', 'viewer'],
    callback: ['owner', 'finance', 'developer', 'support', 'viewer'],
    balance: readsMoney,
    withdrawal: readsMoney,
    message: [],
  }
  for (const [type, roles] of Object.entries(expected))
    assert.deepEqual(
      merchantRoleNames.filter(role => mayHear(role, type as LiveHint['type'])),
      roles,
      type,
    )
})
