import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceSourcesText } from './price-sources-text.ts'

test('price sources are read by their own names, with the separator of the language', () => {
  assert.equal(priceSourcesText('binance,coinbase,okx / ecb', 'en'), 'Binance, Coinbase, OKX / ECB')
  assert.equal(priceSourcesText('kraken,okx', 'zh-CN'), 'Kraken、OKX')
  assert.equal(priceSourcesText('USDT', 'en'), 'USDT')
  assert.equal(priceSourcesText('', 'en'), '')
})
