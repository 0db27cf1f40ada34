import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSearchTerms, buildTermRanges, metadataTerm, parseTradeNoTimes, priceTerm } from './payment-search.ts'

const payment = {
  out_trade_no: 'A-1001',
  subject: '',
  attach: '',
  metadata: {},
  fiat_amount: '',
  usdt_amount: 12_500_000n,
}
const found = (text: string, terms: string[]) => {
  const { number, words } = buildTermRanges(text)
  const hit = ([from, to]: readonly [string, string]) => terms.some(term => term >= from && term < to)
  return hit(number) || (words.length > 0 && words.every(hit))
}

test('a payment is found by the start of its number and of its words, in any order and case', () => {
  const terms = buildSearchTerms({ ...payment, subject: 'Two Tickets, front row', attach: 'seat=12b' })
  for (const text of ['A-10', 'a-1001', 'tick', 'row TWO', '12b', 'seat']) assert.ok(found(text, terms), text)
  for (const text of ['1001', 'icket', 'two balcony', 'A-1001 two']) assert.ok(!found(text, terms), text)
})

test('Chinese texts are split into words', () => {
  const terms = buildSearchTerms({ ...payment, subject: '年度会员订阅' })
  for (const text of ['会员', '订阅', '年度会员']) assert.ok(found(text, terms), text)
})

test('a price is found however it is written, and nothing else is taken for one', () => {
  const terms = buildSearchTerms({ ...payment, fiat_amount: '94.9' })
  for (const text of ['94.9', '94.90', '94,90', ' 94.90 EUR', 'EUR 94.90', '94,90EUR'])
    assert.ok(terms.includes(priceTerm(text)), text)
  assert.equal(priceTerm('1,234.50'), priceTerm('1234.5'))
  assert.ok(buildSearchTerms(payment).includes(priceTerm('12.5')), 'in USDT')
  for (const text of ['A-94.90', '94.90.1', 'seat 12', '']) assert.equal(priceTerm(text), '', text)
  assert.ok(!terms.includes(priceTerm('94')))
})

test('texts of punctuation only find nothing but numbers', () => {
  assert.deepEqual(buildTermRanges('-- !').words, [])
})

test('an entry of metadata is one term, whatever stands in it', () => {
  const terms = buildSearchTerms({ ...payment, metadata: { a: 'b=c', n: 1.5, yes: true } })
  for (const filter of ['a=b=c', 'n=1.5', 'yes=true']) assert.ok(terms.includes(metadataTerm(filter)), filter)
  assert.notEqual(metadataTerm('a=b'), metadataTerm('ab='))
  const long = buildSearchTerms({ ...payment, metadata: { a: 'x'.repeat(16_000) } })
  assert.ok(long.every(term => term.length <= 66))
})

test('the beginning of a platform order number is a range of time, another text is none', () => {
  const seconds = (text: string) => Date.parse(text) / 1000
  const table: [text: string, from: string, to: string][] = [
    ['2025', '2025-01-01T00:00:00Z', '2025-12-31T23:59:59Z'],
    ['20251', '2025-10-01T00:00:00Z', '2025-12-31T23:59:59Z'],
    [' 2024022 ', '2024-02-20T00:00:00Z', '2024-02-29T23:59:59Z'],
    ['2025060212', '2025-06-02T12:00:00Z', '2025-06-02T12:59:59Z'],
    ['20250602123456', '2025-06-02T12:34:56Z', '2025-06-02T12:34:56Z'],
    ['9999', '9999-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ]
  for (const [text, from, to] of table) assert.deepEqual(parseTradeNoTimes(text), [seconds(from), seconds(to)], text)
  for (const text of ['', '202', '1234', '20250230', '202513', '2025-06', 'A-2025', '202506021234567'])
    assert.equal(parseTradeNoTimes(text), undefined, text)
})
