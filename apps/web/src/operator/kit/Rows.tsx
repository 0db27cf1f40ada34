import { type MerchantState, merchantStatus, withdrawalStatus } from '@coffer/contract/codes.ts'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Card } from '../../ui/data/Card.tsx'
import { type Column, Table } from '../../ui/data/Table.tsx'
import { CopyText } from '../../ui/data/Values.tsx'
import { Badge, type BadgeKind } from '../../ui/feedback/Badge.tsx'
import { CodeBadge, withdrawalKinds } from '../../ui/feedback/CodeBadge.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import type { IconName } from '../../ui/icons.tsx'

/** A call that is read, as `useQuery` returns it. */
interface Read<D> {
  data: D | undefined
  error: Error | null
  refetch(): unknown
}

type ListIn<D> = { [K in keyof D & string]: D[K] extends readonly unknown[] ? K : never }[keyof D & string]
type RowIn<D, L extends keyof D> = D[L] extends readonly (infer R)[] ? R : never

interface RowsProps<D, L extends ListIn<D>> {
  title: string
  read: Read<D>
  /** The list of the answer; defaults to `list`. */
  list?: L
  columns: readonly Column<RowIn<D, L>>[]
  /** The fields that identify a row; default to `id`. */
  by?: readonly (keyof RowIn<D, L>)[]
  /** What can be done with a row. */
  rowActions?(row: RowIn<D, L>): ReactNode
  /** Said when there are no rows. */
  empty: string
  icon?: IconName
  /** Lines per cell. */
  lines?: 1 | 2
}

/** A table of a call that answers everything at once. */
export function Rows<D, L extends ListIn<D> = 'list' & ListIn<D>>(props: RowsProps<D, L>) {
  const { title, read, list = 'list' as L, by = ['id' as keyof RowIn<D, L>], empty, icon = 'check', columns } = props
  const { rowActions: cell, lines = 1 } = props
  const common = useMessages('common')
  return (
    <Table
      columns={cell ? [...columns, { title: common.actions, align: 'end', cell }] : columns}
      caption={title}
      rows={read.data?.[list] as RowIn<D, L>[] | undefined}
      rowKey={row => by.map(name => row[name]).join(' ')}
      error={read.error}
      onRetry={() => void read.refetch()}
      skeletonRows={3}
      lines={lines}
      empty={<Empty icon={icon} title={empty} />}
    />
  )
}

type RowsCardProps<D, L extends ListIn<D>> = RowsProps<D, L> & {
  className?: string
  /** Shown at the end of the title line. */
  actions?: ReactNode
  /** Shown between title and table. */
  children?: ReactNode
}

/** A card with such a table. */
export const RowsCard = <D, L extends ListIn<D> = 'list' & ListIn<D>>(props: RowsCardProps<D, L>) => (
  <Card title={props.title} flush className={props.className ?? ''} actions={props.actions}>
    {props.children}
    <Rows {...props} />
  </Card>
)

/** Draws what a call answered, once it has. */
export function Loaded<D>({
  read: { data, error, refetch },
  children,
}: {
  read: Read<D>
  children(data: D): ReactNode
}) {
  if (data !== undefined) return children(data)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <Skeleton className="h-96 w-full rounded-lg" />
}

export function WithdrawalBadge({ status }: { status: number }) {
  const t = useMessages('operator')
  return <CodeBadge codes={withdrawalStatus} kinds={withdrawalKinds} labels={t.withdrawalStates} code={status} />
}

const merchantKinds: Record<MerchantState, BadgeKind> = {
  not_opened: 'closed',
  primary_audit: 'processing',
  advanced_audit: 'processing',
  approved: 'success',
  failed_audit: 'error',
  abnormal: 'error',
}

export function MerchantBadge({ status, frozen }: { status: number; frozen: boolean }) {
  const t = useMessages('operator')
  if (frozen) return <Badge kind="error">{t.frozen}</Badge>
  return <CodeBadge codes={merchantStatus} kinds={merchantKinds} labels={t.merchantStates} code={status} />
}

/** A state that is well or not, with what is known of it below. */
export const Health = ({ bad, text, note }: { bad: boolean; text: string; note?: ReactNode }) => (
  <span className="flex flex-col items-start gap-0.5">
    <Badge kind={bad ? 'error' : 'success'}>{text}</Badge>
    {note && <span className="max-w-60 text-xs wrap-anywhere text-ink-3">{note}</span>}
  </span>
)

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
