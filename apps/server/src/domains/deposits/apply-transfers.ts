import { chainAdapters, type Transfer } from '@coffer/chains'
import { type DepositComparison, type DepositOutcome, type DepositStep, decideDepositOutcome } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { type ChainAssets, isWatched } from '../chains/assets.ts'
import { type ChainRow, incidents } from '../chains/store.ts'
import { reconciledTxidPrefix } from '../payments/to-deposit-view.ts'
import { foreignSweeps } from '../sweeps/store.ts'
import { listStoppedDepositReturns } from '../withdrawals/store.ts'
import { DepositBatch, readCreditReversal } from './deposit-batch.ts'
import { type ObservedTransfer, setDustAside } from './dust.ts'
import { recordOwnTransfers } from './native-store.ts'
import {
  depositsAbove,
  depositsOfBlock,
  markDepositReplaced,
  matchTransfers,
  readDepositsInDoubt,
  type StoredDeposit,
  setDepositPosition,
  type TransferMatch,
} from './store.ts'
import { TokenGate } from './token-gate.ts'

/** The transfers read from a chain, and its confirmed height. */
export interface TransfersReading {
  /** Transfers in the blocks from `readFrom` on. Those up to `final` do not count unless they are in `settled`. */
  transfers: readonly Transfer[]
  /** The lowest block that was not read before. Incidents in earlier ones have been recorded. */
  readFrom: number
  /**
   * The agreed transfers in the blocks from `settledFrom` to `final`: only these are credited, and stored deposits are
   * compared with them.
   */
  settled: readonly Transfer[]
  settledFrom: number
  /** The confirmed height. */
  final: number
  /** The assets of the chain. */
  assets: ChainAssets
  /**
   * Whether credits that differ from what is settled are reversed, or put in doubt if the chain has nothing in their
   * place.
   */
  repairs: boolean
  /** Takes the receivers of native coin that is no deposit, as it is less than the minimum. */
  aside?: Set<string>
}

/** What became of a deposit when it was compared with the chain. */
export type DepositChange = { change: DepositStep; txid: string; to: string; amount: string }

/** Steps that change the money of a merchant, or end what was to become some. */
const isChange = (step: DepositStep | undefined) =>
  step === 'credit' || step === 'drop' || step === 'replace' || step === 'ask' || step === 'doubt'

/**
 * Applies transfers and the new confirmed height to deposits and payments, as `decideDepositOutcome` decides for each
 * deposit. The
 * chain must be locked. Returns what was changed.
 */
export async function applyTransfers(
  deps: Deps,
  uow: UnitOfWork,
  chain: ChainRow,
  reading: TransfersReading,
): Promise<DepositChange[]> {
  const { c } = uow
  const now = deps.clock()
  const found = await observe(uow, chain, reading, now)
  const keys = found.map(({ match, transfer: { txid, ordinal } }) => ({ txid, asset_id: match.asset_id, ordinal }))
  const stored = await depositsOfBlock(c, chain.id, reading, keys)
  const credited = reading.repairs ? await depositsAbove(c, chain.id, reading.settledFrom - 1) : []
  if (found.length === 0 && stored.length === 0 && credited.length === 0) return []

  const tradeNos = [...found.map(each => each.match), ...stored, ...credited].map(each => each.trade_no)
  const batch = await DepositBatch.open(deps, uow, { chain, assets: reading.assets, tradeNos, now })
  const known = pair(found, /* guard: known-deposits */ stored /* end */)
  const observed = await setDustAside(uow, reading, found, { isKnown: each => known.has(each), batch })
  const gate = new TokenGate(uow, reading.assets, deps.config.compareDeposits)
  const givenBack = await givenBackAmong(c, stored)
  const compared = compare(chain, reading, { observed, known, stored, credited, givenBack }, gate, now)
  const doubted = await readDepositsInDoubt(c, stored)
  await carryOut(uow, batch, compared, doubted)
  gate.save()
  await batch.save()
  const { address, showTxid } = chainAdapters[chain.kind]
  for (const { transfer, deposit, before, outcome } of compared) {
    const { incident } = outcome
    if (!incident || (transfer && transfer.blockNumber < reading.readFrom)) continue
    const { id, txid } = before ?? deposit
    const has = transfer && { to: address.show(transfer.to), amount: String(transfer.amount) }
    const differs = incident === 'deposit_changed' && { ...has, ...(outcome.steps.length > 0 && { mended: true }) }
    const detail = { deposit_id: id, txid: showTxid(txid), ...differs }
    uow.add(incidents, [{ id: newId(), kind: incident, chain_id: chain.id, detail, created_at: now }])
  }
  return compared.flatMap(({ before, deposit, outcome }) => {
    const change = outcome.steps.at(-1)
    const { txid, to_address, amount } = ((change === 'replace' || change === 'ask') && before) || deposit
    return change && isChange(change) ? [{ change, txid, to: address.show(to_address), amount: String(amount) }] : []
  })
}

/** Which of some deposits were given back, or are on their way. */
async function givenBackAmong(c: Queryable, stored: readonly StoredDeposit[]): Promise<Set<string>> {
  const given = new Set(stored.filter(each => each.returned).map(each => each.id))
  if (given.size > 0) for (const { returns } of await listStoppedDepositReturns(c, [...given])) given.delete(returns!)
  return given
}

/** Largest amount of a transfer that is taken for money: sums and values of such amounts fit into the database. */
const amountMax = 10n ** 48n

/**
 * Finds the transfers that bring money, in chain order. Records an incident for a final one that may look as if it did.
 */
async function observe(
  uow: UnitOfWork,
  chain: ChainRow,
  { transfers, settled, final, repairs }: TransfersReading,
  now: number,
): Promise<ObservedTransfer[]> {
  const all = [...settled, ...transfers.filter(each => each.blockNumber > final)]
  const usual = all.filter(each => each.amount <= amountMax)
  const matches = (await matchTransfers(uow.c, chain.id, usual)).map(match => ({
    match,
    transfer: usual[match.place]!,
  }))
  const { address, showTxid } = chainAdapters[chain.kind]
  const record = (kind: string, { txid, token, to, amount, blockNumber }: Transfer) => {
    // Once: when its block is final, and not again when it is read again.
    if (blockNumber > final || repairs) return
    const shown = {
      txid: showTxid(txid),
      token: token && address.show(token),
      to: address.show(to),
      amount: String(amount),
    }
    uow.add(incidents, [{ id: newId(), kind, chain_id: chain.id, detail: shown, created_at: now }])
  }
  for (const each of all) if (each.amount > amountMax) record('amount_too_large', each)
  const known = new Set(matches.map(each => each.transfer))
  uow.add(
    foreignSweeps,
    settled.filter(each => each.token !== null && each.amount <= amountMax && !known.has(each)),
  )
  // Moving money between our addresses brings none.
  const own = matches.flatMap(({ match, transfer }) => (match.internal ? transfer : []))
  for (const transfer of own) record('own_transfer', transfer)
  const isFinalCoin = ({ token, blockNumber }: Transfer) => token === null && blockNumber <= final
  await recordOwnTransfers(uow.c, chain.id, own.filter(isFinalCoin), now)
  return matches
    .filter(each => !each.match.internal)
    .sort((a, b) => a.transfer.blockNumber - b.transfer.blockNumber || a.transfer.logIndex - b.transfer.logIndex)
}

/** A deposit beside what the chain has, and what becomes of it. */
interface Compared {
  /** The deposit as it is stored; absent for a transfer that is not. */
  before?: StoredDeposit | undefined
  /** The chain's version of the deposit; absent if there is none. */
  transfer?: Transfer
  /** The deposit as the chain has it. */
  deposit: StoredDeposit
  outcome: DepositOutcome
}

/** Decides what becomes of each transfer, in chain order, and then of stored deposits that the chain does not have. */
function compare(
  chain: ChainRow,
  { final, settledFrom, assets, repairs }: TransfersReading,
  of: {
    observed: readonly ObservedTransfer[]
    known: ReadonlyMap<Transfer, StoredDeposit>
    stored: readonly StoredDeposit[]
    credited: readonly StoredDeposit[]
    /** Deposits that were given back, or are on their way. */
    givenBack: ReadonlySet<string>
  },
  gate: TokenGate,
  now: number,
): Compared[] {
  const { givenBack } = of
  const decide = (
    asset_id: string,
    before: StoredDeposit | undefined,
    of: Omit<DepositComparison, 'stored' | 'repairs'>,
  ) => {
    const isGivenBack = before !== undefined && givenBack.has(before.id)
    const given = { ...of, stored: stateOf(before), repairs, isGivenBack }
    const outcome = decideDepositOutcome(given)
    const isHeld = outcome.steps.includes('replace')
      ? gate.isDecided(asset_id)
      : outcome.steps.includes('credit') && gate.holds(asset_id, before)
    return isHeld ? decideDepositOutcome({ ...given, isHeld }) : outcome
  }
  const present = of.observed.map(({ match, transfer }): Compared => {
    const before = of.known.get(transfer)
    const isFinal = transfer.blockNumber <= final
    const outcome = decide(match.asset_id, before, { chain: likeness(before, transfer), isFinal, isHeld: false })
    const steps = new Set(outcome.steps)
    // What replaces a credited deposit is another one.
    const former = steps.has('replace') || steps.has('ask') ? undefined : before
    const deposit =
      former && !steps.has('see')
        ? { ...former, ...placeOf(transfer), ...(isFinal && senderOf(transfer)) }
        : newDeposit(chain.id, transfer, match, former, now)
    return { before, transfer, deposit, outcome }
  })
  const found = new Set([...of.known.values()].map(each => each.id))
  const waiting = of.stored.filter(each => each.state === 'seen' && each.block_number >= settledFrom)
  const absent = [...waiting, ...of.credited.filter(each => each.state === 'credited')].filter(
    each => !found.has(each.id),
  )
  return [
    ...present,
    ...absent.map((before): Compared => {
      const asset = assets.get(before.asset_id)
      // Credited coin is not read again: its balances are compared. What was found or added up is in no block as it is.
      const isListed =
        !before.txid.startsWith(reconciledTxidPrefix) && (before.state === 'seen' || asset?.contract !== null)
      const isRead = asset && isWatched(asset) && asset.hold !== 'refused' && isListed
      const isFinal = before.block_number <= final
      const of = { chain: isRead ? 'missing' : 'unread', isFinal, isHeld: false } as const
      const outcome = decide(before.asset_id, before, of)
      return { before, deposit: before, outcome }
    }),
  ]
}

/** Carries out the steps of each deposit. Credits come last, so that each sees everything that was dropped. */
async function carryOut(
  uow: UnitOfWork,
  batch: DepositBatch,
  compared: readonly Compared[],
  doubtedBefore: Awaited<ReturnType<typeof readDepositsInDoubt>>,
): Promise<void> {
  let doubted = doubtedBefore
  const carry: Record<DepositStep, (of: Compared) => unknown> = {
    drop: ({ before }) => batch.drop({ ...before! }),
    see: ({ deposit, outcome }) => batch.seen(deposit, { final: outcome.steps.includes('credit') }),
    place: ({ deposit }) => batch.keep(deposit),
    restore: ({ deposit }) => {
      doubted = doubted.filter(each => each.id !== deposit.id)
      batch.restore(deposit, { last: doubted.every(each => each.trade_no !== deposit.trade_no) })
    },
    replace: ({ before, deposit }) =>
      replace(uow, batch, before!, () => {
        batch.seen(deposit)
        batch.credit(deposit)
      }),
    ask: ({ before, deposit }) =>
      replace(uow, batch, before!, () => {
        batch.seen(deposit)
        batch.hold(deposit)
      }),
    doubt: ({ deposit }) => batch.doubt(deposit),
    credit: ({ deposit }) => batch.credit(deposit),
    hold: ({ deposit }) => batch.hold(deposit),
  }
  for (const each of compared) {
    const { before, transfer, outcome } = each
    if (before && transfer && before.ordinal !== transfer.ordinal)
      await setDepositPosition(uow.c, before.merchant_id, before.id, transfer.ordinal)
    for (const step of outcome.steps) if (step !== 'credit') await carry[step](each)
  }
  for (const each of compared) if (each.outcome.steps.includes('credit')) carry.credit(each)
}

/** Reverses a credited deposit; `take` takes what the chain has in its place. */
async function replace(uow: UnitOfWork, batch: DepositBatch, before: StoredDeposit, take: () => void): Promise<void> {
  const reversal = await readCreditReversal(uow.c, before)
  await markDepositReplaced(uow.c, before.merchant_id, before.id)
  batch.replace(before, reversal, take)
}

/**
 * Finds the stored deposit of each transfer: by its position in the receipt, or, for one that was stored without its
 * position, by what it transfers, and else by its turn among those of its transaction and token.
 */
function pair(observed: readonly { match: TransferMatch; transfer: Transfer }[], stored: readonly StoredDeposit[]) {
  const rows = new Map(stored.map(each => [keyOf(each), each]))
  const found = new Map<Transfer, StoredDeposit>()
  const old = new Set(stored.filter(each => each.ordinal < 0))
  const take = (transfer: Transfer, row: StoredDeposit | undefined) => {
    if (!row) return
    found.set(transfer, row)
    old.delete(row)
  }
  for (const { match, transfer } of observed) take(transfer, rows.get(keyOf({ ...transfer, asset_id: match.asset_id })))
  const rest = () => observed.filter(each => !found.has(each.transfer))
  const ofThis = ({ match, transfer }: (typeof observed)[number], row: StoredDeposit) =>
    row.txid === transfer.txid && row.asset_id === match.asset_id
  for (const each of rest())
    take(
      each.transfer,
      [...old].find(row => ofThis(each, row) && isSame(row, each.transfer)),
    )
  for (const each of rest())
    take(
      each.transfer,
      [...old].find(row => ofThis(each, row)),
    )
  return found
}

const stateOf = (stored: StoredDeposit | undefined): DepositComparison['stored'] =>
  !stored ? 'none' : stored.doubted ? 'doubted' : stored.state

/** How the chain's transfer differs from the stored deposit; the same if none is stored. */
function likeness(before: StoredDeposit | undefined, transfer: Transfer) {
  if (!before) return 'same'
  if (!isSame(before, transfer)) return 'changed'
  return before.block_hash === transfer.blockHash && before.block_time !== transfer.blockTime ? 'retimed' : 'same'
}

/** Whether a deposit is what the chain has: a transaction may have another effect in another block. */
const isSame = ({ to_address, amount }: StoredDeposit, transfer: Transfer) =>
  to_address === transfer.to && amount === transfer.amount

const keyOf = ({ txid, asset_id, ordinal }: { txid: string; asset_id: string; ordinal: number }) =>
  `${txid} ${asset_id} ${ordinal}`

/** The fields of a deposit that a reorg may change. */
const placeOf = (transfer: Transfer) => ({
  block_number: transfer.blockNumber,
  block_hash: transfer.blockHash,
  block_time: transfer.blockTime,
  log_index: transfer.logIndex,
  ordinal: transfer.ordinal,
})

/**
 * The sender that was agreed on or verified, whatever a node reported of a block that was not final. Refunds to it need
 * no other approval.
 */
const senderOf = (transfer: Transfer) => /* guard: sender-settled */ ({ from_address: transfer.from }) /* end */

/** Creates a deposit. A dropped one that is seen again keeps its id, `seen_at` and `gas`; the rest is new. */
const newDeposit = (
  chainId: string,
  transfer: Transfer,
  match: TransferMatch,
  before: StoredDeposit | undefined,
  now: number,
): StoredDeposit => ({
  merchant_id: match.merchant_id,
  id: before?.id ?? newId(),
  chain_id: chainId,
  txid: transfer.txid,
  asset_id: match.asset_id,
  ...placeOf(transfer),
  from_address: transfer.from,
  to_address: transfer.to,
  amount: transfer.amount,
  counted: 0n,
  usdt_amount: 0n,
  fee: 0n,
  trade_no: match.trade_no,
  kind: match.trade_no === null ? 'recharge' : 'payment',
  late: false,
  state: 'seen',
  doubted: false,
  seen_at: before?.seen_at ?? now,
  credited_at: 0,
  held_at: null,
  returned: false,
  gas: before?.gas ?? 0n,
})
