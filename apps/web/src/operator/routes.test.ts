import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OperatorRole, operatorRoleNames } from '@coffer/contract/kit/operator-roles.ts'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import { canRoleCall } from './kit/may.ts'
import { homeCall, menuOf, routes } from './routes.ts'

const rolesOf = (key: keyof typeof operatorRoutes): readonly string[] =>
  (operatorRoutes[key] as { who?: readonly OperatorRole[] }).who ?? []

test('the menu shows a role the pages whose calls declare it, and no page without its call', () => {
  for (const role of operatorRoleNames) {
    const shown = menuOf(call => canRoleCall(role, call)).map(({ path }) => path)
    const declared = routes.flatMap(route => ('menu' in route && rolesOf(route.call).includes(role) ? route.path : []))
    assert.deepEqual(shown, declared, role)
    for (const { path, call } of routes) assert.equal(canRoleCall(role, call), rolesOf(call).includes(role), path)
  }
  assert.equal(routes.find(({ path }) => path === '/')?.call, homeCall)
})

test('a role is asked for by the table of the contract, and one that is not known may nothing that needs one', () => {
  for (const key of Object.keys(operatorRoutes) as (keyof typeof operatorRoutes)[]) {
    const who = rolesOf(key)
    for (const role of operatorRoleNames)
      assert.equal(canRoleCall(role, key), typeof who === 'string' || who.length === 0 || who.includes(role), key)
    assert.equal(canRoleCall(undefined, key), who.length === 0 || typeof who === 'string', key)
  }
})
