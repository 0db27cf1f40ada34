import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merchantRoleNames } from '@coffer/contract/kit/merchant-roles.ts'
import { mayHear } from './hint-roles.ts'

test('a role hears of what it may read', () => {
  const heard = (type: Parameters<typeof mayHear>[1]) => merchantRoleNames.filter(role => mayHear(role, type)).join()
  assert.equal(heard('account'), merchantRoleNames.join())
  assert.equal(heard('notification'), merchantRoleNames.join())
  assert.equal(heard('payment'), merchantRoleNames.join())
  assert.equal(heard('withdrawal'), 'owner,finance,viewer')
  assert.equal(heard('balance'), 'owner,finance,viewer')
  assert.equal(heard('callback'), 'owner,finance,developer,support,viewer')
  assert.equal(heard('link'), 'owner,finance,support,clerk,viewer')
})
