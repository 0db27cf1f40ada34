import assert from 'node:assert/strict'
import { isPayableStatus, paymentMode, paymentStatus } from '@coffer/contract'
import { reconciledTxidPrefix } from '../../domains/payments/to-deposit-view.ts'
import { rowsOf } from '../money.ts'
import { skewMax, type World } from './world.ts'

/** Largest difference (s) of two times of a server whose clock is set. */
const margin = 2 * skewMax

const { paid, timed_out, closed, in_doubt, refunding, refunded } = paymentStatus

/** Asserts that each payment's status and amounts follow from its deposits, its expiry and its exchange rates. */
export async function assertPayments(world: World): Promise<void> {
  const deposits = Map.groupBy(
    await rowsOf(
      world.owner,
      `select d.*, s.symbol, s.price_of, s.decimals
       from deposits d join assets s on s.id = d.asset_id`,
    ),
    each => each.trade_no,
  )
  const assets = new Map((await rowsOf(world.owner, 'select * from assets')).map(each => [each.id, each]))
  /** Payments that were in doubt after the last event with such a name. */
  const doubtedAfter = async (names: string) =>
    new Set(
      (
        await rowsOf(
          world.owner,
          `select trade_no from payment_history group by trade_no
           having max(seq) filter (where status = ${in_doubt}) > coalesce(max(seq) filter (where event ~ $1), -1)`,
          [names],
        )
      ).map(each => each.trade_no),
    )
  // A mark settles what was in doubt before it, as does a refund, which is offered once the operator has decided.
  const touched = await doubtedAfter('^marked')
  const unsettled = await doubtedAfter('^(marked|refund)')
  const given = new Set((await rowsOf(world.owner, 'select trade_no from refunds')).map(each => each.trade_no))
  for (const payment of await world.payments()) {
    const name = payment.out_trade_no
    assert(!isPayableStatus(payment.status), `${name} stays open after its time`)
    assert.equal(payment.pending_amount, '0', `${name} waits for no deposit`)
    const all = deposits.get(payment.trade_no) ?? []
    const own = all.filter(each => each.state === 'credited' && !each.returned)
    assertRates(world, payment, assets.get(payment.asset_id))
    for (const deposit of own) assertCounted(world, payment, deposit, assets.get(payment.asset_id))
    const waits =
      unsettled.has(payment.trade_no) && all.some(each => !each.returned && (each.doubted || each.state === 'undone'))
    assert.equal(
      payment.status === in_doubt,
      waits,
      `${name} waits for a person exactly while a credit is in doubt or given up`,
    )
    // One whose refund waits for a person, or that was refunded, has no money left that decides.
    if (!waits && payment.status !== refunding && payment.status !== refunded)
      assertStands(payment, own, { moved: touched.has(payment.trade_no), isGiven: given.has(payment.trade_no) })
  }
  await assertOwners(world)
}

// biome-ignore lint/suspicious/noExplicitAny: rows of tables
type Row = any

const sum = (rows: Row[]) => rows.reduce((total, each) => total + BigInt(each.counted), 0n)

/**
 * Asserts the status and exception of a payment. `moved`: a deep reorg removed blocks with its credited deposits. What
 * was in time stays so, whichever block it is in now; what was late is in time when its block is. `isGiven`: the
 * payment was to be refunded, and what came meanwhile is late.
 */
function assertStands(payment: Row, credited: Row[], { moved, isGiven }: { moved: boolean; isGiven: boolean }): void {
  const name = payment.out_trade_no
  const requested = BigInt(payment.amount)
  const enough = requested - (requested * BigInt(payment.tolerance_permille)) / 1000n
  if (payment.exception === 'marked_paid' || payment.exception === 'marked_invalid') {
    const should = payment.exception === 'marked_paid' ? paid : closed
    assert.equal(payment.status, should, `${name} stands as the merchant marked it`)
    return
  }
  const came = sum(credited)
  const inTime = sum(credited.filter(each => !each.late))
  if (requested > 0n && inTime >= enough && payment.status !== timed_out && payment.status !== closed)
    assert.equal(payment.status, paid, `${name} has its money in time and is not paid`)
  if (payment.status === paid) assert(inTime >= enough, `${name} is paid with ${inTime} in time of ${enough}`)
  const exception = credited.some(each => each.late)
    ? 'late'
    : came > requested
      ? 'over'
      : came > 0n && came < enough
        ? 'partial'
        : 'none'
  // What came within the tolerance after a payment without exception, in time or late, changed nothing.
  const isLittle = payment.status === paid && came <= requested + (requested - enough)
  if (!isLittle || payment.exception !== 'none')
    assert.equal(payment.exception, exception, `${name} has the exception of its money`)
  for (const deposit of credited) {
    const after = deposit.block_time > payment.expire_at && !moved
    // The margin allows for a clock that was set back.
    const closed = payment.closed_at > 0 && payment.closed_at < Math.min(deposit.block_time, deposit.seen_at - margin)
    if (moved && !isGiven && deposit.late) assertLate(payment, deposit, name)
    if (after || closed) assert(deposit.late, `${name}: money in a block after its time is late`)
  }
}

/**
 * Asserts that late money is in a block after the payment's time, or that the merchant or the clock ended the payment
 * before.
 */
function assertLate(payment: Row, deposit: Row, name: string): void {
  const isTime =
    deposit.block_time > payment.expire_at || payment.closed_at > 0 || deposit.txid.startsWith(reconciledTxidPrefix)
  assert(isTime, `${name}: money in a block within its time is late`)
}

/** Asserts that the value and the amount due use the exchange rates at creation, not later ones. */
function assertRates({ promised }: World, payment: Row, asset: Row): void {
  const promise = promised.get(payment.out_trade_no)!
  const value = Number(payment.usdt_amount) / 1e6
  assert(
    value >= promise.usdt * (1 - 1e-9) && value <= promise.usdt * (1 + 1e-9) + 2e-6,
    `${payment.out_trade_no} is worth ${value}`,
  )
  if (!asset) return
  const requested = Number(payment.amount) / 10 ** asset.decimals
  const should = value / promise.rates.get(asset.price_of)!
  // At a fixed address, a small increment may make the amount unique.
  const more = payment.payment_mode === paymentMode.contract ? 1.1e-6 : 1.1e-4
  assert(
    requested >= should * (1 - 1e-9) && requested <= should * (1 + 1e-9) + more,
    `${payment.out_trade_no} asks ${requested}, not ${should}`,
  )
}

/**
 * Asserts the counted amount of a deposit: its own amount in the payment's asset, otherwise converted at the fixed
 * rates.
 */
function assertCounted({ promised }: World, payment: Row, deposit: Row, asset: Row): void {
  if (!asset) return
  const what = `${payment.out_trade_no}: ${deposit.amount} of ${deposit.asset_id} count for ${deposit.counted}`
  if (deposit.asset_id === payment.asset_id && deposit.counted !== '0') {
    assert.equal(deposit.counted, deposit.amount, what)
    return
  }
  if (deposit.counted === '0') return
  assert(payment.mixed_payment || deposit.symbol === asset.symbol, what)
  const { rates } = promised.get(payment.out_trade_no)!
  const worth = (Number(deposit.amount) / 10 ** deposit.decimals) * rates.get(deposit.price_of)!
  const counted = (Number(deposit.counted) / 10 ** asset.decimals) * rates.get(asset.price_of)!
  assert(Math.abs(counted - worth) <= worth * 0.02 + 0.01, `${what}: ${counted} for ${worth}`)
}

/**
 * Asserts that each deposit belongs to the payment that held the address lease at block time, or to the first lease of
 * the address, or to an earlier lease that asks for exactly this deposit while the later one does not. Ignores leases
 * that began after the deposit was credited, which happens when the server's clock is behind the chain's. Also ignores
 * payments that a deep reorg put in doubt: their deposits keep their payment.
 */
async function assertOwners({ owner }: World): Promise<void> {
  const wrong = await rowsOf(
    owner,
    `select d.txid, d.trade_no, l.trade_no as should from deposits d
     join deposit_addresses a on a.address = d.to_address and a.purpose = 'lease'
     cross join lateral (
       select trade_no, since from address_leases l where l.address = d.to_address
       order by l.since <= d.block_time desc, abs(l.since - d.block_time) limit 1
     ) l where d.state = 'credited' and d.trade_no is distinct from l.trade_no and l.since < d.seen_at - ${margin}
       and not exists (select from address_leases f join payments p on p.trade_no = f.trade_no
         where f.address = d.to_address and f.trade_no = d.trade_no and f.since < l.since
           and p.asset_id = d.asset_id and p.amount = d.amount)
       and not exists (select from payment_history h where h.trade_no = d.trade_no and h.status = ${in_doubt})`,
  )
  assert.deepEqual(wrong, [], 'money belongs to the payment whose lease had begun')
}
