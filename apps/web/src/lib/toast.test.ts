import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelErrorToast, closeToasts, queueErrorToast, showToast, toasts } from './toast.ts'

const texts = () => toasts.get().map(({ text }) => text)

test('an error that its form tells is not told twice', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  queueErrorToast('Wrong password')
  cancelErrorToast('Wrong password')
  queueErrorToast('Insufficient balance')
  t.mock.timers.tick(1)
  assert.deepEqual(texts(), ['Insufficient balance'])
  t.mock.timers.tick(5_000)
  assert.deepEqual(texts(), [])
})

test('the next step begins without the toasts of the one before', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  showToast('error', 'Google code error')
  showToast('success', 'A code is on its way.')
  closeToasts()
  assert.deepEqual(texts(), [])
})
