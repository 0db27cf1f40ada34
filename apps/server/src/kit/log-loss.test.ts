import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logLoss } from './log-loss.ts'

test('a failover is one line without a stack, and other errors are left to be logged', () => {
  const lines: unknown[] = []
  const log = { warn: (about: object, text: string) => void lines.push({ ...about, text }), debug() {} }
  const late = new Error('timeout exceeded when trying to connect')
  assert.equal(logLoss(log, late), false, 'a server that is busy')
  assert.equal(logLoss(log, new Error('a fault of ours')), false)
  assert.equal(logLoss(log, new Error('Connection terminated unexpectedly'), { job: 'send' }), true)
  assert.equal(logLoss(log, Object.assign(new Error('x'), { code: '57P01' })), true)
  assert.equal(logLoss(log, late), true, 'of the same failover')
  assert.equal(logLoss(log, new Error('a fault of ours')), false)
  const text = 'the connection to the database is lost or refused: what failed is tried again'
  assert.deepEqual(lines, [{ job: 'send', reason: 'Connection terminated unexpectedly', text }])
})
