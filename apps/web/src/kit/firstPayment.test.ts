import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFirstPaymentCommand, selectServerApplications } from './firstPayment.ts'

test('the command carries valid JSON and no key', () => {
  const command = formatFirstPaymentCommand('https://pay.example.com')
  assert.match(command, /^curl https:\/\/pay\.example\.com\/api\/v1\/pay\/orders /)
  assert.match(command, /Bearer \$COFFER_KEY/)
  const body = JSON.parse(command.match(/-d '(.*)'$/)?.[1] ?? '')
  assert.deepEqual(body, { out_trade_no: 'first-1', amount: '10', currency: 'USDT' })
})

test('a test key is set by the command, a live key never is', () => {
  assert.match(formatFirstPaymentCommand('http://127.0.0.1:8090', 'sk_test_a'), /^export COFFER_KEY=sk_test_a\ncurl /)
  assert.doesNotMatch(formatFirstPaymentCommand('https://pay.example.com', 'sk_live_a'), /sk_live_a/)
})

test('the application of Collect, whatever its name, is none for servers', () => {
  const applications = [
    { name: '收款', collects: true },
    { name: 'Collect', collects: false },
  ]
  assert.deepEqual(selectServerApplications(applications), [{ name: 'Collect', collects: false }])
})
