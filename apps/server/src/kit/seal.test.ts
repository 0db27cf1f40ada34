import assert from 'node:assert/strict'
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { makeSeal, type SealPlace } from './seal.ts'

const place: SealPlace = { column: 'applications.webhook_secret', row: 'A1' }

/** A text as version 0.1.0 sealed it. */
function sealedBefore(secret: string, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(hkdfSync('sha256', secret, '', 'coffer seal v1', 32)), iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

test('a seal opens at its own row and column only', () => {
  const seal = makeSeal('one secret')
  const sealed = seal.seal('text', place)
  assert.equal(seal.open(sealed, place), 'text')
  assert.throws(() => seal.open(sealed, { ...place, row: 'A2' }))
  assert.throws(() => seal.open(sealed, { ...place, column: 'persons.authenticator_secret' }))
  const [version, id, body] = sealed.split('.') as [string, string, string]
  assert.throws(() => seal.open(`${version}.${id}.${body.replace(/^./, c => (c === 'A' ? 'B' : 'A'))}`, place))
  assert.throws(() => seal.open('text', place), /not a sealed text/)
})

test('seals of the previous secret open until they are sealed again', () => {
  const before = makeSeal('old secret')
  const after = makeSeal('new secret')
  const both = makeSeal('new secret', 'old secret')
  const sealed = before.seal('text', place)
  assert.equal(both.open(sealed, place), 'text')
  assert.throws(() => after.open(sealed, place), new RegExp(`unknown key ${before.keyId}`))
  assert.deepEqual([both.isCurrent(sealed), both.isCurrent(both.seal('text', place))], [false, true])
  assert.deepEqual([both.keyId, both.keyIds], [after.keyId, [after.keyId, before.keyId]])
})

test('seals of the first version open with either secret, and are not current', () => {
  const both = makeSeal('new secret', 'old secret')
  for (const secret of ['new secret', 'old secret']) {
    const sealed = sealedBefore(secret, 'text')
    assert.equal(both.open(sealed, place), 'text')
    assert.equal(both.isCurrent(sealed), false)
  }
  assert.throws(() => both.open(sealedBefore('another', 'text'), place))
})
