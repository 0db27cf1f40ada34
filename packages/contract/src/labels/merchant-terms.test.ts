import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageList } from '../languages.ts'
import { merchantTermNames, parseMerchantTerm } from '../merchants/terms.ts'
import { formatMerchantTerm, formatMerchantTermField } from './merchant-terms.ts'

test('says a term in words, with the value of the installation where there is none of its own', () => {
  const said = (name: (typeof merchantTermNames)[number], value: number | null, standard?: number) =>
    languageList.map(language => formatMerchantTerm(language, name, value, standard))
  assert.deepEqual(said('fee_bps', 40), ['0.40%', '0.40%'])
  assert.deepEqual(said('withdraw_fee_bps', 0), ['0.00%', '0.00%'])
  assert.deepEqual(said('withdraw_day_max', 50_000), ['50,000 USDT', '50,000 USDT'])
  assert.deepEqual(said('withdraw_single_max', 0), ['0 USDT', '0 USDT'])
  assert.deepEqual(said('withdraw_approval_above', 0), ['never', '无需复核'])
  assert.deepEqual(said('withdraw_approval_above', 50), ['50 USDT', '50 USDT'])
  assert.deepEqual(said('fee_bps', null), ['default', '默认'])
  assert.deepEqual(said('fee_bps', null, 40), ['0.40% (default)', '0.40%（默认）'])
  assert.deepEqual(said('withdraw_approval_above', null, 0), ['never (default)', '无需复核（默认）'])
  assert.equal(formatMerchantTermField('en', 'fee_bps'), 'Payment fee (%)')
  assert.equal(formatMerchantTermField('zh-CN', 'withdraw_day_max'), '24 小时限额（USDT）')
})

test('reads what people enter: nothing is the installation’s, and what is no number is NaN', () => {
  const whole = (text: string) => (/^\d+$/.test(text) ? Number(text) : null)
  const read = (name: (typeof merchantTermNames)[number], text: string) => parseMerchantTerm(name, text, whole)
  for (const name of merchantTermNames) {
    assert.equal(read(name, ' '), null)
    for (const text of ['x', '-1', '1e3', '0.123']) assert.ok(Number.isNaN(read(name, text)), `${name} ${text}`)
    // As it is shown, without its unit.
    const shown = formatMerchantTerm('en', name, 50).replace(/%| USDT/, '')
    assert.equal(read(name, shown), 50)
  }
  assert.equal(read('fee_bps', '0.45%'), 45)
})
