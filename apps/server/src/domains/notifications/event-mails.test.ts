import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventName, events } from '@coffer/contract/events.ts'
import { type Language, languageList } from '@coffer/contract/languages.ts'
import { makeTestDeps } from '../../testing/deps.ts'
import { renderEventMail, renderEventText } from './event-mails.ts'

const deps = makeTestDeps({ pool: undefined as never, config: { publicUrl: 'https://pay.example' } })
const mailed = (Object.keys(events) as EventName[]).filter(name =>
  events[name].channels.some(channel => channel === 'mail' || channel === 'alarm'),
)
const params = {
  ip: '203.0.113.7',
  device: 'Phone',
  group: 'withdrawal',
  change: 'joined',
  role: 'viewer',
  shop: '“Shop”',
  email: 'a@example.com',
  by: 'b@example.com',
  what: 'answered',
  reason: 'because',
}
const created_at = Date.UTC(2026, 10, 30, 14, 4) / 1_000
const message = (event: string, language: Language) => {
  const about = { event, language, person_id: 'p', address: 'a@example.com', time_zone: 'Asia/Shanghai', created_at }
  return { ...about, params: { ...params, appid: 'app_1', theme: 'Theme', text: 'Text', work_order: '7' } }
}
const mail = (event: EventName, language: Language = 'en') => renderEventMail(deps, message(event, language))!

test('every mailed event has a mail in each language', () => {
  assert.ok(mailed.length > 45)
  for (const event of mailed) {
    const { en, 'zh-CN': zh } = Object.fromEntries(languageList.map(each => [each, mail(event, each)]))
    assert.doesNotMatch(en!.subject + en!.text.replace(/“|”/g, ''), /[\u4e00-\u9fff]/, event)
    assert.match(zh!.subject, /[\u4e00-\u9fff]/, event)
  }
})

test('every mail and text message says when it happened, by the clock of its reader', () => {
  for (const event of mailed) {
    assert.match(mail(event).text, /^Time: 30 Nov 2026, 22:04 \(Asia\/Shanghai\)$/m, event)
    assert.match(mail(event, 'zh-CN').text, /^时间：2026年11月30日 22:04（Asia\/Shanghai）$/m, event)
  }
  const unknown = { ...message('account_passkey_added', 'en'), time_zone: null }
  assert.match(renderEventMail(deps, unknown)!.text, /^Time: 30 Nov 2026, 14:04 UTC$/m)
  assert.match(renderEventText(deps, unknown)!, /your account, 30 Nov 2026, 14:04 UTC\. Not you/)
})

test('every alarm has a text message with a link', () => {
  for (const event of mailed.filter(name => events[name].channels.includes('alarm')))
    for (const language of languageList)
      assert.match(renderEventText(deps, message(event, language))!, /#not-me=/, event)
})

test('mails on operator actions give no security warning, and others name what it is about', () => {
  assert.match(mail('account_password_changed').text, /not you.*#not-me=/s)
  for (const renewed of ['account_secret_key_renewed', 'account_webhook_secret_renewed'] as const)
    assert.match(mail(renewed).text, /renewed.*app_1.*not you/s)
  for (const event of ['account_frozen', 'account_refused', 'account_closed', 'own_sign_in_reported'] as const)
    assert.doesNotMatch(mail(event).text, /not you/)
  assert.match(mail('account_refused').text, /because/)
})

test('an event of another version has nothing to send', () => {
  for (const event of ['from_tomorrow', 'constructor'])
    assert.deepEqual(
      [renderEventMail(deps, message(event, 'en')), renderEventText(deps, message(event, 'en'))],
      [undefined, undefined],
    )
})
