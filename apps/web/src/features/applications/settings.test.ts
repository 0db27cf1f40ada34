import assert from 'node:assert/strict'
import { test } from 'node:test'
import t from '../../i18n/en/applications.ts'
import common from '../../i18n/en/common.ts'
import { checkValues } from '../../kit/rules.ts'
import {
  areValidFixedRates,
  areValidOwnRates,
  isValidSpreadText,
  moveRateSourceEarlier,
  orderRateSources,
  parseFixedRates,
  parseSpread,
} from './rates.ts'
import {
  type Application,
  buildSettingsRules,
  emptyApplicationSettings,
  hasGuardedChange,
  parseIpsOrOrigins,
  toApplicationSettings,
  toSettingsBody,
} from './settings.ts'

const rules = buildSettingsRules(t, common)
const errors = (change: object) => checkValues({ ...emptyApplicationSettings, name: 'Shop', ...change }, rules)

test('a new application needs only a name', () => {
  assert.deepEqual(checkValues(emptyApplicationSettings, rules), { name: common.required })
  assert.deepEqual(errors({}), {})
})

test('URLs, tolerance and IP addresses are validated', () => {
  assert.deepEqual(errors({ website: 'shop.example' }), { website: common.urlAddress })
  assert.deepEqual(errors({ notify_url: 'ftp://shop.example' }), { notify_url: common.urlAddress })
  assert.deepEqual(errors({ tolerance_permille: '5.1' }), { tolerance_permille: t.toleranceBad })
  assert.deepEqual(errors({ tolerance_permille: '0.25' }), { tolerance_permille: t.toleranceBad })
  assert.deepEqual(errors({ tolerance_permille: '0.5' }), {})
  assert.equal(
    toSettingsBody({ ...emptyApplicationSettings, tolerance_permille: '0.3' }).tolerance_permille,
    3,
    'in percent',
  )
  assert.deepEqual(errors({ ip_whitelist: '203.0.113.7\n300.1.1.1' }), { ip_whitelist: common.ipIncorrect })
  assert.deepEqual(errors({ ip_whitelist_enabled: true }), { ip_whitelist: t.ipsNeeded })
  const many = Array.from({ length: 21 }, (_, index) => `203.0.113.${index}`).join('\n')
  assert.deepEqual(errors({ ip_whitelist: many }), { ip_whitelist: t.ipsTooMany })
})

test('at least one event is chosen, and the order of choosing does not matter', () => {
  assert.deepEqual(errors({ callback_events: [] }), { callback_events: t.eventsNeeded })
  const { callback_events } = toSettingsBody({
    ...emptyApplicationSettings,
    callback_events: ['payment.paid', 'payment.seen'],
  })
  assert.deepEqual(callback_events, ['payment.seen', 'payment.paid'])
})

test('IP addresses are split at whitespace, commas and semicolons, without duplicates', () => {
  assert.deepEqual(parseIpsOrOrigins(' 203.0.113.7,\n198.51.100.2 ;203.0.113.7\n'), ['203.0.113.7', '198.51.100.2'])
})

test('the body has numbers and lists, and no notify URL', () => {
  const body = toSettingsBody({ ...emptyApplicationSettings, name: ' Shop ', ip_whitelist: '203.0.113.7' })
  assert.deepEqual(
    [body.name, body.payment_mode, body.tolerance_permille, body.ip_whitelist, 'notify_url' in body],
    ['Shop', 1, 0, ['203.0.113.7'], false],
  )
})

test('only settings that affect payments, key use or what payers see require a proof', () => {
  const application = {
    ...toSettingsBody({ ...emptyApplicationSettings, name: 'Shop' }),
    notify_url: '',
  } as Application
  const changes = (change: object) =>
    hasGuardedChange(application, { ...toApplicationSettings(application), ...change })
  assert.equal(changes({}), false)
  assert.equal(changes({ name: ' Shop ', remark: 'x', ip_whitelist: ' \n' }), false)
  for (const change of [
    { name: 'Other' },
    { website: 'https://shop.example' },
    { logo: '/uploads/a.png' },
    { payment_logo: '/uploads/a.png' },
    { tolerance_permille: '5' },
    { mixed_payment: false },
    { payment_mode: '2' },
    { ip_whitelist_enabled: true },
    { ip_whitelist: '203.0.113.7' },
    { callback_events: ['payment.paid'] },
  ])
    assert.equal(changes(change), true, JSON.stringify(change))
})

test('rates are typed one a line, and sources move up one place at a time', () => {
  assert.deepEqual(parseFixedRates(' cny 7.2\n\nETH  2500'), [
    { currency: 'CNY', rate: '7.2' },
    { currency: 'ETH', rate: '2500' },
  ])
  for (const text of ['', 'CNY 7.2', 'CNY 7.2\nETH 2500\n']) assert.ok(areValidFixedRates(text), text)
  for (const text of ['CNY', 'CNY 0', 'CNY -7', 'CNY 7,2', 'CNY 7.2 8']) assert.ok(!areValidFixedRates(text), text)
  assert.ok(areValidOwnRates('EUR https://rates.example/a.json data.0.eur'))
  for (const text of ['EUR rates.example x', 'EUR https://rates.example', 'EUR https://rates.example a..b'])
    assert.ok(!areValidOwnRates(text), text)
  for (const [typed, sent] of [
    ['+1.5 %', '1.5'],
    ['-0,5', '-0.5'],
  ] as const) {
    assert.ok(isValidSpreadText(typed))
    assert.equal(parseSpread(typed), sent)
  }
  for (const typed of ['', '20.01', '1.555', '1e1', '--1']) assert.ok(!isValidSpreadText(typed), typed)
  assert.deepEqual(orderRateSources(['market']), ['market', 'fixed', 'own'])
  assert.deepEqual(moveRateSourceEarlier(['own', 'market', 'fixed'], 'fixed'), ['own', 'fixed', 'market'])
  assert.deepEqual(moveRateSourceEarlier(['own', 'market'], 'own'), ['own', 'market'])
})
