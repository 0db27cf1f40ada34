import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { moneyWorld } from '../../../testing/money.ts'
import { findPaymentsByText } from './find-payments-by-text.ts'

const world = await moneyWorld({ after })
const { deps, merchant } = world
const find = async (text: string) => (await findPaymentsByText(deps.pool, merchant.id, text, {})).ids

/** Titles in many scripts, with marks of patterns and of the direction of writing. */
const titles = [
  'ชาเขียว ๑๐๐',
  'हिन्दी चाय',
  'cafe\u0301 noir',
  'a\\d+ .* (x|y) [z] {2} ^$ %_',
  '\u202Egnp.exe tea',
  'ⓐ ⅷ ㉗ ｔｅａ',
  '👩‍👩‍👧 family',
  'İstanbul kahve',
  'ΟΔΟΣ ΣΊΣΥΦΟΣ',
  'x'.repeat(120),
  'o\u2019brien \u00ADsoft \u2060joined',
  'بسم الله',
]

for (const [index, subject] of titles.entries())
  test(`finds a title by itself and in capitals: ${JSON.stringify(subject.slice(0, 40))}`, async () => {
    const { trade_no } = await world.pay({ out_trade_no: `T-${index}`, subject })
    for (const text of [subject, subject.toUpperCase()]) assert.deepEqual(await find(text), [trade_no], text)
  })
