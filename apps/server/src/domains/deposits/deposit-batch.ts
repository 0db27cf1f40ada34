import { formatDecimal, notificationType } from '@coffer/contract'
import { creditDeposit, depositFee, isLate, rest } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import type { LiveHint } from '../../kit/live.ts'
import { insertNotifications, type NewNotification, sendHints } from '../../kit/outbox.ts'
import { type Entry, post } from '../ledger/store.ts'
import type { MessageKey } from '../notifications/messages.ts'
import { PaymentChange, saveChanges } from '../payments/payment-changes.ts'
import { creditedLate, lockPayments } from '../payments/store.ts'
import type { Gain } from '../statistics/statistics-write.ts'
import { type StoredDeposit, writeDeposits } from './store.ts'
import { type ValuedAsset, valueDeposit } from './value-deposit.ts'

/**
 * Deposits of one chain that change together, with the payments they belong to. Everything is decided in memory and
 * written by `save` in a constant number of statements, however many there are.
 */
export class DepositBatch {
  readonly #deps: Deps
  readonly #c: Queryable
  readonly #now: number
  readonly #chainName: string
  readonly #assets: ReadonlyMap<string, ValuedAsset>
  readonly #changes: ReadonlyMap<string, PaymentChange>
  readonly #deposits = new Map<string, StoredDeposit>()
  readonly #entries: Entry[] = []
  readonly #gains: Gain[] = []
  readonly #notifications: NewNotification[] = []

  private constructor(
    deps: Deps,
    c: Queryable,
    chainName: string,
    assets: ReadonlyMap<string, ValuedAsset>,
    changes: ReadonlyMap<string, PaymentChange>,
    now: number,
  ) {
    this.#deps = deps
    this.#c = c
    this.#chainName = chainName
    this.#assets = assets
    this.#changes = changes
    this.#now = now
  }

  /** Locks the payments that the deposits belong to. The chain must be locked already. */
  static async open(
    deps: Deps,
    c: Queryable,
    of: {
      chainName: string
      assets: ReadonlyMap<string, ValuedAsset>
      tradeNos: readonly (string | null)[]
      now: number
    },
  ): Promise<DepositBatch> {
    const tradeNos = [...new Set(of.tradeNos.filter(each => each !== null))]
    const rows = tradeNos.length > 0 ? await lockPayments(c, tradeNos) : []
    const late = await creditedLate(
      c,
      rows.filter(row => row.exception === 'late' && row.paid_at === 0),
    )
    const changes = new Map(rows.map(row => [row.trade_no, new PaymentChange(row, late.get(row.trade_no))]))
    return new DepositBatch(deps, c, of.chainName, of.assets, changes, of.now)
  }

  /** A deposit is in a block. What it counts for, and whether it is late, follows from its block and its payment. */
  seen(deposit: StoredDeposit): void {
    const change = this.#changeOf(deposit)
    const missing = change ? rest(change.payment) - change.payment.pending : 0n
    const { counted, usdt } = valueDeposit(BigInt(deposit.amount), this.#assetOf(deposit), change?.row, missing)
    deposit.counted = String(counted)
    deposit.usdt_amount = String(usdt)
    deposit.late = change ? isLate(change.payment, deposit.block_time) : false
    deposit.state = 'seen'
    change?.meet({ type: 'deposit_seen', counted, late: deposit.late }, this.#now)
    this.keep(deposit)
  }

  /** A seen deposit is deep enough: it goes into the ledger. */
  credit(deposit: StoredDeposit): void {
    const change = this.#changeOf(deposit)
    const { merchant_id: merchantId, asset_id: assetId, id, kind } = deposit
    const ripe = { id, merchantId, assetId, kind, amount: BigInt(deposit.amount) }
    const feePermille = change?.row.fee_permille ?? this.#deps.config.feePermille
    const fee = depositFee(ripe, feePermille)
    this.#entries.push({ group: creditDeposit(ripe, feePermille), memo: memoOf(deposit) })
    deposit.state = 'credited'
    deposit.credited_at = this.#now
    deposit.fee = String(fee)
    if (change) {
      change.meet({ type: 'deposit_credited', counted: BigInt(deposit.counted), late: deposit.late }, this.#now)
      this.#count(deposit, change, 1n)
      const { out_trade_no } = change.row
      if (deposit.counted === '0') this.#tell(deposit, 'payment_not_counted', { out_trade_no })
    } else this.#tell(deposit, 'recharge_credited')
    this.keep(deposit)
  }

  /** A seen deposit left the chain before it was deep enough. */
  drop(deposit: StoredDeposit): void {
    deposit.state = 'dropped'
    this.#changeOf(deposit)?.meet({ type: 'deposit_dropped', counted: BigInt(deposit.counted) }, this.#now)
    this.keep(deposit)
  }

  /** A credited deposit left the chain. It stays credited until a person decides. */
  doubt(deposit: StoredDeposit): void {
    deposit.doubted = true
    this.#changeOf(deposit)?.meet({ type: 'deposit_doubted' }, this.#now)
    this.keep(deposit)
  }

  /** A doubted deposit is on the chain again. `last`: no other one of its payment is still in doubt. */
  restore(deposit: StoredDeposit, { last }: { last: boolean }): void {
    deposit.doubted = false
    if (last) this.#changeOf(deposit)?.meet({ type: 'deposit_restored' }, this.#now)
    this.keep(deposit)
  }

  /** A person decided that a doubted deposit is gone: `reversal` takes its credit back. */
  undo(deposit: StoredDeposit, reversal: Entry): void {
    this.#entries.push(reversal)
    deposit.doubted = false
    deposit.state = 'undone'
    const change = this.#changeOf(deposit)
    if (change) {
      change.meet({ type: 'deposit_undone', counted: BigInt(deposit.counted) }, this.#now)
      this.#count(deposit, change, -1n)
    }
    this.keep(deposit)
  }

  /** A deposit whose place in the chain changed and nothing else. */
  keep(deposit: StoredDeposit): void {
    this.#deposits.set(deposit.id, deposit)
  }

  /** Writes everything that was decided. */
  async save(): Promise<void> {
    const [c, now] = [this.#c, this.#now]
    const deposits = [...this.#deposits.values()]
    await writeDeposits(c, deposits)
    await saveChanges(this.#deps, c, [...this.#changes.values()], now, this.#gains)
    await insertNotifications(c, this.#notifications)
    const hints: LiveHint[] = deposits.map(({ merchant_id, id }) => ({ merchant_id, type: 'deposit', id }))
    const posted = await post(c, this.#entries, now)
    const again = posted.find(each => !each.fresh)
    if (again) throw new Error(`${again.source} is in the ledger already`)
    const richer = new Set(this.#entries.length > 0 ? deposits.map(each => each.merchant_id) : [])
    for (const merchant_id of richer) hints.push({ merchant_id, type: 'balance', id: '' })
    await sendHints(c, hints)
  }

  #changeOf({ trade_no }: StoredDeposit): PaymentChange | undefined {
    return trade_no === null ? undefined : this.#changes.get(trade_no)
  }

  #assetOf({ asset_id }: StoredDeposit): ValuedAsset {
    const asset = this.#assets.get(asset_id)
    if (!asset) throw new Error(`no asset ${asset_id}`)
    return asset
  }

  #count(deposit: StoredDeposit, change: PaymentChange, sign: 1n | -1n): void {
    const [amount, fee, usdt] = [BigInt(deposit.amount), BigInt(deposit.fee), BigInt(deposit.usdt_amount)]
    change.beside.fees = (change.beside.fees ?? 0n) + (sign * (fee * BigInt(deposit.counted))) / amount
    this.#gains.push({
      merchant_id: deposit.merchant_id,
      appid: change.row.appid,
      asset_id: deposit.asset_id,
      at: this.#now,
      volume: sign * amount,
      volume_usdt: sign * usdt,
      income_usdt: sign * (usdt - (usdt * fee) / amount),
    })
  }

  #tell(deposit: StoredDeposit, message: MessageKey, beside: Record<string, string> = {}): void {
    const { symbol, decimals } = this.#assetOf(deposit)
    const amount = formatDecimal(BigInt(deposit.amount), decimals)
    this.#notifications.push({
      merchant_id: deposit.merchant_id,
      types: notificationType.payment,
      message,
      params: { ...beside, amount, token: symbol, chain: this.#chainName },
      created_at: this.#now,
    })
  }
}

const memoOf = ({ trade_no, txid, from_address, to_address }: StoredDeposit) => ({
  ...(trade_no === null ? {} : { trade_no }),
  txid,
  from_address,
  to_address,
})
