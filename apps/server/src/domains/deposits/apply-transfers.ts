import { kinds, type Transfer } from '@coffer/chains'
import { reversal } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { newId } from '../../kit/ids.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { ChainAssets } from '../chains/assets.ts'
import { type ChainRow, incidents } from '../chains/store.ts'
import { readGroup } from '../ledger/store.ts'
import { DepositBatch } from './deposit-batch.ts'
import {
  depositsAbove,
  depositsOfBlock,
  doubtedOf,
  type Match,
  matchTransfers,
  placeDeposit,
  replaceDeposit,
  type StoredDeposit,
} from './store.ts'

/** What became of a deposit when it was compared with the chain. */
export type Change = { change: 'credit' | 'drop' | 'replace' | 'doubt'; txid: string; to: string; amount: string }

/**
 * Applies transfers and the new confirmed height to deposits and payments. The chain must be locked. A stored deposit that is not
 * credited is replaced by what the chain has; a credited one that differs is an incident, and `mends` reverses it, or puts it in
 * doubt if the chain has nothing in its place. Returns what was changed.
 */
export async function applyTransfers(
  deps: Deps,
  uow: UnitOfWork,
  chain: ChainRow,
  { transfers, final, assets, settled, settledFrom = 0, mends = false }: Applied,
): Promise<Change[]> {
  const { c } = uow
  const now = deps.clock()
  const told = settled ? [...settled, ...transfers.filter(each => each.blockNumber > final)] : transfers
  const all = told.filter(each => each.amount <= amountMax)
  const matches = (await matchTransfers(c, chain.id, all)).map(match => ({ match, transfer: all[match.place]! }))
  const { show } = kinds[chain.kind].address
  const odd = (kind: string) => (transfer: Transfer) => ({
    id: newId(),
    kind,
    chain_id: chain.id,
    detail: {
      txid: kinds[chain.kind].showTxid(transfer.txid),
      token: transfer.token && show(transfer.token),
      to: show(transfer.to),
      amount: String(transfer.amount),
    },
    created_at: now,
  })
  // Once: when its block is final, and not again when it is read again.
  const isTold = (each: Transfer) => settled?.includes(each) && !mends
  uow.add(incidents, [
    ...told.filter(each => each.amount > amountMax && isTold(each)).map(odd('amount_too_large')),
    ...matches
      .flatMap(({ match, transfer }) => (match.internal && isTold(transfer) ? [transfer] : []))
      .map(odd('own_transfer')),
  ])
  const observed = matches
    // Moving money between our addresses brings none.
    .filter(each => !each.match.internal)
    .sort((a, b) => a.transfer.blockNumber - b.transfer.blockNumber || a.transfer.logIndex - b.transfer.logIndex)
  const keys = observed.map(({ match, transfer: { txid, ordinal } }) => ({ txid, asset_id: match.asset_id, ordinal }))
  const stored = await depositsOfBlock(c, chain.id, final, keys)
  const credited = mends ? await depositsAbove(c, chain.id, settledFrom - 1) : []
  if (observed.length === 0 && stored.length === 0 && credited.length === 0) return []

  const known = pair(observed, /* guard: known-deposits */ stored /* end */)
  const isSettled = (each: { block_number: number }) => each.block_number <= final
  const ripe = stored.filter(each => each.state === 'seen' && isSettled(each))
  let doubted = await doubtedOf(c, stored)
  const tradeNos = [...observed.map(each => each.match), ...stored, ...credited].map(each => each.trade_no)
  const batch = await DepositBatch.open(deps, uow, { chain, assets, tradeNos, now })

  const toCredit = new Map(settled ? [] : ripe.map(each => [each.id, each]))
  const [back, changed]: [StoredDeposit[], [StoredDeposit, Transfer][]] = [[], []]
  for (const { match, transfer } of observed) {
    const before = known.get(transfer)
    if (before && before.ordinal !== transfer.ordinal)
      await placeDeposit(c, before.merchant_id, before.id, transfer.ordinal)
    const differs = before !== undefined && !(isSame(before, transfer) && isSameTime(before, transfer))
    // guard: changed-credit
    if (before?.state === 'credited' && !isSame(before, transfer)) {
      if (mends || transfers.includes(transfer) || !settled) changed.push([before, transfer])
      if (mends) await mend(uow, batch, before, newDeposit(chain.id, transfer, match, undefined, now))
      continue
    }
    if (before?.state === 'seen' && differs) batch.drop({ ...before })
    const isNew = !before || before.state === 'dropped' || (before.state === 'seen' && differs)
    const deposit = isNew ? newDeposit(chain.id, transfer, match, before, now) : { ...before, ...placeOf(transfer) }
    if (isNew) batch.seen(deposit, { final: isSettled(deposit) })
    else if (deposit.doubted) {
      doubted = doubted.filter(each => each.id !== deposit.id)
      batch.restore(deposit, { last: doubted.every(each => each.trade_no !== deposit.trade_no) })
    } else batch.keep(deposit)
    toCredit.delete(deposit.id)
    if (deposit.state === 'seen' && isSettled(deposit)) toCredit.set(deposit.id, deposit)
    if (deposit.state === 'undone') back.push(deposit)
  }
  const found = new Set(known.values())
  // Transfers of an asset that is no longer accepted were not read again.
  const isRead = (each: StoredDeposit) => assets.get(each.asset_id)?.enabled
  const unread = ripe.filter(each => each.block_number >= settledFrom && !found.has(each))
  for (const deposit of settled ? unread.filter(each => !isRead(each)) : []) toCredit.set(deposit.id, deposit)
  // guard: denied
  const denied = settled ? unread.filter(isRead) : []
  for (const deposit of denied) batch.drop(deposit)
  const ids = new Set([...found].map(each => each.id))
  const isToken = (each: StoredDeposit) => isRead(each) && assets.get(each.asset_id)?.contract
  const isCredited = (each: StoredDeposit) => each.state === 'credited' && !each.doubted && isSettled(each)
  const gone = credited.filter(each => isCredited(each) && isToken(each) && !ids.has(each.id))
  for (const deposit of gone) batch.doubt(deposit)
  for (const deposit of toCredit.values()) batch.credit(deposit)
  await batch.save()
  const incidentOf = (kind: string, { id, txid }: StoredDeposit, more: object = {}) => ({
    id: newId(),
    kind,
    chain_id: chain.id,
    detail: { deposit_id: id, txid: kinds[chain.kind].showTxid(txid), ...more },
    created_at: now,
  })
  uow.add(incidents, [
    ...back.map(each => incidentOf('undone_deposit_is_back', each)),
    ...[...denied, ...gone].map(each => incidentOf('deposit_denied', each)),
    ...changed.map(([each, { to, amount }]) =>
      incidentOf('deposit_changed', each, { to: show(to), amount: String(amount), ...(mends && { mended: true }) }),
    ),
  ])
  const changeOf =
    (change: Change['change']) =>
    ({ txid, to_address, amount }: StoredDeposit): Change => ({ change, txid, to: show(to_address), amount })
  return [
    ...[...toCredit.values()].map(changeOf('credit')),
    ...denied.map(changeOf('drop')),
    ...(mends ? changed.map(([each]) => changeOf('replace')(each)) : []),
    ...gone.map(changeOf('doubt')),
  ]
}

/** Largest amount of a transfer that is taken for money: sums and values of such amounts fit into the database. */
const amountMax = 10n ** 48n

interface Applied {
  /** Transfers that were read now. */
  transfers: readonly Transfer[]
  /** The confirmed height. */
  final: number
  /** The assets of the chain. */
  assets: ChainAssets
  /** What the blocks from `settledFrom` to `final` hold for certain; only this is credited. Everything when omitted. */
  settled?: readonly Transfer[] | undefined
  /** Stored deposits from this block to `final` that are not in `settled` are dropped. */
  settledFrom?: number | undefined
  /** Whether credited deposits that differ are reversed and credited anew. */
  mends?: boolean | undefined
}

/** Reverses a credited deposit and credits in its place what the chain has. */
async function mend(
  uow: UnitOfWork,
  batch: DepositBatch,
  before: StoredDeposit,
  deposit: StoredDeposit,
): Promise<void> {
  const credit = await readGroup(uow.c, `deposit:${before.id}`)
  if (!credit) throw new Error(`deposit ${before.id} is credited and not in the ledger`)
  await replaceDeposit(uow.c, before.merchant_id, before.id)
  batch.replace(before, { group: reversal(credit), memo: { txid: before.txid } }, () => {
    batch.seen(deposit)
    batch.credit(deposit)
  })
}

/**
 * Finds the stored deposit of each transfer: by its position in the receipt, or, for one that was stored without its position, by
 * what it transfers, and else by its turn among those of its transaction and token.
 */
function pair(observed: readonly { match: Match; transfer: Transfer }[], stored: readonly StoredDeposit[]) {
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

/** Whether a deposit is what the chain has: a transaction may have another effect in another block. */
const isSame = ({ to_address, amount }: StoredDeposit, transfer: Transfer) =>
  to_address === transfer.to && amount === String(transfer.amount)

/** Whether the block of a deposit has the time that was stored with it. */
const isSameTime = ({ block_hash, block_time }: StoredDeposit, { blockHash, blockTime }: Transfer) =>
  block_hash !== blockHash || block_time === blockTime

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

/** Creates a deposit. A dropped one that is seen again keeps its id, `seen_at` and `gas`; the rest is new. */
const newDeposit = (
  chainId: string,
  transfer: Transfer,
  match: Match,
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
  amount: String(transfer.amount),
  counted: '0',
  usdt_amount: '0',
  fee: '0',
  trade_no: match.trade_no,
  kind: match.trade_no === null ? 'recharge' : 'payment',
  late: false,
  state: 'seen',
  doubted: false,
  seen_at: before?.seen_at ?? now,
  credited_at: 0,
  gas: before?.gas ?? '0',
})
