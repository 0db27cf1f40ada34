import type { WithdrawalState } from '@coffer/contract/codes.ts'
import type { WithdrawalEvent } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Item, Owner } from '../outgoing/owner.ts'
import { applySteps, type Step, stateOf } from './steps.ts'
import { lockWithdrawals, readDue } from './store.ts'

/** Moves withdrawals together with the transactions that carry them. */
export function withdrawalOwner({ clock }: Pick<Deps, 'clock'>): Owner {
  const lock = (uow: UnitOfWork, items: readonly Item[]) =>
    lockWithdrawals(
      uow.c,
      items.map(item => item.merchant_id),
      items.map(item => item.id),
    )

  /** Applies an event to each item. Items that are in the state `to` already are left out. */
  const move = async (
    uow: UnitOfWork,
    items: readonly Item[],
    event: WithdrawalEvent,
    to: WithdrawalState,
    { detail = '', changes = {} }: Pick<Step, 'detail' | 'changes'> = {},
  ) => {
    const rows = (await lock(uow, items)).filter(row => stateOf(row) !== to)
    await applySteps(
      uow,
      rows.map(row => ({ row, event, to, detail, changes })),
      clock(),
    )
  }

  return {
    async due(c, chainId, limit) {
      const rows = await readDue(c, chainId, limit)
      return rows.map(row => ({
        owner: 'withdrawal' as const,
        merchant_id: row.merchant_id,
        id: row.id,
        asset_id: row.asset_id,
        token: row.contract,
        to: row.to_address,
        amount: BigInt(row.receives),
        since: row.created_at,
      }))
    },

    async sent(uow, items, { chain_id, from_address, nonce }) {
      const rows = await lock(uow, items)
      const isDue = rows.length === items.length && rows.every(row => stateOf(row) === 'transferring' && !row.out_chain)
      if (!isDue) return false
      const changes = { out_chain: chain_id, out_from: from_address, out_nonce: nonce }
      await applySteps(
        uow,
        rows.map(row => ({ row, event: 'sent', to: 'transferring', changes })),
        clock(),
      )
      return true
    },

    inBlock: (uow, items, { txid }) => move(uow, items, 'in_block', 'confirming', { detail: txid, changes: { txid } }),
    outOfBlock: (uow, items) => move(uow, items, 'out_of_block', 'transferring', { changes: { txid: '' } }),
    final: (uow, items, { txid }) => move(uow, items, 'final', 'accomplished', { detail: txid, changes: { txid } }),
    failed: (uow, items, reason) => move(uow, items, 'failed', 'abnormal', { detail: reason, changes: { reason } }),
    voided: (uow, items, reason) => move(uow, items, 'voided', 'canceled', { detail: reason, changes: { reason } }),
  }
}
