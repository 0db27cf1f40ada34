import { paymentStatus } from '@coffer/contract'
import {
  convertUsdtToAsset,
  fixPaymentFeeBps,
  isDepositInTimeAfterReorg,
  isDepositLate,
  uncreditedAmount,
  type ValuedAsset,
  valueDeposit,
} from '@coffer/core'
import type { Queryable } from '../../kit/db.ts'
import type { ChainRow } from '../chains/store.ts'
import { PaymentChange } from './payment-changes.ts'
import { type LateCredits, lockPayments, readCreditedLate, type StoredPayment, toValuingPayment } from './store.ts'

const { in_doubt, refunding, refunded } = paymentStatus
/** States in which a doubt ends, or is entered and ended at once. */
const withRefunds: readonly number[] = [in_doubt, refunding, refunded]

/** Fields of a deposit that matter to its payment. */
interface Deposit {
  asset_id: string
  block_time: number
  amount: bigint
  counted: bigint
  usdt_amount: bigint
  fee: bigint
  late: boolean
}

/** A locked payment whose deposits change. Each method applies what happened to one deposit. */
export class DepositedPayment extends PaymentChange {
  readonly #late: LateCredits | undefined

  constructor(row: StoredPayment, late: LateCredits | undefined) {
    super(row, late?.late)
    this.#late = late
  }

  /** Values a deposit that is seen in a block, and reports whether it is late. `unreported`: see `apply`. */
  see(deposit: Deposit, asset: ValuedAsset, now: number, { unreported }: { unreported: boolean }) {
    const missing = uncreditedAmount(this.payment) - this.payment.pending
    const { counted, usdt } = valueDeposit(deposit.amount, asset, toValuingPayment(this.row), missing)
    const late = isDepositLate(this.payment, deposit.block_time)
    this.apply({ type: 'deposit_seen', counted, late }, now, { unreported })
    return { counted, usdt_amount: usdt, late }
  }

  /** Credits a deposit, of which the fee was taken by a rate (hundredths of a percent). */
  credit(deposit: Deposit, now: number, feeBps: number): void {
    this.feeBps = fixPaymentFeeBps(this.row, feeBps)
    const { counted, late } = deposit
    const aside = counted > 0n ? 0n : convertUsdtToAsset(deposit.usdt_amount, toValuingPayment(this.row))
    this.apply({ type: 'deposit_credited', counted, late, aside }, now)
    this.#count(deposit, 1n, now)
  }

  drop({ counted }: Deposit, now: number): void {
    this.apply({ type: 'deposit_dropped', counted }, now)
  }

  /** A deposit is given back in place of its credit. */
  giveBack({ counted }: Deposit, now: number): void {
    this.apply({ type: 'deposit_returned', counted }, now)
  }

  doubt(now: number): void {
    this.apply({ type: 'deposit_doubted' }, now)
  }

  /**
   * Evaluates again whether a deposit is late that is back on the chain; money that was in time stays so. `last`: no
   * other deposit is in doubt. Returns whether it is late.
   */
  restore(deposit: Deposit, now: number, { last }: { last: boolean }): boolean {
    const late = this.#late
    const isInTime = late && deposit.late && isDepositInTimeAfterReorg(this.payment, deposit.block_time, late.refunded)
    if (isInTime) {
      late.deposits--
      this.payment = { ...this.payment, late: this.payment.late - deposit.counted }
    }
    if (last) this.endDoubt(now, late?.deposits === 0)
    return deposit.late && !isInTime
  }

  /** Ends the doubt: the payment stands as its money or its refund. */
  endDoubt(now: number, allInTime = false): void {
    const { refunded: back, refunding: isUnderWay } = this.#late ?? {}
    const isWhole = back !== undefined && back > 0n && back >= this.payment.paid
    const refund = isUnderWay ? 'started' : isWhole ? 'whole' : undefined
    this.apply({ type: 'deposit_restored', allInTime, refund }, now)
  }

  undo(deposit: Deposit, now: number): void {
    this.apply({ type: 'deposit_undone', counted: deposit.counted }, now)
    this.#count(deposit, -1n, now)
  }

  /** Adds a deposit to the fees and figures, or takes it out. */
  #count({ asset_id, amount, fee, counted, usdt_amount: usdt }: Deposit, sign: 1n | -1n, at: number): void {
    const { merchant_id, appid } = this.row
    this.fees += (sign * (fee * counted)) / amount
    const income = usdt - (usdt * fee) / amount
    const values = { volume: sign * amount, volume_usdt: sign * usdt, income_usdt: sign * income }
    this.figures.push({ merchant_id, appid, asset_id, at, ...values })
  }
}

/** Locks payments whose deposits change, by trade_no. Their chain must be locked. */
export async function lockDepositedPayments(
  c: Queryable,
  tradeNos: readonly string[],
  chain: ChainRow,
): Promise<ReadonlyMap<string, DepositedPayment>> {
  const rows = tradeNos.length > 0 ? await lockPayments(c, tradeNos, chain) : []
  const late = await readCreditedLate(
    c,
    rows.filter(
      ({ exception, paid_at, status }) => (exception === 'late' && paid_at === 0) || withRefunds.includes(status),
    ),
  )
  return new Map(rows.map(row => [row.trade_no, new DepositedPayment(row, late.get(row.trade_no))]))
}
