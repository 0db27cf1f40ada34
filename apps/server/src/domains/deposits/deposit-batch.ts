import { formatDecimal, notificationType, paymentStatus } from '@coffer/contract'
import { creditDeposit, depositFee, isInTimeAfterAll, isLate, rest, reversal, valueDeposit } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { hints, notifications } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { ChainAssets } from '../chains/assets.ts'
import type { ChainRow } from '../chains/store.ts'
import { type Entry, postings, readGroup } from '../ledger/store.ts'
import type { MessageKey } from '../notifications/messages.ts'
import type { DepositRow } from '../payments/deposit-view.ts'
import { PaymentChange, saveChanges } from '../payments/payment-changes.ts'
import { creditedLate, type Late, lockPayments, toValuing } from '../payments/store.ts'
import { type Told, tellOfRecharges } from '../recharges/tell.ts'
import { statistics } from '../statistics/statistics-write.ts'
import { deposits, type StoredDeposit } from './store.ts'

const { in_doubt, refunding, refunded } = paymentStatus
/** States in which a doubt ends, or is entered and ended at once. */
const withRefunds: readonly number[] = [in_doubt, refunding, refunded]

/**
 * Deposits of one chain that change together, with their payments. Changes are computed in memory and written
 * together, so the number of statements does not depend on the number of deposits.
 */
export class DepositBatch {
  readonly #deps: Deps
  readonly #uow: UnitOfWork
  readonly #now: number
  readonly #chain: ChainRow
  readonly #assets: ChainAssets
  readonly #changes: ReadonlyMap<string, PaymentChange>
  readonly #late: ReadonlyMap<string, Late>
  readonly #deposits = new Map<string, StoredDeposit>()
  /** What happened to deposits without a payment, in order. */
  readonly #recharges: { event: Told['event']; deposit: StoredDeposit }[] = []

  private constructor(
    deps: Deps,
    uow: UnitOfWork,
    chain: ChainRow,
    assets: ChainAssets,
    changes: ReadonlyMap<string, PaymentChange>,
    late: ReadonlyMap<string, Late>,
    now: number,
  ) {
    this.#deps = deps
    this.#uow = uow
    this.#chain = chain
    this.#assets = assets
    this.#changes = changes
    this.#late = late
    this.#now = now
  }

  /** Locks the payments of the deposits. The chain must already be locked. */
  static async open(
    deps: Deps,
    uow: UnitOfWork,
    of: { chain: ChainRow; assets: ChainAssets; tradeNos: readonly (string | null)[]; now: number },
  ): Promise<DepositBatch> {
    const tradeNos = [...new Set(of.tradeNos.filter(each => each !== null))]
    const rows = tradeNos.length > 0 ? await lockPayments(uow.c, tradeNos, of.chain) : []
    const late = await creditedLate(
      uow.c,
      rows.filter(
        ({ exception, paid_at, status }) => (exception === 'late' && paid_at === 0) || withRefunds.includes(status),
      ),
    )
    const changes = new Map(rows.map(row => [row.trade_no, new PaymentChange(row, late.get(row.trade_no)?.late)]))
    return new DepositBatch(deps, uow, of.chain, of.assets, changes, late, of.now)
  }

  /**
   * Marks a deposit as seen in a block. Its counted value and lateness follow from its block and its payment. Not told when it is
   * `final`: its credit must follow in this batch, and is told.
   */
  seen(deposit: StoredDeposit, { final = false } = {}): void {
    const change = this.#changeOf(deposit)
    const missing = change ? rest(change.payment) - change.payment.pending : 0n
    const { counted, usdt } = valueDeposit(
      deposit.amount,
      this.#assetOf(deposit),
      change && toValuing(change.row),
      missing,
    )
    deposit.counted = counted
    deposit.usdt_amount = usdt
    deposit.late = change ? isLate(change.payment, deposit.block_time) : false
    deposit.state = 'seen'
    change?.meet({ type: 'deposit_seen', counted, late: deposit.late }, this.#now, { untold: final })
    this.keep(deposit)
  }

  /** Credits a seen deposit that has reached confirmation depth, and posts it to the ledger. */
  credit(deposit: StoredDeposit): void {
    const change = this.#changeOf(deposit)
    const { merchant_id: merchantId, asset_id: assetId, id, kind } = deposit
    const ripe = { id, merchantId, assetId, kind, amount: deposit.amount }
    const feePermille = change?.row.fee_permille ?? this.#deps.config.feePermille
    const fee = depositFee(ripe, feePermille)
    this.#uow.add(postings, [{ group: creditDeposit(ripe, feePermille), memo: memoOf(deposit), at: this.#now }])
    deposit.state = 'credited'
    deposit.credited_at = this.#now
    deposit.fee = fee
    if (change) {
      change.meet({ type: 'deposit_credited', counted: deposit.counted, late: deposit.late }, this.#now)
      this.#count(deposit, change, 1n)
      const { out_trade_no } = change.row
      if (deposit.counted === 0n) this.#tell(deposit, 'payment_not_counted', { out_trade_no })
    } else {
      this.#tell(deposit, 'recharge_credited')
      this.#recharges.push({ event: 'deposit.credited', deposit: { ...deposit } })
    }
    this.keep(deposit)
  }

  /** Drops a seen deposit that left the chain before it was confirmed. */
  drop(deposit: StoredDeposit): void {
    deposit.state = 'dropped'
    this.#changeOf(deposit)?.meet({ type: 'deposit_dropped', counted: deposit.counted }, this.#now)
    this.keep(deposit)
  }

  /** Marks a credited deposit that left the chain as doubted. It stays credited until an operator decides. */
  doubt(deposit: StoredDeposit): void {
    deposit.doubted = true
    this.#changeOf(deposit)?.meet({ type: 'deposit_doubted' }, this.#now)
    this.keep(deposit)
  }

  /**
   * Clears the doubt of a deposit that is back on the chain, and judges again whether it is late. Money that was in time stays so.
   * `last`: no other deposit of its payment is in doubt.
   */
  restore(deposit: StoredDeposit, { last }: { last: boolean }): void {
    deposit.doubted = false
    const change = this.#changeOf(deposit)
    const late = change && this.#late.get(change.row.trade_no)
    if (late && deposit.late && isInTimeAfterAll(change.payment, deposit.block_time, late.refunded)) {
      deposit.late = false
      late.deposits--
      change.payment = { ...change.payment, late: change.payment.late - deposit.counted }
    }
    if (last) this.#restored(change, late?.deposits === 0)
    this.keep(deposit)
  }

  /** Ends the doubt of a payment, which stands as its money or its refund. */
  #restored(change: PaymentChange | undefined, allInTime = false): void {
    if (!change) return
    const { refunded: back, refunding: isUnderWay } = this.#late.get(change.row.trade_no) ?? {}
    const isWhole = back !== undefined && back > 0n && back >= change.payment.paid
    const refund = isUnderWay ? 'started' : isWhole ? 'whole' : undefined
    change.meet({ type: 'deposit_restored', allInTime, refund }, this.#now)
  }

  /** Undoes a doubted deposit that an operator has given up; `reversal` reverses its credit. */
  undo(deposit: StoredDeposit, reversal: Entry): void {
    this.#uow.add(postings, [{ ...reversal, at: this.#now }])
    deposit.doubted = false
    deposit.state = 'undone'
    const change = this.#changeOf(deposit)
    if (change) {
      change.meet({ type: 'deposit_undone', counted: deposit.counted }, this.#now)
      this.#count(deposit, change, -1n)
    } else this.#recharges.push({ event: 'deposit.reversed', deposit: { ...deposit } })
    this.keep(deposit)
  }

  /**
   * Undoes a credited deposit that differs from the chain; `credit` credits another one in its place. Its payment is in doubt
   * only in between.
   */
  replace(deposit: StoredDeposit, reversal: Entry, credit: () => void): void {
    const change = this.#changeOf(deposit)
    const wasInDoubt = change?.payment.state === 'in_doubt'
    this.doubt(deposit)
    this.undo(deposit, reversal)
    this.#deposits.delete(deposit.id)
    credit()
    if (!wasInDoubt) this.#restored(change)
  }

  /** Includes a deposit in the save, with no change other than its place in the chain. */
  keep(deposit: StoredDeposit): void {
    this.#deposits.set(deposit.id, deposit)
  }

  /** Adds the changed deposits and their payments to the unit of work. */
  async save(): Promise<void> {
    const changed = [...this.#deposits.values()]
    for (const deposit of changed) {
      const change = this.#changeOf(deposit)
      const { trade_no } = change?.row ?? {}
      if (trade_no) change?.deposits.push(this.#rowOf(deposit, trade_no))
    }
    await saveChanges(this.#deps, this.#uow, [...this.#changes.values()], this.#now)
    const told = this.#recharges.map(({ event, deposit }) => ({
      event,
      merchant_id: deposit.merchant_id,
      row: { ...this.#rowOf(deposit, ''), chain_id: deposit.chain_id },
    }))
    await tellOfRecharges(this.#uow, this.#chain, told, this.#now)
    this.#uow.add(deposits, changed)
    this.#uow.add(
      hints,
      changed.map(({ merchant_id, id }) => ({ merchant_id, type: 'deposit', id })),
    )
  }

  #rowOf(deposit: StoredDeposit, trade_no: string): DepositRow {
    const { symbol: token, decimals } = this.#assetOf(deposit)
    const { definition, head_number } = this.#chain
    return { ...deposit, trade_no, token, decimals, definition, head_number }
  }

  #changeOf({ trade_no }: StoredDeposit): PaymentChange | undefined {
    return trade_no === null ? undefined : this.#changes.get(trade_no)
  }

  #assetOf({ asset_id }: StoredDeposit) {
    const asset = this.#assets.get(asset_id)
    if (!asset) throw new Error(`no asset ${asset_id}`)
    return asset
  }

  #count(deposit: StoredDeposit, change: PaymentChange, sign: 1n | -1n): void {
    const [amount, fee, usdt] = [deposit.amount, deposit.fee, deposit.usdt_amount]
    change.fees += (sign * (fee * deposit.counted)) / amount
    const gain = {
      merchant_id: deposit.merchant_id,
      appid: change.row.appid,
      asset_id: deposit.asset_id,
      at: this.#now,
      volume: sign * amount,
      volume_usdt: sign * usdt,
      income_usdt: sign * (usdt - (usdt * fee) / amount),
    }
    this.#uow.add(statistics, [gain])
  }

  #tell(deposit: StoredDeposit, message: MessageKey, beside: Record<string, string> = {}): void {
    const { symbol, decimals } = this.#assetOf(deposit)
    const amount = formatDecimal(deposit.amount, decimals)
    const params = { ...beside, amount, token: symbol, chain: this.#chain.definition.name }
    const { merchant_id } = deposit
    this.#uow.add(notifications, [
      { merchant_id, types: notificationType.payment, message, params, created_at: this.#now },
    ])
  }
}

const memoOf = ({ trade_no, txid, from_address, to_address }: StoredDeposit) => ({
  ...(trade_no === null ? {} : { trade_no }),
  txid,
  from_address,
  to_address,
})

/** Returns the entry that reverses the credit of a deposit. */
export async function reversalOf(c: Queryable, { id, trade_no, txid }: StoredDeposit): Promise<Entry> {
  const credit = await readGroup(c, `deposit:${id}`)
  if (!credit) throw new Error(`deposit ${id} is credited and not in the ledger`)
  return { group: reversal(credit), memo: { ...(trade_no === null ? {} : { trade_no }), txid } }
}
