import type { WithdrawalState } from '@coffer/contract/codes.ts'
import type { WithdrawalEvent } from '@coffer/core'
import type { Queryable } from '../../kit/db.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { OutgoingItem, OutgoingOwner, OwnerKind, Payout } from '../../owner.ts'
import { withdrawalStateOf } from './steps.ts'

/** Columns that a chain transaction changes. */
interface Changes {
  txid?: string
  out_chain?: string | null
  out_from?: string | null
  out_nonce?: number | null
  /** Why it failed or was voided: of a withdrawal, and of a refund. */
  reason?: string
  failure?: string
}

/** An event of a locked row. `detail` is for its history. */
interface PayoutStep<Row> {
  row: Row
  event: WithdrawalEvent
  to: WithdrawalState
  detail: string
  changes: Changes
}

const outcomes = { waits: 'transferring', voided: 'canceled' } as const

/** A kind of payout of the outgoing engine that has the states of a withdrawal. */
interface Payable<Row> {
  kind: OwnerKind
  readDue: (c: Queryable, chainId: string, limit: number) => Promise<readonly DueRow[]>
  readUnassigned: (c: Queryable, chainId: string, limit: number) => Promise<readonly UnassignedRow[]>
  /** Locks rows by merchant and id. */
  lock: (c: Queryable, merchantIds: string[], ids: string[]) => Promise<Row[]>
  apply: (uow: UnitOfWork, steps: PayoutStep<Row>[]) => Promise<void>
  /** Sets the column that stores why it failed or was voided. */
  withReason: (reason: string) => Changes
  /** Stores which transaction has paid a row that has ended. */
  setTxid: (c: Queryable, merchantId: string, id: string, txid: string) => Promise<unknown>
}

type DueRow = Pick<Payout, 'merchant_id' | 'id' | 'asset_id'> & {
  contract: string | null
  to_address: string
  receives: bigint
  created_at: number
  waits: string
}

type UnassignedRow = Pick<OutgoingItem, 'merchant_id' | 'id'> & { receives: bigint }

type PayoutRow = { merchant_id: string; id: string; status: number; out_chain: string | null; txid: string }

/** Makes the owner that moves rows together with the transactions that carry them. */
export const payoutOwner = <Row extends PayoutRow>(payable: Payable<Row>): OutgoingOwner => ({
  ...assignRows(payable),
  ...followRows(payable),
})

const lockItems = <Row>({ lock }: Payable<Row>, uow: UnitOfWork, items: readonly OutgoingItem[]) =>
  lock(
    uow.c,
    items.map(item => item.merchant_id),
    items.map(item => item.id),
  )

type Assigning = 'due' | 'unassigned' | 'sent' | 'unsent'

/** Finds the rows that are due, and assigns them to transactions, or not. */
function assignRows<Row extends PayoutRow>(payable: Payable<Row>): Pick<OutgoingOwner, Assigning> {
  const { kind, readDue, readUnassigned, apply, withReason } = payable
  return {
    async due(c, chainId, limit) {
      const rows = await readDue(c, chainId, limit)
      return rows.map(({ contract, to_address, receives, created_at, merchant_id, id, asset_id, waits }) => {
        const paid = { token: contract, to: to_address, amount: receives, since: created_at, waits }
        return { owner: kind, merchant_id, id, asset_id, ...paid }
      })
    },

    async unassigned(c, chainId, limit) {
      const rows = await readUnassigned(c, chainId, limit)
      return rows.map(({ merchant_id, id, receives: amount }) => ({ owner: kind, merchant_id, id, amount }))
    },

    async sent(uow, items, { chain_id, from_address, nonce }) {
      const rows = await lockItems(payable, uow, items)
      // guard: payout-due
      const isDue =
        rows.length === items.length && rows.every(row => withdrawalStateOf(row) === 'transferring' && !row.out_chain)
      if (!isDue) return false
      // It no longer waits.
      const changes = { ...withReason(''), out_chain: chain_id, out_from: from_address, out_nonce: nonce }
      await apply(
        uow,
        rows.map(row => ({ row, event: 'sent', to: 'transferring', detail: '', changes })),
      )
      return true
    },

    async unsent(uow, item, event, reason) {
      const changes = withReason(reason)
      const isNew = (row: Row) => Object.entries(changes).some(([column, value]) => row[column as keyof Row] !== value)
      const rows = (await lockItems(payable, uow, [item])).filter(
        row => withdrawalStateOf(row) === 'transferring' && !row.out_chain,
      )
      // What it waited for may end it.
      const changed = event === 'waits' ? rows.filter(isNew) : rows
      const to = outcomes[event]
      const detail = event === 'waits' ? '' : reason
      await apply(
        uow,
        changed.map(row => ({ row, event, to, detail, changes })),
      )
      return changed.length > 0
    },
  }
}

/** Moves rows with the transactions that carry them, once these are sent. */
function followRows<Row extends PayoutRow>(payable: Payable<Row>): Omit<OutgoingOwner, Assigning> {
  const { apply, withReason, setTxid } = payable
  /** Applies an event to each item. Items that are in the state `to` already are left out. */
  const move = async (
    uow: UnitOfWork,
    items: readonly OutgoingItem[],
    event: WithdrawalEvent,
    to: WithdrawalState,
    detail: string,
    changes: Changes,
  ) => {
    const rows = (await lockItems(payable, uow, items)).filter(row => withdrawalStateOf(row) !== to)
    await apply(
      uow,
      rows.map(row => ({ row, event, to, detail, changes })),
    )
  }

  return {
    inBlock: (uow, items, { txid }) => move(uow, items, 'in_block', 'confirming', txid, { txid }),
    outOfBlock: (uow, items) => move(uow, items, 'out_of_block', 'transferring', '', { txid: '' }),
    final: (uow, items, { txid }) => move(uow, items, 'final', 'accomplished', txid, { txid }),
    failed: (uow, items, reason) => move(uow, items, 'failed', 'abnormal', reason, withReason(reason)),
    async takenBack(uow, items, reason) {
      const changes = { txid: '', out_chain: null, out_from: null, out_nonce: null }
      const rows = await lockItems(payable, uow, items)
      await apply(
        uow,
        rows.map(row => ({ row, event: 'taken_back', to: 'transferring', detail: reason, changes })),
      )
    },
    voided: (uow, items, reason) => move(uow, items, 'voided', 'canceled', reason, withReason(reason)),
    async restored(uow, items, { txid }) {
      for (const row of await lockItems(payable, uow, items))
        if (row.txid !== txid) await setTxid(uow.c, row.merchant_id, row.id, txid)
    },
    undone: (uow, items, reason) => move(uow, items, 'undone', 'abnormal', reason, withReason(reason)),
    async made(uow, items, { txid }) {
      // What was released, or is carried by another transaction, stays as it is: a person decides.
      const isOpen = (row: Row) =>
        withdrawalStateOf(row) === 'abnormal' || (withdrawalStateOf(row) === 'transferring' && !row.out_chain)
      const rows = (await lockItems(payable, uow, items)).filter(isOpen)
      const changes = { ...withReason(''), txid }
      await apply(
        uow,
        rows.map(row => ({ row, event: 'made', to: 'accomplished', detail: txid, changes })),
      )
    },
  }
}
