import type { Deps } from '../../deps.ts'
import { count, first, tx } from '../../kit/db.ts'
import { elsewhere } from '../../kit/work-share.ts'
import type { OutgoingOwners, Payout } from '../../owner.ts'
import { type ChainAssets, readChainAssets } from '../chains/assets.ts'
import { endUnseenIncidents, reportLastingIncident, unseenIncidentSeconds } from '../chains/lasting-incidents.ts'
import { readChain, readPayoutStop } from '../chains/store.ts'
import { getChainFailures } from './alone.ts'
import { isPayoutSpecificReason, readDuePayouts } from './pay-due.ts'
import { isPayable, type PayableChain } from './sender.ts'
import { type Wallet, walletOfRole } from './store.ts'
import { sendingWork } from './wallet-share.ts'

/** Seconds for which payouts may stand still. With the pause between two looks they make a minute. */
export const stalledPayoutSeconds = 45

const readLastTaken = first(
  'outgoing-last-taken',
  'select created_at from outgoing where chain_id = $1 and from_address = $2 order by nonce desc limit 1',
)
const countUnsigned = count(
  'outgoing-unsigned',
  `select count(*) as n from outgoing o join wallets w on w.chain_id = o.chain_id and w.address = o.from_address
   where o.chain_id = $1 and o.state = 'assigned' and o.waits is null and o.created_at <= $2 and w.halted is null`,
)
/** Transactions that no node accepted when they were last broadcast, signed before $2, with what one said. */
const readRefused = first(
  'outgoing-refused',
  `select count(*) as n, min(a.refused) as reason from outgoing o join wallets w on w.chain_id = o.chain_id and w.address = o.from_address
   cross join lateral (select refused, created_at from outgoing_attempts t
     where t.chain_id = o.chain_id and t.from_address = o.from_address and t.nonce = o.nonce order by attempt desc limit 1) a
   where o.chain_id = $1 and o.state = 'sent' and w.halted is null and a.refused is not null and a.created_at <= $2`,
)

/** When this process first saw payouts that were due, by chain. */
export type FirstSeenPayouts = Map<string, Map<string, number>>

const keyOf = ({ owner, merchant_id, id }: Payout) => `${owner} ${merchant_id} ${id}`

/**
 * Opens an incident for each chain on which payouts stand still, whatever the cause, and ends those of the others: none
 * that is due has taken a nonce, one that has is not signed or accepted by no node, or a part of the passes keeps
 * failing. Payouts that wait for what is reported otherwise, as a limit of the signer or money, do not stand still.
 */
export async function watchStalledPayouts(deps: Deps, owners: OutgoingOwners, seen: FirstSeenPayouts): Promise<false> {
  const now = deps.clock()
  for (const chain of deps.chains.values()) {
    if (!isPayable(chain)) continue
    const { id } = chain.definition
    // By the server that sends, which knows what it fails at.
    const found = await deps.share.run(sendingWork(id), () => findFrozen(deps, owners, chain, seen))
    if (found === elsewhere) seen.delete(id)
    if (found === elsewhere || !found) continue
    const row = { kind: 'payouts_frozen', chain_id: id, of: {}, detail: found }
    if (await tx(deps.pool, c => reportLastingIncident(c, row, now)))
      deps.log.error({ chain: id, ...found }, 'payouts stand still')
  }
  await endUnseenIncidents(deps.pool, ['payouts_frozen'], null, now - unseenIncidentSeconds, now)
  return false
}

/** What stands still on a chain; null if nothing does. */
async function findFrozen(deps: Deps, owners: OutgoingOwners, chain: PayableChain, seen: FirstSeenPayouts) {
  const { id } = chain.definition
  const row = await readChain(deps.pool, id)
  const stopped = await readPayoutStop(deps.pool, id, '')
  const wallet = await walletOfRole(deps.pool, id, 'hot')
  if (!row?.enabled || row.halted !== null || stopped || (wallet && wallet.halted !== null)) return null
  const now = deps.clock()
  const due = await readPayable(deps, owners, chain, wallet)
  const before = seen.get(id)
  const times = new Map(due.map(each => [keyOf(each), before?.get(keyOf(each)) ?? now]))
  seen.set(id, times)
  const old = [...times.values()].filter(time => now - time >= stalledPayoutSeconds).length
  const last = wallet && (await readLastTaken(deps.pool, id, wallet.address))
  const isMoving = last !== undefined && now - last.created_at < stalledPayoutSeconds
  const notSigned = await countUnsigned(deps.pool, id, now - stalledPayoutSeconds)
  const failing = [...getChainFailures(chain).values()].filter(each => now - each.at < stalledPayoutSeconds)
  const lasting = failing.filter(each => each.at - each.since >= stalledPayoutSeconds).sort((a, b) => a.since - b.since)
  const { n: notAccepted, reason: said } = (await readRefused(deps.pool, id, now - stalledPayoutSeconds))!
  const waiting = (isMoving ? 0 : old) + notSigned + notAccepted
  if (waiting === 0 && lasting.length === 0) return null
  const reason = (lasting[0] ?? failing[0])?.reason ?? said
  return { ...(wallet && { wallet: wallet.address }), payouts: waiting, ...(reason && { reason }) }
}

/** Payouts that are due and wait for nothing that is reported otherwise. */
async function readPayable(
  deps: Deps,
  owners: OutgoingOwners,
  chain: PayableChain,
  wallet: Wallet | undefined,
): Promise<Payout[]> {
  const { id, native } = chain.definition
  const all = await readDuePayouts(deps, owners, id)
  const free = all.filter(({ waits }) => !isPayoutSpecificReason(waits))
  if (free.length === 0) return []
  const assets: ChainAssets = await readChainAssets(deps.pool, id)
  const lacking = (wallet?.waits ?? '').split(', ').map(each => each.split(' ')[1])
  const isShort = ({ asset_id }: Payout) =>
    lacking.includes(native.symbol) || lacking.includes(assets.get(asset_id)?.symbol ?? '')
  const covered = free.filter(each => !isShort(each))
  // What sweeps will carry waits for them; without an answer nothing is known to wait.
  return owners.sweep?.withoutCarried?.(id, covered).catch(() => covered) ?? covered
}
