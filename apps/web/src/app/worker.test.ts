import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import vm from 'node:vm'

const code = readFileSync(new URL('worker.js', import.meta.url), 'utf8')

/** Runs the worker among these windows, sends it an event, and returns what it did. */
async function after(event: 'push' | 'notificationclick', given: object, windows: object[] = []): Promise<unknown[]> {
  const done: unknown[] = []
  const handlers = new Map<string, (event: object) => void>()
  vm.runInNewContext(code, {
    addEventListener: (name: string, handler: (event: object) => void) => handlers.set(name, handler),
    registration: { showNotification: async (...shown: unknown[]) => void done.push(shown) },
    clients: {
      matchAll: async () => windows.map(each => ({ focus: () => done.push('focus'), ...each })),
      openWindow: async (path: string) => void done.push(`open ${path}`),
    },
  })
  const finished: unknown[] = []
  handlers.get(event)?.({ ...given, waitUntil: (promise: unknown) => finished.push(promise) })
  await Promise.all(finished)
  return done
}

const click = (trade_no: string | undefined, windows?: object[]) => {
  const closed: string[] = []
  const notification = { data: trade_no, close: () => closed.push('close') }
  return after('notificationclick', { notification }, windows).then(done => [...closed, ...done])
}

/** A window that shows pages, which it returns as itself, or that cannot be led anywhere. */
const shows = (pages: string[]) => ({
  async navigate(path: string) {
    pages.push(path)
    return this
  },
})
const stuck = { navigate: () => Promise.reject(new TypeError('not controlled')) }

test('a push is shown with its payment', async () => {
  const data = { json: () => ({ title: 'Payment received', body: '4.00 USDT', tag: 'n-1', trade_no: 't1' }) }
  const [[title, options]] = (await after('push', { data })) as [[string, object]]
  assert.equal(title, 'Payment received')
  assert.deepEqual({ ...options }, { body: '4.00 USDT', tag: 'n-1', icon: '/m/any-192.png', data: 't1' })
})

test('a click on a push opens its record, in the open window if there is one', async () => {
  const pages: string[] = []
  assert.deepEqual(await click('t1', [shows(pages), stuck]), ['close', 'focus'])
  assert.deepEqual(pages, ['/m/record?trade_no=t1'])
  assert.deepEqual(await click('t1'), ['close', 'open /m/record?trade_no=t1'])
  assert.deepEqual(await click('t1', [stuck]), ['close', 'open /m/record?trade_no=t1'])
  assert.deepEqual(await click('/m/approvals'), ['close', 'open /m/approvals'])
  assert.deepEqual(await click(undefined), ['close', 'open /m/record'])
})
