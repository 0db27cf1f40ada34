import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutgoingItem } from '../../owner.ts'
import type { SignRequest } from '../../signer/protocol.ts'
import { after, before, errorsIn } from '../../testing/failing.ts'
import { rowsOf } from '../../testing/money.ts'
import { type PayoutWorld, payoutWorld, tronPayoutWorld } from '../../testing/payout-world.ts'
import { type FirstSeenPayouts, watchStalledPayouts } from './watch-stalled-payouts.ts'

type Tron = Awaited<ReturnType<typeof tronPayoutWorld>>
type World = PayoutWorld | Tron

/**
 * Has calls about victims throw: each in its own way. `errorOf` takes what identifies a payout: its receiver, its id or
 * its transaction.
 */
type Fault = (w: World, errorOf: (name: string) => unknown) => () => void

const sending = ({ chain }: World) => chain.expiring ?? chain
const receiverOf = (request: SignRequest) => ('to' in request ? String(request.to) : '')
const ownerFails =
  (name: 'sent' | 'inBlock' | 'final'): Fault =>
  ({ owners }, errorOf) =>
    after(owners.withdrawal!, name, (_, _uow: unknown, items: readonly OutgoingItem[]) =>
      items.map(each => errorOf(each.id)).find(each => each !== undefined),
    )

/** Steps of sending a payout, and how one of them fails. */
const steps: Record<string, Fault> = {
  preparing: (w, errorOf) =>
    before(sending(w), w.chain.expiring ? 'feeLimitFor' : 'gasFor', (of: { to: string }) => errorOf(of.to)),
  'dry-running': ({ signer }, errorOf) => before(signer, 'dryRun', (of: SignRequest) => errorOf(receiverOf(of))),
  'taking a nonce': ownerFails('sent'),
  signing: ({ signer }, errorOf) => before(signer, 'sign', (of: SignRequest) => errorOf(receiverOf(of))),
  broadcasting: (w, errorOf) => after(sending(w), 'send', (sent: { txid: string }) => errorOf(sent.txid)),
  'finding its block': ({ chain }, errorOf) => before(chain, 'receipt', (txid: string) => errorOf(txid)),
  'agreeing on its receipt': (w, errorOf) => before(sending(w), 'certainReceipt', (txid: string) => errorOf(txid)),
  'reporting its block': ownerFails('inBlock'),
  settling: ownerFails('final'),
}

for (const [kind, open] of [
  ['EVM', payoutWorld],
  ['TRON', tronPayoutWorld],
] as const)
  test(`${kind}: whatever throws in whatever step of a payout, the next ones are paid, it is reported, and it ends once`, async t => {
    const w: World = await open(t)
    const seen: FirstSeenPayouts = new Map()
    const later = async (seconds: number) => ('later' in w ? w.later(seconds) : w.deps.pass(seconds))
    const round = async () => {
      // What it throws is a bug of ours, and everything else was done.
      await w.pass().catch(() => {})
      await w.mine(4)
      await w.pass().catch(() => {})
    }
    for (const [at, [step, fault]] of Object.entries(steps).entries()) {
      const errors = errorsIn(at, kind)
      const victims: Awaited<ReturnType<typeof w.ask>>[] = []
      for (const _ of errors) victims.push(await w.ask({ amount: 1_000n }))
      const names = new Map(victims.flatMap(({ id, to }, i) => [[id, i] as const, [to, i] as const]))
      const noting = after(w.signer, 'sign', (signed: { txid: string }, of: SignRequest) => {
        if (names.has(receiverOf(of))) names.set(signed.txid, names.get(receiverOf(of))!)
      })
      const end = fault(w, name => (names.has(name) ? errors[names.get(name)!]!() : undefined))
      const next = [await w.ask({ amount: 2_000n }), await w.ask({ amount: 3_000n })]
      for (let i = 0; i < 3; i++) {
        await round()
        await watchStalledPayouts(w.deps, w.owners, seen)
        await later(25)
      }
      const isSigning = step === 'signing'
      const paid = async () => {
        for (const { id, to, amount } of next) {
          assert.equal((await w.log(id)).at(-1), 'final', `${step}: the next one`)
          assert.equal(await w.balance(to), amount)
        }
      }
      // A nonce that is not signed holds up those after it on the chain, until it is given up.
      if (!(isSigning && kind === 'EVM')) await paid()
      const open = await rowsOf(w.deps.owner, 'select kind from incidents where resolved_at is null')
      assert.ok(open.some(each => each.kind === 'payouts_frozen') || step === 'broadcasting', `${step} is reported`)
      await later(180)
      for (let i = 0; i < 3; i++) await round()
      await paid()
      end()
      noting()
      for (let i = 0; i < 3; i++) {
        await later(70)
        await round()
      }
      for (const [i, { id, to, amount }] of victims.entries()) {
        const log = await w.log(id)
        const ends = log.filter(each => /^(final|failed|voided)/.test(each))
        assert.equal(ends.length, 1, `${step} ${i}: ${log}`)
        assert.equal(await w.balance(to), ends[0] === 'final' ? amount : 0n, `${step} ${i}: ${log}`)
        // Only what was never signed is released.
        if (ends[0] !== 'final') assert.ok(['preparing', 'signing', 'dry-running'].includes(step), `${step}: ${log}`)
      }
      await w.deps.owner.query('update incidents set resolved_at = created_at')
    }
  })
