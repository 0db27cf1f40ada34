import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { btcpayPermissions, btcpayRefundPermission } from '@coffer/contract/codes/shops.ts'
import { shopWorld } from '../../../testing/shop-world.ts'

const { app, receiver, store } = await shopWorld({ after })

test('errors have the types that clients of Greenfield read', async () => {
  const { id, api, invoice } = await store({
    notify_url: receiver.url,
    permissions: [...btcpayPermissions, btcpayRefundPermission],
  })
  const other = await store()
  const unpaid = await invoice()
  const withoutWebhook = `/api/v1/stores/${other.id}/webhooks/${other.id}`
  for (const [method, path, body, status, code] of [
    ['GET', 'invoices/1', undefined, 404, 'invoice-not-found'],
    ['DELETE', 'invoices/1', undefined, 404, 'invoice-not-found'],
    ['POST', 'invoices/1/unarchive', undefined, 404, 'invoice-not-found'],
    ['GET', '/api/v1/pull-payments/x', undefined, 404, 'pullpayment-not-found'],
    ['GET', `webhooks/${id}1`, undefined, 404, 'webhook-not-found'],
    ['GET', `webhooks/${id}/deliveries/x`, undefined, 404, 'webhookdelivery-not-found'],
    ['POST', `webhooks/${id}/deliveries/x/redeliver`, undefined, 404, 'webhookdelivery-not-found'],
    ['POST', `invoices/${unpaid.id}/refund`, { refundVariant: 'RateThen' }, 403, 'missing-permission'],
    ['GET', withoutWebhook, undefined, 403, 'missing-permission'],
    ['GET', 'users', undefined, 404, 'not-found'],
  ] as const) {
    const { data, ...answer } = await api(method, path, body)
    assert.deepEqual([answer.status, data.code, typeof data.message], [status, code, 'string'], `${method} ${path}`)
  }
  const forbidden = (await api('GET', withoutWebhook)).data
  assert.equal(forbidden.missingPermission, 'btcpay.store.webhooks.canmodifywebhooks')
  assert.deepEqual((await other.api('GET', `webhooks/${other.id}`)).data.code, 'webhook-not-found')
  const wrongKey = await app.inject({ url: `/api/v1/stores/${id}/invoices`, headers: { authorization: 'token x' } })
  assert.deepEqual([wrongKey.statusCode, wrongKey.json().code], [401, 'unauthenticated'])
  for (const [body, path] of [
    [{ amount: '-1', currency: 'CNY' }, 'amount'],
    [{ amount: '1', currency: 'XXX' }, 'currency'],
    [{ amount: '1', metadata: { orderId: 'x'.repeat(80) } }, 'metadata.orderId'],
    ['{', 'body'],
  ] as const) {
    const { status, data } = await api('POST', 'invoices', body)
    assert.deepEqual([status, data.length, Object.keys(data[0])], [422, 1, ['path', 'message']])
    assert.equal(data[0].path, path)
  }
})
