import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecondOperatorRule } from '../kit/operator-route.ts'
import type { RouteDefinition } from '../kit/route.ts'
import { freshCodeCalls, operatorRoles } from './calls.ts'
import { twoOperatorCalls } from './decisions.ts'
import { operatorRoutes } from './index.ts'
import { formatDecisionQuestion } from './names.ts'

const calls = Object.entries<RouteDefinition & { second?: SecondOperatorRule }>(operatorRoutes)

test('only what opens, confirms or ends a session needs no role', () => {
  const free = calls.flatMap(([key]) => (Object.hasOwn(operatorRoles, key) ? [] : key))
  assert.deepEqual(free.sort(), [
    'DELETE /api/operator/v1/session',
    'GET /api/operator/v1/public/login/passkey',
    'GET /api/operator/v1/session',
    'POST /api/operator/v1/public/invitation',
    'POST /api/operator/v1/public/invitation/accept',
    'POST /api/operator/v1/public/login',
    'POST /api/operator/v1/public/login/passkey',
    'POST /api/operator/v1/public/login/verification',
    'POST /api/operator/v1/session/fresh',
  ])
})

test('what takes two operators above a limit is in a group that is searched for it, and needs a fresh code', () => {
  const declared = calls.flatMap(([key, { second }]) => (second === 'value' ? key : []))
  assert.deepEqual([...twoOperatorCalls].sort(), declared.sort())
  for (const call of twoOperatorCalls) assert.ok(freshCodeCalls.includes(call), call)
})

test('a decision is named with what it is about, as it is', () => {
  assert.equal(formatDecisionQuestion('Unfreeze {of}', "$& {of} $'"), "Unfreeze $& {of} $'")
  assert.equal(formatDecisionQuestion('修改 {of} 的风险等级', 'Acme（M1）'), '修改 Acme（M1）的风险等级')
  assert.equal(formatDecisionQuestion('修改 {of} 的风险等级', 'M1'), '修改 M1 的风险等级')
})
