import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRequestTarget } from './url.ts'

test('a route key, params and query become a URL without empty values', () => {
  assert.deepEqual(buildRequestTarget('GET /api/v1/user/info'), { method: 'GET', url: '/api/v1/user/info' })
  assert.deepEqual(buildRequestTarget('GET /api/v1/checkout/:trade_no', { trade_no: 'a/b' }), {
    method: 'GET',
    url: '/api/v1/checkout/a%2Fb',
  })
  const query = { current: 1, status: undefined, appid: '', name: 'a b&c', all: false }
  assert.equal(buildRequestTarget('GET /list', undefined, query).url, '/list?current=1&name=a+b%26c&all=false')
})
