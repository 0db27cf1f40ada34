import { chainAdapters } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import type { ListedEvent } from '@coffer/contract/events.ts'
import {
  choosePaymentFeeBps,
  creditDeposit,
  depositFee,
  minimumPaid,
  reverseGroup,
  type ValuedAsset,
  valueDeposit,
} from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { formatPaymentName } from '../../kit/format-payment-name.ts'
import { events, liveHints } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { type ChainAssets, isSibling } from '../chains/assets.ts'
import type { ChainRow } from '../chains/store.ts'
import { type LedgerEntry, postings, readPostingGroup } from '../ledger/store.ts'
import { getMerchantTerms } from '../merchants/terms.ts'
import { type DepositedPayment, lockDepositedPayments } from '../payments/deposited-payment.ts'
import { savePaymentChanges } from '../payments/payment-changes.ts'
import type { DepositRow } from '../payments/to-deposit-view.ts'
import { type DepositEvent, notifyRecharges } from '../recharges/notify.ts'
import { deposits, type StoredDeposit } from './store.ts'

/** The inputs of a batch. */
interface Given {
  deps: Deps
  uow: UnitOfWork
  chain: ChainRow
  assets: ChainAssets
  payments: ReadonlyMap<string, DepositedPayment>
  now: number
}

/**
 * Deposits of one chain that change together, with their payments. Changes are computed in memory and written
 * together, so the number of statements does not depend on the number of deposits.
 */
export class DepositBatch {
  readonly #given: Given
  readonly #deposits = new Map<string, StoredDeposit>()
  /** Events of deposits without a payment, in order. */
  readonly #recharges: { event: DepositEvent['event']; deposit: StoredDeposit }[] = []

  private constructor(given: Given) {
    this.#given = given
  }

  /** Locks the payments of the deposits. The chain must already be locked. */
  static async open(
    deps: Deps,
    uow: UnitOfWork,
    { tradeNos, ...of }: Pick<Given, 'chain' | 'assets' | 'now'> & { tradeNos: readonly (string | null)[] },
  ): Promise<DepositBatch> {
    const known = [...new Set(tradeNos.filter(each => each !== null))]
    return new DepositBatch({ deps, uow, ...of, payments: await lockDepositedPayments(uow.c, known, of.chain) })
  }

  /** What a payment in an asset still needs to be paid, within its tolerance; 0 for one in another asset. */
  needed(tradeNo: string | null, assetId: string): bigint {
    const found = tradeNo === null ? undefined : this.#given.payments.get(tradeNo)
    if (found?.row.asset_id !== assetId) return 0n
    const { payment } = found
    return minimumPaid(payment) - payment.paid - payment.pending
  }

  /**
   * Marks a deposit as seen in a block. Its counted value and lateness follow from its block and its payment. If it is
   * `final`, its credit must follow in this batch and is reported in its place.
   */
  seen(deposit: StoredDeposit, { final = false } = {}): void {
    const asset = this.#assetOf(deposit)
    const value =
      this.#paymentOf(deposit)?.see(deposit, asset, this.#given.now, { unreported: final }) ??
      rechargeOf(deposit, asset)
    Object.assign(deposit, value, { state: 'seen' })
    this.keep(deposit)
  }

  /** Credits a seen deposit that has reached confirmation depth, and posts it to the ledger. */
  credit(deposit: StoredDeposit): void {
    const { deps, uow, now } = this.#given
    const payment = this.#paymentOf(deposit)
    const { merchant_id: merchantId, asset_id: assetId, id, kind, amount } = deposit
    const confirmed = { id, merchantId, assetId, kind, amount }
    const terms = getMerchantTerms(deps, { fee_bps: payment?.row.merchant_fee_bps ?? null })
    const feeBps = payment ? choosePaymentFeeBps({ fee_bps: payment.feeBps }, terms) : terms.fee_bps
    uow.add(postings, [{ group: creditDeposit(confirmed, feeBps), memo: memoOf(deposit), at: now }])
    deposit.state = 'credited'
    deposit.held_at = null
    deposit.credited_at = now
    deposit.fee = depositFee(confirmed, feeBps)
    if (payment) {
      payment.credit(deposit, now, feeBps)
      const params = { trade_no: payment.row.trade_no, out_trade_no: formatPaymentName(payment.row) }
      if (deposit.counted === 0n) this.#notify(deposit, 'payment_not_counted', params)
    } else {
      this.#notify(deposit, 'recharge_credited', this.#addressOf(deposit))
      this.#recharges.push({ event: 'deposit.credited', deposit: { ...deposit } })
    }
    this.keep(deposit)
  }

  /**
   * Credits a seen deposit that is given back in the same transaction: without a fee, and reported to no application as
   * money of its. From then on it is nothing to its payment.
   */
  creditToReturn(deposit: StoredDeposit): void {
    const { uow, now } = this.#given
    const { merchant_id: merchantId, asset_id: assetId, id, kind, amount } = deposit
    const group = creditDeposit({ id, merchantId, assetId, kind, amount }, 0)
    uow.add(postings, [{ group, memo: memoOf(deposit), at: now }])
    this.#paymentOf(deposit)?.giveBack(deposit, now)
    Object.assign(deposit, { state: 'credited', held_at: null, credited_at: now, fee: 0n, counted: 0n, returned: true })
    this.#notify(deposit, 'deposit_returned')
    this.keep(deposit)
  }

  /** Leaves a final deposit to wait, see `TokenGate`. */
  hold(deposit: StoredDeposit): void {
    deposit.held_at ??= this.#given.now
    this.keep(deposit)
  }

  /** Drops a seen deposit that left the chain before it was confirmed, or whose token is refused. */
  drop(deposit: StoredDeposit): void {
    deposit.state = 'dropped'
    deposit.held_at = null
    this.#paymentOf(deposit)?.drop(deposit, this.#given.now)
    this.keep(deposit)
  }

  /** Marks a credited deposit that left the chain as doubted. It stays credited until an operator decides. */
  doubt(deposit: StoredDeposit): void {
    deposit.doubted = true
    this.#paymentOf(deposit)?.doubt(this.#given.now)
    this.keep(deposit)
  }

  /** Clears the doubt of a deposit that is back on the chain. `last`: no other deposit of its payment is in doubt. */
  restore(deposit: StoredDeposit, { last }: { last: boolean }): void {
    deposit.doubted = false
    deposit.late = this.#paymentOf(deposit)?.restore(deposit, this.#given.now, { last }) ?? deposit.late
    this.keep(deposit)
  }

  /** Undoes a doubted deposit that an operator has given up. */
  undo(deposit: StoredDeposit, entry: LedgerEntry): void {
    const { uow, now } = this.#given
    uow.add(postings, [{ ...entry, at: now }])
    deposit.doubted = false
    deposit.state = 'undone'
    const payment = this.#paymentOf(deposit)
    if (payment) payment.undo(deposit, now)
    else {
      this.#notify(deposit, 'recharge_reversed', this.#addressOf(deposit))
      // Of one that was given back no application was told.
      if (!deposit.returned) this.#recharges.push({ event: 'deposit.reversed', deposit: { ...deposit } })
    }
    this.keep(deposit)
  }

  /**
   * Undoes a credited deposit that differs from the chain; `take` takes another one in its place. Its payment is in
   * doubt only in between.
   */
  replace(deposit: StoredDeposit, reverseGroup: LedgerEntry, take: () => void): void {
    const payment = this.#paymentOf(deposit)
    const wasInDoubt = payment?.payment.state === 'in_doubt'
    this.doubt(deposit)
    this.undo(deposit, reverseGroup)
    this.#deposits.delete(deposit.id)
    take()
    if (!wasInDoubt) payment?.endDoubt(this.#given.now)
  }

  /** Includes a deposit in the save, with no change other than its place in the chain. */
  keep(deposit: StoredDeposit): void {
    this.#deposits.set(deposit.id, deposit)
  }

  /** Adds the changed deposits and their payments to the unit of work. */
  async save(): Promise<void> {
    const { deps, uow, chain, payments, now } = this.#given
    const changed = [...this.#deposits.values()]
    for (const deposit of changed) {
      const payment = this.#paymentOf(deposit)
      payment?.deposits.push(this.#rowOf(deposit, payment.row.trade_no))
    }
    await savePaymentChanges(deps, uow, [...payments.values()], now)
    const reported = this.#recharges.map(({ event, deposit }) => ({
      event,
      merchant_id: deposit.merchant_id,
      row: { ...this.#rowOf(deposit, ''), chain_id: deposit.chain_id },
    }))
    await notifyRecharges(uow, chain, reported, now)
    uow.add(deposits, changed)
    uow.add(
      liveHints,
      changed.map(({ merchant_id, id }) => ({ merchant_id, type: 'deposit', id })),
    )
  }

  #rowOf(deposit: StoredDeposit, trade_no: string): DepositRow {
    const asset = this.#assetOf(deposit)
    const { symbol: token, decimals } = asset
    const { definition, head_number } = this.#given.chain
    return {
      ...deposit,
      held: deposit.held_at !== null,
      accepted: !isSibling(asset),
      return_status: deposit.returned ? withdrawalStatus.transferring : null,
      trade_no,
      token,
      decimals,
      definition,
      head_number,
    }
  }

  /** The payment to which a deposit is something: one that is given back is nothing to its own. */
  #paymentOf({ trade_no, returned }: StoredDeposit): DepositedPayment | undefined {
    // guard: returned-apart
    if (returned) return undefined
    return trade_no === null ? undefined : this.#given.payments.get(trade_no)
  }

  #assetOf({ asset_id }: StoredDeposit) {
    const asset = this.#given.assets.get(asset_id)
    if (!asset) throw new Error(`no asset ${asset_id}`)
    return asset
  }

  /** What finds a recharge in its records. */
  #addressOf({ to_address }: StoredDeposit) {
    return { address: chainAdapters[this.#given.chain.definition.kind].address.show(to_address) }
  }

  #notify(deposit: StoredDeposit, name: ListedEvent, beside: Record<string, string> = {}): void {
    const { uow, chain, now } = this.#given
    const { symbol, decimals } = this.#assetOf(deposit)
    const amount = formatDecimal(deposit.amount, decimals)
    const params = { ...beside, amount, token: symbol, chain: chain.definition.name }
    const { merchant_id } = deposit
    uow.add(events, [{ merchant_id, name, params, created_at: now }])
  }
}

/** The value of a deposit without a payment, which is never late. */
const rechargeOf = ({ amount }: StoredDeposit, asset: ValuedAsset) => {
  const { counted, usdt } = valueDeposit(amount, asset, undefined, 0n)
  return { counted, usdt_amount: usdt, late: false }
}

const memoOf = ({ trade_no, txid, from_address, to_address }: StoredDeposit) => ({
  ...(trade_no === null ? {} : { trade_no }),
  txid,
  from_address,
  to_address,
})

/** Returns the entry that reverses the credit of a deposit. */
export async function readCreditReversal(c: Queryable, { id, trade_no, txid }: StoredDeposit): Promise<LedgerEntry> {
  const credit = await readPostingGroup(c, `deposit:${id}`)
  if (!credit) throw new Error(`deposit ${id} is credited and not in the ledger`)
  return { group: reverseGroup(credit), memo: { ...(trade_no === null ? {} : { trade_no }), txid } }
}
