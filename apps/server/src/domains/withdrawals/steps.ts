import { codeNameOf, type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import {
  allowsWithdrawalTransition,
  type LedgerWithdrawal,
  releaseWithdrawal,
  reverseGroup,
  settleWithdrawal,
  type WithdrawalEvent,
} from '@coffer/core'
import { requirePayoutsDoubted } from '../../kit/copy-switch.ts'
import { newId } from '../../kit/ids.ts'
import { liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { incidents } from '../chains/store.ts'
import { postings } from '../ledger/store.ts'
import { statisticsChanges } from '../statistics/statistics-write.ts'
import { notifyOfWithdrawal } from './notify.ts'
import { changeWithdrawals, insertWithdrawalEvents, type StoredWithdrawal } from './store.ts'

/** An event of a locked withdrawal, with the state it leads to and the columns it changes. */
export interface WithdrawalStep {
  row: StoredWithdrawal
  event: WithdrawalEvent
  to: WithdrawalState
  /** Shown in the history, such as a reason. */
  detail?: string
  /** The operator whose step it is. */
  who?: string
  changes?: Partial<
    Pick<
      StoredWithdrawal,
      'approved_by' | 'approved_for' | 'approved_at' | 'reason' | 'txid' | 'out_chain' | 'out_from' | 'out_nonce'
    >
  >
}

export const withdrawalStateOf = ({ status }: Pick<StoredWithdrawal, 'status'>): WithdrawalState =>
  codeNameOf(withdrawalStatus, status)!

/** Converts a row to what the ledger posts. */
export const toLedgerWithdrawal = (row: StoredWithdrawal): LedgerWithdrawal => ({
  id: row.id,
  merchantId: row.merchant_id,
  assetId: row.asset_id,
  amount: row.amount,
  fee: row.fee,
  gas: row.gas,
  receives: row.receives,
})

/** Events by which people decide about a withdrawal that was not sent. */
const decisions: readonly WithdrawalEvent[] = ['approved', 'rejected', 'canceled']
const released: readonly WithdrawalState[] = ['audit_rejected', 'canceled']

/**
 * Applies events to locked withdrawals, at most one each: state, history, postings, statistics, callbacks,
 * notifications and hints. Throws Refusal('withdrawal_cannot_change') for an event that is not legal in the state.
 */
export async function applyWithdrawalSteps(
  uow: UnitOfWork,
  steps: readonly WithdrawalStep[],
  now: number,
): Promise<void> {
  if (steps.length === 0) return
  const changed: StoredWithdrawal[] = []
  for (const { row, event, to, changes } of steps) {
    if (!allowsWithdrawalTransition(event, withdrawalStateOf(row), to))
      throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    if (decisions.includes(event)) await requirePayoutsDoubted(uow.c, row.chain_id)
    changed.push({
      ...row,
      ...changes,
      status: withdrawalStatus[to],
      settled: to === 'accomplished' ? row.receives : 0n,
      released: released.includes(to) ? row.amount : 0n,
      undone: row.undone + (event === 'undone' ? 1 : 0),
      // The callback of an event follows its entry of the history.
      events: row.events + 2,
      updated_at: now,
    })
  }
  await changeWithdrawals(uow.c, changed)
  await insertWithdrawalEvents(
    uow.c,
    steps.map(({ row, event, to, detail = '', who = '' }) => ({
      merchant_id: row.merchant_id,
      withdrawal_id: row.id,
      seq: row.events + 1,
      status: withdrawalStatus[to],
      event,
      detail,
      who,
      created_at: now,
    })),
  )
  for (const [index, { event, to }] of steps.entries()) {
    const row = changed[index]!
    const memo = { trade_no: row.id, to_address: row.to_address, ...(row.txid && { txid: row.txid }) }
    const { merchant_id, asset_id } = row
    const isUndone = event === 'undone'
    if (to === 'accomplished' || isUndone) {
      const settled = settleWithdrawal(toLedgerWithdrawal(row), steps[index]!.row.undone)
      uow.add(postings, [{ group: isUndone ? reverseGroup(settled) : settled, memo, at: now }])
      const value = row.origin === 'return' ? 0n : row.usdt_value
      const withdrawn_usdt = isUndone ? -value : value
      if (value > 0n) uow.add(statisticsChanges, [{ merchant_id, appid: '', asset_id, at: now, withdrawn_usdt }])
    }
    if (released.includes(to)) uow.add(postings, [{ group: releaseWithdrawal(toLedgerWithdrawal(row)), memo, at: now }])
    uow.add(liveHints, [{ merchant_id, type: 'withdrawal', id: row.id }])
    // An operator wanted its sender to have it, and now the merchant does.
    if (event === 'voided' && row.origin === 'return') {
      const detail = { withdrawal: row.id, deposit_id: row.returns, reason: row.reason }
      uow.add(incidents, [{ id: newId(), kind: 'return_voided', chain_id: row.chain_id, detail, created_at: now }])
    }
    notifyOfWithdrawal(uow, row, event, to, now)
  }
}
