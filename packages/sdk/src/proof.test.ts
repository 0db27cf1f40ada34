import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ProofError, verifyProof, verifyPublished } from './index.ts'

const example = readFileSync(new URL('../../../docs/proof-example.json', import.meta.url), 'utf8')
const { published, merchant: proof } = JSON.parse(example)
const key: string = published.public_key

const faultOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof ProofError, String(error))
    return error.fault
  }
  return 'none'
}

test('verifies the example of the documentation, as text and as objects', () => {
  for (const given of [
    { published, proof },
    { published: JSON.stringify(published), proof: JSON.stringify(proof) },
  ]) {
    const { balances, statement } = verifyProof({ ...given, merchant: 'M1', publicKey: key })
    assert.deepEqual(
      balances.map(each => [each.asset, each.balance]),
      [['eth:USDT', 1_000_000n]],
    )
    assert.equal(statement.assets[0]?.difference, '-29')
  }
  assert.equal(verifyPublished(published, key).id, '2026-11-30')
})

test('names what is wrong', () => {
  assert.equal(
    faultOf(() => verifyProof({ published, proof, merchant: 'M2' })),
    'other_merchant',
  )
  assert.equal(
    faultOf(() => verifyProof({ published, proof, merchant: 'M1', publicKey: '00'.repeat(32) })),
    'other_key',
  )
  const leaf = proof.assets[0].leaves[0]
  const more = { ...proof, assets: [{ ...proof.assets[0], leaves: [{ ...leaf, amount: '999999999' }] }] }
  assert.equal(
    faultOf(() => verifyProof({ published, proof: more, merchant: 'M1' })),
    'path',
  )
  const lie = { ...published, statement: published.statement.replace('731000003', '731000004') }
  assert.equal(
    faultOf(() => verifyPublished({ ...lie, statement: `${lie.statement} ` })),
    'signature',
  )
  const zero = { ...published, signature: '00'.repeat(64), public_key: '00'.repeat(32) }
  assert.equal(
    faultOf(() => verifyPublished(zero)),
    'signature',
  )
  for (const text of ['', '{', 'null', '[]', '"x"'])
    assert.equal(
      faultOf(() => verifyPublished(text)),
      'published_form',
    )
})
