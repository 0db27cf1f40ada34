import type { WithdrawalState } from '@coffer/contract/codes.ts'
import type { WithdrawalEvent } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Item, Owner } from '../outgoing/owner.ts'
import { applyRefundSteps, type RefundStep, stateOf } from './steps.ts'
import { lockRefunds, readDue } from './store.ts'

/** Moves refunds together with the transactions that carry them. */
export function refundOwner(deps: Deps): Owner {
  const lock = (uow: UnitOfWork, items: readonly Item[]) =>
    lockRefunds(
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
    changes: RefundStep['changes'] = {},
  ) => {
    const rows = (await lock(uow, items)).filter(row => stateOf(row) !== to)
    await applyRefundSteps(
      deps,
      uow,
      rows.map(row => ({ row, event, to, changes })),
      deps.clock(),
    )
  }

  return {
    async due(c, chainId, limit) {
      const rows = await readDue(c, chainId, limit)
      return rows.map(row => ({
        owner: 'refund' as const,
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
      await applyRefundSteps(
        deps,
        uow,
        rows.map(row => ({ row, event: 'sent', to: 'transferring', changes })),
        deps.clock(),
      )
      return true
    },

    inBlock: (uow, items, { txid }) => move(uow, items, 'in_block', 'confirming', { txid }),
    outOfBlock: (uow, items) => move(uow, items, 'out_of_block', 'transferring', { txid: '' }),
    final: (uow, items, { txid }) => move(uow, items, 'final', 'accomplished', { txid }),
    failed: (uow, items, failure) => move(uow, items, 'failed', 'abnormal', { failure }),
    voided: (uow, items, failure) => move(uow, items, 'voided', 'canceled', { failure }),
  }
}
