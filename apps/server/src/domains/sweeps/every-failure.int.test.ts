import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutgoingItem } from '../../owner.ts'
import type { SignRequest } from '../../signer/protocol.ts'
import { after, before, errorsIn } from '../../testing/failing.ts'
import { catchUp } from '../../testing/followed.ts'
import { rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { sweepWorld, tronSweepWorld } from '../../testing/sweep-world.ts'
import { reconcileChain } from '../ledger/reconcile.ts'

const ether = 10n ** 18n

/**
 * Native coin on the EVM, which each address sends by itself, and a token on TRON, which needs a step of the hot wallet
 * first.
 */
const open = {
  EVM: async (t: Parameters<typeof sweepWorld>[0]) => {
    const w = await sweepWorld(t)
    return { ...w, asset: 'ETH', token: null, each: ether, later: async (seconds: number) => w.deps.pass(seconds) }
  },
  TRON: async (t: Parameters<typeof sweepWorld>[0]) => {
    const w = await tronSweepWorld(t, 'burn')
    return { ...w, asset: 'USDT', token: w.token, each: 200_000_000n }
  },
}
type World = Awaited<ReturnType<(typeof open)[keyof typeof open]>>

/**
 * Has calls about victims throw: each in its own way. `errorOf` takes an address, an index, a sweep or a transaction.
 */
type Fault = (w: World, errorOf: (name: string) => unknown) => () => void

const sending = ({ chain }: World) => chain.expiring ?? chain
const indexOf = (request: SignRequest) => ('index' in request ? String(request.index) : '')
const firstOf = (names: readonly string[], errorOf: (name: string) => unknown) =>
  names.map(errorOf).find(each => each !== undefined)

/** Steps of a sweep, and how one of them fails. */
const steps: Record<string, Fault> = {
  'reading what is there': ({ chain }, errorOf) =>
    before(chain, 'certainBalances', (_token: unknown, addresses: string[]) => firstOf(addresses, errorOf)),
  preparing: (w, errorOf) =>
    before(sending(w), w.chain.expiring ? 'feeLimitFor' : 'gasFor', (of: { from: string }) => errorOf(of.from)),
  signing: ({ signer }, errorOf) => before(signer, 'sign', (of: SignRequest) => errorOf(indexOf(of))),
  broadcasting: (w, errorOf) => after(sending(w), 'send', (sent: { txid: string }) => errorOf(sent.txid)),
  'finding its block': ({ chain }, errorOf) => before(chain, 'receipt', (txid: string) => errorOf(txid)),
  'agreeing on its receipt': (w, errorOf) => before(sending(w), 'certainReceipt', (txid: string) => errorOf(txid)),
  settling: ({ owners }, errorOf) =>
    after(owners.sweep!, 'final', (_, _uow: unknown, items: readonly OutgoingItem[]) =>
      firstOf(
        items.map(each => each.id.replace(/^\w+:/, '')),
        errorOf,
      ),
    ),
}

/** Pays so many addresses, until their money may be swept. */
async function paid(w: World, count: number) {
  const orders = await Promise.all(Array.from({ length: count }, () => w.order(w.asset)))
  await catchUp(w.deps, w.chain)
  await w.pay(orders.map(({ to }) => [{ token: w.token, to, amount: w.each }]))
  await w.mine(CONFIRMATIONS)
  await w.later(3_600)
  const rows = await rowsOf(w.deps.owner, 'select address, key_index from deposit_addresses')
  return orders.map(({ to }) => ({ to, index: String(rows.find(each => each.address === to).key_index) }))
}

for (const kind of ['EVM', 'TRON'] as const)
  test(`${kind}: whatever throws in whatever step of a sweep, the next ones are swept, and it is swept once`, async t => {
    const w: World = await open[kind](t)
    const round = async () => {
      // What it throws is a bug of ours, and everything else was done.
      await w.sweep().catch(() => {})
      await w.pass().catch(() => {})
      await w.mine(CONFIRMATIONS)
      await w.pass().catch(() => {})
    }
    const sweptOf = async (to: string) =>
      (await w.sweeps()).filter(each => each.address === to && each.state === 'swept').length
    for (const [at, [step, fault]] of Object.entries(steps).entries()) {
      const errors = errorsIn(at, kind)
      const [first, second, ...victims] = await paid(w, 2 + errors.length)
      const names = new Map(victims.flatMap(({ to, index }, i) => [[to, i] as const, [index, i] as const]))
      const noting = after(w.signer, 'sign', (signed: { txid: string }, of: SignRequest) => {
        if (names.has(indexOf(of))) names.set(signed.txid, names.get(indexOf(of))!)
      })
      const end = fault(w, name => {
        const found = names.get(name)
        return found === undefined ? undefined : errors[found]!()
      })
      for (let i = 0; i < 3; i++) {
        await round()
        for (const { id, address } of await w.sweeps()) if (names.has(address)) names.set(id, names.get(address)!)
      }
      for (const each of [first, second]) assert.equal(await sweptOf(each!.to), 1, `${step}: the next one`)
      end()
      noting()
      // What a token or its node refused is tried again in a day.
      for (let i = 0; i < 6; i++) {
        if (i % 3 === 0) await w.later(90_000)
        await round()
      }
      for (const [i, { to }] of victims.entries()) assert.equal(await sweptOf(to), 1, `${step}: ${errors[i]}`)
    }
    const verdicts = (await reconcileChain(w.deps, w.chain)).map(each => each.verdict)
    assert.ok(!verdicts.includes('shortage'), String(verdicts))
  })
