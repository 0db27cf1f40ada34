import { groupPostings, houseAccount, makePosting } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { OutgoingItem, OutgoingOwners } from '../../owner.ts'
import { incidents, readChain } from '../chains/store.ts'
import { postings } from '../ledger/store.ts'
import { type FoundTransaction, isFollowed } from './find-payout.ts'
import {
  insertFoundPayout,
  isSignedHere,
  listFoundPayoutsOf,
  listLostFoundPayouts,
  lockFoundTransaction,
  setFoundPayoutsUndone,
} from './found-store.ts'
import { computeMaxSurcharge, type PayableChain } from './sender.ts'
import { buildNativeAssetId, lockExpectedCoinBalance, subtractExpectedCoinBalance } from './store.ts'

/**
 * Takes the turn of a found transaction, before the payout is locked that it is said to have paid. Throws Refusal when
 * the chain has left its block meanwhile, or this installation sent it.
 */
export async function beginFoundPayout(uow: UnitOfWork, { chain, from, receipt }: FoundTransaction): Promise<void> {
  const { id } = chain.definition
  await lockFoundTransaction(uow.c, id, receipt.txid)
  await lockExpectedCoinBalance(uow.c, id, from)
  if (!isFollowed(await readChain(uow.c, id), receipt)) throw new Refusal('busy')
  if ((await isSignedHere(uow.c, id, receipt.txid))!.yes)
    throw new Refusal('operation_failed', {
      field: 'txid',
      detail: {
        en: 'this installation sent the transaction and knows what it has paid; name one that it did not send',
        'zh-CN': '该交易由本系统发送，其付款已有记录；请填写非本系统发送的交易',
      },
    })
}

/**
 * Records that a transaction has paid a payout, by a transfer that settles no other one, and posts what it cost, once.
 * Its owner then settles the payout, by its event `seq`. Throws Refusal when all its fitting transfers settle others.
 */
export async function recordFoundPayout(
  deps: Pick<Deps, 'clock'>,
  uow: UnitOfWork,
  found: FoundTransaction,
  { item, seq, who }: { item: OutgoingItem; seq: number; who: readonly string[] },
): Promise<void> {
  const { chain, from, receipt } = found
  const { id: chainId } = chain.definition
  const { txid, blockNumber, blockHash, fee } = receipt
  const known = await listFoundPayoutsOf(uow.c, chainId, txid)
  // What its lost block had paid is taken back first, with the fee.
  if (known.some(each => each.lost)) throw new Refusal('busy')
  const taken = new Map(known.flatMap(each => (each.undone ? [] : [[each.place, each.owner_id]])))
  const place = found.places.find(each => !taken.has(each))
  if (place === undefined) throw refuseTaken(taken.get(found.places[0]!) ?? '')
  const now = deps.clock()
  await insertFoundPayout(
    uow.c,
    newId(),
    chainId,
    txid,
    place,
    from,
    item.owner as 'withdrawal' | 'refund',
    item.merchant_id,
    item.id,
    seq,
    String(item.amount),
    blockNumber,
    blockHash,
    String(fee),
    [...who],
    now,
  )
  const isFirst = taken.size === 0
  if (isFirst) postFoundFee(uow, chain, { txid, from, fee, times: known.length, at: now })
  await takeCoin(uow, found, (place === -1 ? item.amount : 0n) + (isFirst ? fee : 0n))
}

const refuseTaken = (other: string) =>
  new Refusal('operation_failed', {
    field: 'txid',
    detail: {
      en: `its transfer settles ${other} already; name the transaction that has paid this one`,
      'zh-CN': `该笔转账已对应 ${other}；请填写支付本笔的交易`,
    },
  })

/** Posts what a found transaction cost: the house pays it. `times`: how often it was posted, and taken back, before. */
function postFoundFee(
  uow: UnitOfWork,
  { definition }: PayableChain,
  { txid, from, fee, times, at }: { txid: string; from: string; fee: bigint; times: number; at: number },
): void {
  if (fee === 0n) return
  const native = buildNativeAssetId(definition)
  const source = `found:${definition.id}:${txid}${times === 0 ? '' : `:${times}`}`
  const spent = makePosting('gas', houseAccount('gas', native), houseAccount('chain', native), fee)
  uow.add(postings, [{ group: groupPostings(source, [spent]), memo: { txid, from_address: from }, at }])
}

/** Expects less native coin of the wallet, unless it was compared since: then that has left it before. */
async function takeCoin({ c }: UnitOfWork, { chain, from, receipt }: FoundTransaction, taken: bigint): Promise<void> {
  const { id } = chain.definition
  const coin = await lockExpectedCoinBalance(c, id, from)
  if (!coin || coin.compared_to >= receipt.blockNumber) return
  const more = receipt.fee + computeMaxSurcharge(chain.definition)
  await subtractExpectedCoinBalance(c, id, from, String(taken), String(more), receipt.blockNumber)
}

/**
 * Takes back what transactions were said to have paid whose blocks the chain has left: each payout is abnormal again,
 * and a person decides once it is known whether the transaction is in another block.
 */
export async function undoLostFoundPayouts(
  deps: Pick<Deps, 'pool' | 'clock' | 'log'>,
  chain: PayableChain,
  owners: OutgoingOwners,
): Promise<void> {
  const { id: chainId } = chain.definition
  const lost = await listLostFoundPayouts(deps.pool, chainId)
  for (const [txid, rows] of Map.groupBy(lost, each => each.txid))
    await tx(deps.pool, async (c, uow) => {
      await lockFoundTransaction(c, chainId, txid)
      const now = deps.clock()
      const ids = rows.map(each => each.id)
      if ((await setFoundPayoutsUndone(c, ids, now)) !== ids.length) throw new Error(`${txid} was undone meanwhile`)
      for (const { owner, merchant_id, owner_id: id, amount } of rows)
        await owners[owner]?.undone(uow, [{ owner, merchant_id, id, amount }], lostReason)
      const [{ from_address: wallet, fee }] = rows as [(typeof rows)[number], ...typeof rows]
      returnFoundFee(uow, chain, { id: ids[0]!, txid, fee, at: now })
      const payouts = rows.map(each => each.owner_id)
      const detail = { wallet, payouts, txid, reason: lostReason }
      uow.add(incidents, [{ id: newId(), kind: 'payout_undone', chain_id: chainId, detail, created_at: now }])
      deps.log.error({ chain: chainId, ...detail }, 'a deep reorg took away what had paid a payout')
    })
}

/** Why a payout is abnormal again that a transaction had paid. */
const lostReason = 'a deep reorg took its transaction away'

function returnFoundFee(
  uow: UnitOfWork,
  { definition }: PayableChain,
  { id, txid, fee, at }: { id: string; txid: string; fee: bigint; at: number },
): void {
  if (fee === 0n) return
  const native = buildNativeAssetId(definition)
  const back = makePosting('gas', houseAccount('chain', native), houseAccount('gas', native), fee)
  uow.add(postings, [{ group: groupPostings(`found:undone:${id}`, [back]), memo: { txid }, at }])
}
