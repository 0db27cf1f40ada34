import { type MerchantState, merchantStatus, withdrawalStatus } from '@coffer/contract/codes.ts'
import { manualReviewRiskLevels } from '@coffer/contract/merchants/risk-levels.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { ListPageProps } from '../../kit/list/listParts.tsx'
import type { ListCall, ListRow, SearchRules } from '../../kit/list/search.ts'
import { Card } from '../../ui/data/Card.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { type Column, Table } from '../../ui/data/Table.tsx'
import { Badge, type BadgeKind } from '../../ui/feedback/Badge.tsx'
import { CodeBadge, withdrawalBadgeKinds } from '../../ui/feedback/CodeBadge.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import type { IconName } from '../../ui/icons.tsx'
import { MerchantLink } from './links.tsx'

const media = matchMedia('(max-width: 639px)')

const subscribe = (notify: () => void) => {
  media.addEventListener('change', notify)
  return () => media.removeEventListener('change', notify)
}

/** Whether the window is as narrow as a phone. */
const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => media.matches)

/** A call that is read, as `useQuery` returns it. */
export interface QueryState<D> {
  data: D | undefined
  error: Error | null
  refetch(): unknown
  /** Whether the role of the operator does not read it. */
  isRefused?: true
}

type ListIn<D> = { [K in keyof D & string]: D[K] extends readonly unknown[] ? K : never }[keyof D & string]
type RowIn<D, L extends keyof D> = D[L] extends readonly (infer R)[] ? R : never

interface RowsProps<D, L extends ListIn<D>> {
  title: string
  read: QueryState<D>
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
  const isNarrow = useNarrow()
  const rows = read.data?.[list] as RowIn<D, L>[] | undefined
  const keyOf = (row: RowIn<D, L>) => by.map(name => row[name]).join(' ')
  if (isNarrow && rows && rows.length > 0)
    return <PhoneRows title={title} rows={rows} rowKey={keyOf} columns={columns} actions={cell} />
  if (isNarrow && rows) return <Empty icon={icon} title={empty} />
  if (isNarrow && !read.error) return <Skeleton className="m-5 h-24" />
  return (
    <Table
      columns={cell ? [...columns, { title: common.actions, align: 'end', cell }] : columns}
      caption={title}
      rows={rows}
      rowKey={keyOf}
      error={read.error}
      onRetry={() => void read.refetch()}
      skeletonRows={3}
      lines={lines}
      empty={<Empty icon={icon} title={empty} />}
    />
  )
}

interface PhoneRowsProps<R> {
  title: string
  rows: readonly R[]
  rowKey(row: R): string
  columns: readonly Column<R>[]
  actions?: ((row: R) => ReactNode) | undefined
}

/** Rows on a phone. */
export const PhoneRows = <R,>({ title, rows, rowKey, columns, actions }: PhoneRowsProps<R>) => (
  <ul aria-label={title} className="divide-y divide-line border-t border-line">
    {rows.map(row => (
      <PhoneRow key={rowKey(row)} row={row} columns={columns} actions={actions?.(row)} />
    ))}
  </ul>
)

type ConsoleListProps<K extends ListCall, R extends SearchRules> = ListPageProps<K, R> & {
  columns: readonly Column<ListRow<K>>[]
  rowKey: keyof ListRow<K>
}

/** A list page with filters, in rows on a phone. */
export function ConsoleList<K extends ListCall, R extends SearchRules>(props: ConsoleListProps<K, R>) {
  const { title, columns, rowKey } = props
  const isNarrow = useNarrow()
  return (
    <ListPage
      {...props}
      rows={
        isNarrow &&
        (rows => <PhoneRows title={title} rows={rows} columns={columns} rowKey={row => String(row[rowKey])} />)
      }
    />
  )
}

/** A row on a phone: what it is and its state first, then the other columns with their names. */
function PhoneRow<R>({ row, columns, actions }: { row: R; columns: readonly Column<R>[]; actions: ReactNode }) {
  const [first, ...rest] = columns
  const isBeside = ({ phone }: Column<R>) => phone === 'value'
  // What a row has nothing of takes no line.
  const others = rest
    .filter(column => !isBeside(column))
    .map(({ key, title, cell }) => ({ key, title, shown: cell(row) }))
    .filter(({ shown }) => shown !== null && shown !== false && shown !== '')
  return (
    <li className="flex flex-col gap-1.5 px-5 py-3 text-sm">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0 font-medium">{first?.cell(row)}</div>
        {rest.filter(isBeside).map((column, index) => (
          <div key={column.key ?? index} className="shrink-0">
            {column.cell(row)}
          </div>
        ))}
      </div>
      <dl className="flex flex-col gap-1">
        {others.map(({ key, title, shown }, index) => (
          <div key={key ?? index} className="flex items-baseline justify-between gap-4">
            <dt className="shrink-0 text-[13px] text-ink-3">{title}</dt>
            <dd className="min-w-0 text-right wrap-anywhere">{shown}</dd>
          </div>
        ))}
      </dl>
      {actions && <div className="mt-1 flex flex-wrap gap-2">{actions}</div>}
    </li>
  )
}

type RowsCardProps<D, L extends ListIn<D>> = RowsProps<D, L> & {
  className?: string
  /** Shown at the end of the title line. */
  actions?: ReactNode
  /** Shown between title and table. */
  children?: ReactNode
}

/** A card with such a table; nothing for a role that does not read it. */
export const RowsCard = <D, L extends ListIn<D> = 'list' & ListIn<D>>(props: RowsCardProps<D, L>) =>
  props.read.isRefused ? null : (
    <Card title={props.title} flush className={props.className ?? ''} actions={props.actions}>
      {props.children}
      <Rows {...props} />
    </Card>
  )

/** Draws what a call answered, once it has; nothing for a role that does not read it. */
export function Loaded<D>({
  read: { data, error, refetch, isRefused },
  children,
}: {
  read: QueryState<D>
  children(data: D): ReactNode
}) {
  if (data !== undefined) return children(data)
  if (isRefused) return null
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <Skeleton className="h-96 w-full rounded-lg" />
}

export function WithdrawalBadge({ status }: { status: number }) {
  const t = useMessages('operator')
  return <CodeBadge codes={withdrawalStatus} kinds={withdrawalBadgeKinds} labels={t.withdrawalStates} code={status} />
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

type Risk = OperatorData<'GET /api/operator/v1/merchants/:id'>['risk_level']

const riskKinds: Record<Risk, BadgeKind> = {
  fail: 'error',
  abnormal: 'error',
  pass: 'closed',
  excellent: 'success',
  '': 'closed',
}

/** Whose money it is: the name, with the number and the risk level below. */
export function MerchantCell({
  of: { mchid, name, risk_level },
}: {
  of: { mchid: string; name: string; risk_level: Risk }
}) {
  return (
    <span className="block min-w-32">
      <span className="block">
        <MerchantLink id={mchid}>{name || mchid}</MerchantLink>
      </span>
      {manualReviewRiskLevels.includes(risk_level) ? (
        <RiskBadge level={risk_level} />
      ) : (
        <span className="text-xs text-ink-3">{name && mchid}</span>
      )}
    </span>
  )
}

export function RiskBadge({ level }: { level: Risk }) {
  const t = useMessages('operator')
  return <Badge kind={riskKinds[level]}>{t.riskIs(level ? t.risks[level] : t.notJudged)}</Badge>
}

/** A state that is well or not, with what is known of it below. */
export const HealthStatus = ({ bad, text, note }: { bad: boolean; text: string; note?: ReactNode }) => (
  <span className="flex flex-col gap-0.5 max-sm:items-end max-sm:text-right sm:items-start">
    <Badge kind={bad ? 'error' : 'success'}>{text}</Badge>
    {note && <span className="block max-w-60 min-w-44 text-xs wrap-anywhere text-ink-3">{note}</span>}
  </span>
)

/** What stands below each other in a cell: on the right in a phone's row. */
export const Stack = ({ children }: { children: ReactNode }) => (
  <span className="flex flex-col gap-0.5 max-sm:items-end sm:items-start">{children}</span>
)

/** Two texts of a cell, one below the other. */
export const TwoLineCell = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <span className="block min-w-32">
    <span className="block wrap-anywhere">{first}</span>
    <span className="block text-xs wrap-anywhere text-ink-3">{second}</span>
  </span>
)

/** What an entry is about. Numbers and hashes break only between groups of four. */
export const LogSubject = ({ text }: { text: string }) =>
  /^(?:\d{32}|0x[0-9a-f]{64})$/i.test(text) ? <CopyText look="groups" value={text} /> : text

/** A whole address: operators compare it. */
export const Address = ({ value }: { value: string }) => (
  <span className="block min-w-52 font-mono text-[13px] text-balance">
    <CopyText look="whole" value={value} />
  </span>
)
