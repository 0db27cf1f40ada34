import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallbackState, callbackEvents, callbackFailures, callbackStatus } from '@coffer/contract/codes.ts'
import en from '../../i18n/en/callbacks.ts'
import shell from '../../i18n/en/shell.ts'
import zh from '../../i18n/zh-CN/callbacks.ts'
import shellZh from '../../i18n/zh-CN/shell.ts'
import { formatAttemptResult, prettyBody } from './looks.ts'

test('every status, event and failure has a label', () => {
  for (const t of [shell, shellZh])
    for (const state of Object.keys(callbackStatus) as CallbackState[]) assert.ok(t.callbackStates[state], state)
  for (const t of [en, zh]) {
    for (const event of callbackEvents) assert.ok(t.events[event], event)
    for (const failure of callbackFailures) assert.ok(t.failures[failure], failure)
  }
})

test('an HTTP status is unchanged', () => {
  assert.equal(formatAttemptResult('HTTP 500', en), 'HTTP 500')
  assert.equal(formatAttemptResult('timeout', en), 'No response in time')
})

test('prettyBody formats JSON and keeps other text', () => {
  assert.equal(prettyBody('{"a":1}'), '{\n  "a": 1\n}')
  assert.equal(prettyBody('no json'), 'no json')
})
