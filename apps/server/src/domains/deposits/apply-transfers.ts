import { kinds, type Transfer } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { newId } from '../../kit/ids.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { ChainAssets } from '../chains/assets.ts'
import { type ChainRow, incidents } from '../chains/store.ts'
import { confirmedKey } from './confirmed.ts'
import { DepositBatch } from './deposit-batch.ts'
import { depositsOfBlock, doubtedOf, type Match, matchTransfers, type StoredDeposit } from './store.ts'

/** Applies transfers and the new confirmed height to deposits and payments. The chain must be locked. */
export async function applyTransfers(
  deps: Deps,
  uow: UnitOfWork,
  chain: ChainRow,
  { transfers, final, assets, confirmed }: Applied,
): Promise<void> {
  if (transfers.length === 0 && confirmed?.size === 0) return
  const { c } = uow
  const now = deps.clock()
  const observed = (await matchTransfers(c, chain.id, transfers))
    .map(match => ({ match, transfer: transfers[match.place]! }))
    .sort((a, b) => a.transfer.blockNumber - b.transfer.blockNumber || a.transfer.logIndex - b.transfer.logIndex)
  const keys = observed.map(({ match, transfer: { txid, ordinal } }) => ({ txid, asset_id: match.asset_id, ordinal }))
  const stored = await depositsOfBlock(c, chain.id, final, keys)
  if (observed.length === 0 && stored.length === 0) return

  const known = new Map(/* guard: known-deposits */ stored.map(each => [keyOf(each), each]) /* end */)
  const ripe = stored.filter(each => each.state === 'seen' && each.block_number <= final)
  let doubted = await doubtedOf(c, stored)
  const tradeNos = [...observed.map(each => each.match), ...stored].map(each => each.trade_no)
  const batch = await DepositBatch.open(deps, uow, { chain, assets, tradeNos, now })

  const toCredit = new Map(ripe.map(each => [each.id, each]))
  const [back, changed]: [StoredDeposit[], [StoredDeposit, Transfer][]] = [[], []]
  for (const [index, { match, transfer }] of observed.entries()) {
    const before = known.get(keyOf(keys[index]!))
    if (before?.state === 'credited' && !isSame(before, transfer)) {
      changed.push([before, transfer])
      continue
    }
    const isNew = !before || before.state === 'dropped'
    const deposit = isNew ? newDeposit(chain.id, transfer, match, before, now) : { ...before, ...placeOf(transfer) }
    if (isNew) batch.seen(deposit)
    else if (deposit.doubted) {
      doubted = doubted.filter(each => each.id !== deposit.id)
      batch.restore(deposit, { last: doubted.every(each => each.trade_no !== deposit.trade_no) })
    } else batch.keep(deposit)
    toCredit.delete(deposit.id)
    if (deposit.state === 'seen' && deposit.block_number <= final) toCredit.set(deposit.id, deposit)
    if (deposit.state === 'undone') back.push(deposit)
  }
  const mayCredit = ({ txid, asset_id, ordinal }: StoredDeposit) =>
    !confirmed || confirmed.has(confirmedKey({ txid, token: assets.get(asset_id)!.contract, ordinal }))
  for (const deposit of toCredit.values()) if (mayCredit(deposit)) batch.credit(deposit)
  await batch.save()
  const incidentOf = (kind: string, { id, txid }: StoredDeposit, more: object = {}) => ({
    id: newId(),
    kind,
    chain_id: chain.id,
    detail: { deposit_id: id, txid: kinds[chain.kind].showTxid(txid), ...more },
    created_at: now,
  })
  const { show } = kinds[chain.kind].address
  uow.add(incidents, [
    ...back.map(each => incidentOf('undone_deposit_is_back', each)),
    ...changed.map(([each, { to, amount }]) =>
      incidentOf('deposit_changed', each, { to: show(to), amount: String(amount) }),
    ),
  ])
}

interface Applied {
  transfers: readonly Transfer[]
  /** The confirmed height. */
  final: number
  /** The assets of the chain. */
  assets: ChainAssets
  /** Keys of transfers that may be credited, see `confirmed.ts`; all when omitted. */
  confirmed?: ReadonlySet<string> | undefined
}

/** Whether the transfer still matches its credited deposit: a transaction may have another effect in another block. */
const isSame = ({ to_address, amount }: StoredDeposit, transfer: Transfer) =>
  to_address === transfer.to && amount === String(transfer.amount)

const keyOf = ({ txid, asset_id, ordinal }: { txid: string; asset_id: string; ordinal: number }) =>
  `${txid} ${asset_id} ${ordinal}`

/** The fields of a deposit that a reorg may change. */
const placeOf = (transfer: Transfer) => ({
  block_number: transfer.blockNumber,
  block_hash: transfer.blockHash,
  block_time: transfer.blockTime,
  log_index: transfer.logIndex,
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
  ordinal: transfer.ordinal,
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
