import type { RouteData } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { type DestinationHistory, readDestinationHistories } from '../destinations/destination-history.ts'
import { merchantById } from '../merchants/store.ts'
import { readPersonEmails } from '../people/members.ts'
import { readDeciders } from '../policies/approvers.ts'
import { listWaitingWithdrawals, type WithdrawalRow } from '../withdrawals/list.ts'
import { presentWithdrawal } from '../withdrawals/present.ts'

type Waiting = RouteData<'GET /api/v1/approval'>['list'][number]
type Reader = Pick<Session, 'personId' | 'merchantId'>

/** Reads the withdrawals about which a member may decide now, the oldest first. */
export async function readOwnApprovals(deps: Deps, { personId, merchantId }: Reader): Promise<WithdrawalRow[]> {
  const [merchant, waiting] = await Promise.all([
    merchantById(deps.pool, merchantId),
    listWaitingWithdrawals(deps.pool, merchantId),
  ])
  if (!merchant || waiting.length === 0) return []
  const decidersOf = await readDeciders(deps, deps.pool, merchant)
  const own: WithdrawalRow[] = []
  for (const row of waiting) {
    const deciders = await decidersOf(row)
    if (deciders.by === 'members' && deciders.members.some(({ id }) => id === personId)) own.push(row)
  }
  return own
}

/** Lists the withdrawals about which a member may decide, with what is known of who asked and of where they go. */
export async function listApprovals(deps: Deps, reader: Reader): Promise<Waiting[]> {
  const { merchantId } = reader
  const rows = await readOwnApprovals(deps, reader)
  if (rows.length === 0) return []
  const of = rows.map(row => ({ chainId: row.definition.id, address: row.to_address }))
  const [histories, people] = await Promise.all([
    readDestinationHistories(deps.pool, merchantId, of),
    readPersonEmails(
      deps.pool,
      rows.map(row => row.requested_by || merchantId),
    ),
  ])
  return rows.map(row => {
    const asker = people.find(({ id }) => id === (row.requested_by || merchantId))
    const history = histories.find(
      ({ chain_id, address }) => chain_id === row.definition.id && address === row.to_address,
    )
    return presentWaiting(row, asker?.email ?? '', history)
  })
}

function presentWaiting(row: WithdrawalRow, requester: string, history: DestinationHistory | undefined): Waiting {
  const { id, token, logo, chain, net_work, address, apply_name, ...shown } = presentWithdrawal(row)
  const { amount, fee, gas, receives, usdt_value, remark, created_time } = shown
  return {
    id,
    token,
    logo,
    chain,
    net_work,
    address,
    amount,
    fee,
    gas,
    receives,
    usdt_value,
    remark,
    requester,
    apply_name,
    policy: row.policy,
    destination: {
      label: history?.label ?? '',
      known_time: history?.known_at ?? 0,
      paid: Number(history?.paid ?? 0),
      paid_value: usdtValueText(history?.value ?? 0n),
      last_time: history?.last_at ?? 0,
      warnings: row.warnings,
    },
    created_time,
  }
}
