import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployBatchContracts } from '../../sandbox/chains.ts'
import { softPasskey } from '../../testing/passkeys.ts'
import { type PayoutWorld, payoutWorld, settle, tronPayoutWorld } from '../../testing/payout-world.ts'
import { createReleaseChallenge, listHeldPayouts, releasePayout } from './release-payout.ts'

const usdt = 1_000_000n
const done = ['sent', 'in block', 'final']
const waiting = 'waits: signer: passkey_required'
const key = softPasskey()

type World = Pick<
  PayoutWorld,
  'pass' | 'mine' | 'confirm' | 'deps' | 'owners' | 'signer' | 'definition' | 'token' | 'log'
>

/** Has the signer require a passkey above 10 USDT. */
function requirePasskey({ signer, definition, token }: World) {
  const site = { rpId: 'pay.example', origin: 'https://pay.example' }
  signer.policy.chains[definition.id]!.passkeys = {
    ...site,
    keys: [key.signerKey],
    above: { [token]: 10n * usdt },
    aboveInAll: {},
  }
}

const heldOf = async (w: World) => (await listHeldPayouts(w.deps, w.owners)).map(each => each.id)

async function sign(w: World, id: string, by = key, of = id) {
  const asked = await createReleaseChallenge(w.deps, w.owners, { owner: 'withdrawal', id: of })
  const passkey = by.sign({ challenge: asked?.challenge ?? '' })
  return { owner: 'withdrawal' as const, id, passkey, who: 'olga@coffer.example' }
}

async function release(w: World, ...requested: [id: string, by?: typeof key, of?: string]) {
  const signed = await sign(w, ...requested)
  await releasePayout(w.deps, w.owners, signed)
  return signed
}

for (const [kind, make] of [
  ['EVM', payoutWorld],
  ['TRON', tronPayoutWorld],
] as const)
  test(`a payout above the signer’s limit waits for a passkey, and others go on (${kind})`, async t => {
    const w = await make(t)
    requirePasskey(w)
    const large = await w.ask({ amount: 11n * usdt })
    const other = await w.ask({ amount: 12n * usdt })
    const small = await w.ask({ amount: 10n * usdt })
    await settle(w)
    assert.deepEqual(
      [await w.log(large.id), await w.log(other.id), await w.log(small.id)],
      [[waiting], [waiting], done],
      'nothing is cancelled, and no nonce is taken',
    )
    assert.deepEqual(await heldOf(w), [large.id, other.id])
    for (const [name, attempt] of [
      ['a key that the signer does not know', () => release(w, large.id, softPasskey())],
      ['the release of another payout', () => release(w, large.id, key, other.id)],
      ['another site', () => release(w, large.id, softPasskey({ origin: 'https://evil.example' }))],
    ] as const)
      await assert.rejects(attempt(), { reason: 'passkey_error' }, name)
    w.signer.isDown = true
    await assert.rejects(release(w, large.id), { reason: 'busy' })
    w.signer.isDown = false
    await release(w, large.id)
    await settle(w)
    assert.deepEqual(await w.log(large.id), [waiting, ...done], 'at once, not after the pause for limits')
    assert.deepEqual(await w.log(other.id), [waiting])
    await assert.rejects(release(w, large.id), { reason: 'withdrawal_cannot_change' })
    assert.equal(await w.balance(large.to), 11n * usdt)
  })

test('released payouts go in one batch, and of two people’s releases the first is kept', async t => {
  const w = await payoutWorld(t)
  await w.call('evm_setAutomine', true)
  await deployBatchContracts(w.url, w.hot)
  await w.call('evm_setAutomine', false)
  requirePasskey(w)
  const requested = []
  for (let n = 0; n < 5; n++) requested.push(await w.ask({ amount: 20n * usdt }))
  await settle(w)
  const [first, ...others] = requested
  const one = await sign(w, first!.id)
  const two = await sign(w, first!.id)
  assert.notDeepEqual(one.passkey, two.passkey)
  await releasePayout(w.deps, w.owners, one)
  await releasePayout(w.deps, w.owners, two)
  const { rows } = await w.deps.owner.query('select number, release from payout_releases')
  assert.deepEqual(rows, [{ number: 1, release: { id: `withdrawal ${first!.id} 1`, ...one.passkey.response } }])
  for (const { id } of others) await release(w, id)
  for (let n = 0; n < 3; n++) await settle(w)
  for (const { id, to } of requested) {
    assert.deepEqual(await w.log(id), [waiting, ...done])
    assert.equal(await w.balance(to), 20n * usdt)
  }
  const batches = (await w.outgoing()).filter(each => each.intent.kind === 'batch')
  assert.deepEqual(
    batches.map(each => each.intent.payments.length),
    [5],
  )
})

test('a payout that is sent again needs a new release', async t => {
  const w = await payoutWorld(t)
  requirePasskey(w)
  const { id, to } = await w.ask({ amount: 11n * usdt })
  await settle(w)
  const first = await release(w, id)
  await settle(w)
  assert.deepEqual(await w.log(id), [waiting, ...done])
  // As after a transaction that failed, which a person has sent again.
  await w.deps.owner.query('update test_payouts set due = true')
  await w.deps.owner.query('update outgoing_items set live = false')
  await settle(w)
  assert.deepEqual(await w.log(id), [waiting, ...done, 'waits: signer: passkey_used'])
  await assert.rejects(releasePayout(w.deps, w.owners, first), { reason: 'passkey_error' }, 'the old one again')
  await release(w, id)
  await w.pass()
  await w.mine()
  await w.pass()
  assert.deepEqual((await w.log(id)).slice(-2), ['sent', 'in block'])
  assert.equal(await w.balance(to), 22n * usdt)
})
