import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as t from './texts.ts'
import * as v from './validators.ts'

const table: [rule: (text: string) => boolean, good: string[], bad: string[]][] = [
  [
    v.isEmail,
    ['a@b.co', 'first.last+tag@sub.example.com'],
    ['', 'a', 'a@b', '@b.co', 'a b@c.co', 'a@-b.co', `${'a'.repeat(65)}@b.co`, 'a@b.co\n'],
  ],
  [
    v.isUrl,
    ['http://a', 'https://example.com/x?y=1', 'HTTPS://EXAMPLE.com'],
    [
      '',
      'example.com',
      'ftp://a.b',
      'javascript:alert(1)',
      'https://',
      'https://user:pass@a.b',
      'https://a b',
      'https:\\\\a.b',
    ],
  ],
  [v.isSixDigitCode, ['000000', '123456'], ['', '12345', '1234567', '12345a', '１２３４５６']],
  [v.isPhone, ['', '12345', '12345678901234'], ['1234', '123456789012345', '+12345', '12 345']],
  [
    v.isPassword,
    ['Abcdefg1', 'aB3aB3aB3'],
    ['', 'Abcdef1', 'abcdefg1', 'ABCDEFG1', 'Abcdefgh', 'Abcdefg1!', 'Abcd efg1', `Ab1${'a'.repeat(80)}`],
  ],
  [
    v.isAmount,
    ['1', '0.5', '10.01', '0.000001'],
    ['', '0', '0.0', '00', '01', '-1', '+1', '1.', '.5', '1e3', '1,000', ' 1', 'NaN'],
  ],
  [
    v.isIpOrRange,
    ['0.0.0.0', '255.255.255.255', '10.0.0.1', '203.0.113.0/24', '1.2.3.4/32', '::1', '2001:DB8::1', '2001:db8::/48'],
    [
      '',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '01.2.3.4',
      '1.2.3.4.',
      '1.2.3.a',
      '1.2.3.4/33',
      '1.2.3.4/7',
      '0.0.0.0/0',
      '::/0',
      '2001:db8::/129',
      '2001:db8::/048',
      '2001:db8::1/48/48',
      '1.2.3.4/',
      '1.2.3.4/ 24',
      '2001:db8::1::',
      '2001:db8',
      '::ffff:1.2.3.4',
      '[::1]',
      'fe80::1%eth0',
      '::1/128 ',
      'localhost',
      `${'0'.repeat(99)}::1`,
    ],
  ],
  [t.isTradeNo, ['1'.repeat(32)], ['', '1'.repeat(31), '1'.repeat(33), `${'1'.repeat(31)}a`]],
  [
    t.isOutTradeNo,
    ['A-1_2.3:4', 'a b', 'a/b', 'é', '订单', '%', '=1+1', '😀'.repeat(64)],
    [
      '',
      ' ',
      ' a',
      'a ',
      'a\tb',
      'a\nb',
      'a\u0000',
      'a\u202eb',
      'a\u200bb',
      'a\ud800',
      'x'.repeat(65),
      '😀'.repeat(65),
    ],
  ],
  [
    t.isNonBlankText,
    ['a', '名称', '👛\n👩‍💻'],
    ['', '  ', 'a\u0000', 'a\u202Eb', 'a\u2066b', 'a\u061Cb', '\u007F', 'a\u0085', 'a\uD800'],
  ],
]

for (const [rule, good, bad] of table)
  test(rule.name, () => {
    for (const text of good) assert.equal(rule(text), true, JSON.stringify(text))
    for (const text of bad) assert.equal(rule(text), false, JSON.stringify(text))
  })

test('isImage: accepted types, under 3M', () => {
  assert.equal(v.isUploadableImage({ type: 'image/png', size: 1 }), true)
  assert.equal(v.isUploadableImage({ type: 'image/jpeg', size: 3 * 1024 * 1024 - 1 }), true)
  assert.equal(v.isUploadableImage({ type: 'image/jpeg', size: 3 * 1024 * 1024 }), false)
  assert.equal(v.isUploadableImage({ type: 'image/svg+xml', size: 1 }), false)
  assert.equal(v.isUploadableImage({ type: 'image/png', size: 0 }), false)
})

test('mask keeps the first 5 and last 4 characters', () => {
  assert.equal(t.mask('0x1234567890abcdef'), '0x123...cdef')
  assert.equal(t.mask('short'), 'short')
  assert.equal(t.mask('1234567890'), '1234567890')
  assert.equal(t.mask('12345678901'), '12345...8901')
})
