import { merchantStatus, nameOf, type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import type { ReactNode } from 'react'
import { type Column, Table } from '../ui/data/Table.tsx'
import { CopyText } from '../ui/data/Values.tsx'
import { Badge, type BadgeKind } from '../ui/feedback/Badge.tsx'
import { Empty } from '../ui/feedback/States.tsx'
import { useTexts } from './texts.ts'

interface Props<R> {
  caption: string
  columns: readonly Column<R>[]
  read: { data: unknown; error: Error | null; refetch(): unknown }
  rows: readonly R[] | undefined
  rowKey(row: R): string
  empty: string
  onOpen?(row: R): void
}

/** A table of a call that answers everything at once. */
export const Rows = <R,>({ read, empty, ...table }: Props<R>) => (
  <Table
    {...table}
    error={read.error}
    onRetry={() => void read.refetch()}
    skeletonRows={3}
    empty={<Empty icon="check" title={empty} />}
  />
)

const withdrawalKinds: Record<WithdrawalState, BadgeKind> = {
  auditing: 'processing',
  audit_rejected: 'error',
  transferring: 'processing',
  confirming: 'processing',
  accomplished: 'success',
  canceled: 'closed',
  abnormal: 'error',
}

export function WithdrawalBadge({ status }: { status: number }) {
  const t = useTexts()
  const state = nameOf(withdrawalStatus, status)
  return <Badge kind={state ? withdrawalKinds[state] : 'closed'}>{state ? t.withdrawalStates[state] : status}</Badge>
}

const merchantKinds = {
  not_opened: 'closed',
  primary_audit: 'processing',
  advanced_audit: 'processing',
  approved: 'success',
  failed_audit: 'error',
  abnormal: 'error',
} as const

export function MerchantState({ status, frozen }: { status: number; frozen: boolean }) {
  const t = useTexts()
  const state = nameOf(merchantStatus, status)
  if (frozen) return <Badge kind="error">{t.frozen}</Badge>
  return <Badge kind={state ? merchantKinds[state] : 'closed'}>{state ? t.merchantStates[state] : status}</Badge>
}

/** Two texts of a cell, one below the other. */
export const Two = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <span className="block min-w-32">
    <span className="block wrap-anywhere">{first}</span>
    <span className="block text-xs wrap-anywhere text-ink-3">{second}</span>
  </span>
)

/** A whole address: operators compare it. */
export const Address = ({ value }: { value: string }) => (
  <span className="block min-w-52 font-mono text-[13px] text-balance">
    <CopyText look="whole" value={value} />
  </span>
)
