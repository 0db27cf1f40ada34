import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import dialogs from '../../i18n/generated/dialogs-en.ts'
import { buildDeclaredForm, fillIn } from './declaredForm.ts'
import { forms } from './generated/forms.ts'

const t = { reasonTooShort: 'too short' } as Parameters<typeof buildDeclaredForm>[1]['t']
const formOf = (call: keyof typeof forms, known: Record<string, unknown> = {}) =>
  buildDeclaredForm(forms[call], { known, additions: {}, words: dialogs[call], t, pleaseSelect: 'Choose' })

test('a dialog asks for what the body has, in its limits, and sends it as the call takes it', () => {
  const call = 'POST /api/operator/v1/wallets/:id/cancel'
  const { fields, initial, body } = formOf(call)
  assert.deepEqual(
    fields.map(field => ({ ...field })),
    [
      { name: 'nonce', label: 'Nonce', required: true, kind: 'whole', min: 0, max: 999_999_999_999 },
      { name: 'reason', label: 'Reason', required: true, kind: 'area', maxLength: 200 },
    ],
  )
  assert.deepEqual(initial, { nonce: '', reason: '' })
  const sent = body({ nonce: '1,200', reason: 'a wrong receiver' })
  assert.deepEqual(operatorRoutes[call].body.parse(sent), { nonce: 1_200, reason: 'a wrong receiver' })
  assert.throws(() => operatorRoutes[call].body.parse(body({ nonce: 'x', reason: 'a wrong receiver' })))
})

test('what the page knows has no field, and a decision of two people needs a reason to judge by', () => {
  const { fields, body } = formOf('POST /api/operator/v1/wallets/:id/abandon', { nonce: 7 })
  const [reason] = fields as unknown as [{ name: string; label: string; rule(text: string): string | false }]
  assert.equal(reason.label, 'Reason, for other operators to decide by')
  assert.equal(reason.rule('short'), 'too short')
  assert.equal(reason.rule('the other one paid nothing'), false)
  assert.deepEqual(body({ reason: 'the other one paid nothing' }), { nonce: 7, reason: 'the other one paid nothing' })
  assert.equal(formOf('POST /api/operator/v1/wallets/:id/sweep').body({}), undefined)
})

test('what is so or not is chosen by name', () => {
  const { initial, body } = formOf('POST /api/operator/v1/chains/:id/reread')
  assert.deepEqual(initial, { block: '', apply: 'no' })
  assert.deepEqual(body({ block: '5', apply: 'yes' }), { block: 5, apply: true })
})

test('a text names what the page fills in', () => {
  assert.equal(fillIn('{token} goes to {name}', { token: '$&' }), '$& goes to {name}')
})

test('every field of a dialog is sent by its page, or asked for', () => {
  /** Parts of bodies that pages know, or enter in forms of their own. */
  const byPage = ['amount', 'decision', 'kinds', 'nonce', 'passkey', 'updated_time', 'url']
  const ownForms = ['alerts', 'alert-devices', 'alert-hooks', 'terms', 'announcements']
  for (const [call, { fields = [] }] of Object.entries(forms)) {
    const { body } = operatorRoutes[call as keyof typeof forms] as { body?: { shape?: object } }
    const asked = fields.map(({ name }) => name)
    const left = Object.keys(body?.shape ?? {}).filter(name => !asked.includes(name) && !byPage.includes(name))
    assert.ok(left.length === 0 || ownForms.some(each => call.includes(each)), `${call}: ${left}`)
  }
})
