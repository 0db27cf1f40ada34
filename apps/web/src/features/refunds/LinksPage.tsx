import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiQuery } from '../../api/query.ts'
import type { Messages } from '../../i18n/areas.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { amountColumn, timeColumn } from '../../kit/list/columns.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { ListRow } from '../../kit/list/search.ts'
import { useList } from '../../kit/list/useList.ts'
import { useCancelRefundLink } from '../../kit/useCancelRefundLink.ts'
import { useCell } from '../../lib/useCell.ts'
import { lists } from '../../lists.ts'
import { CopyButton } from '../../ui/data/CopyText.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { cancelColumn, orderColumn } from './columns.tsx'
import { RefundTabs } from './RefundTabs.tsx'

type RefundLink = ListRow<'GET /api/v1/transactions/refund-link-list'>

const kinds = { open: 'processing', claimed: 'success', canceled: 'closed', expired: 'closed' } as const

const linkColumns = (
  t: Messages<'refunds'>,
  { onCancel, busy }: { onCancel(link: RefundLink): void; busy: boolean },
): Column<RefundLink>[] => [
  orderColumn(t),
  { phone: 'note', title: t.status, cell: row => <Badge kind={kinds[row.state]}>{t.linkStates[row.state]}</Badge> },
  amountColumn(t.amount, row => ({ value: row.amount, unit: row.token }), { isMain: true, phone: 'value' }),
  { title: t.link, cell: row => row.url && <ShortLink url={row.url} label={t.link} /> },
  { title: t.reason, className: 'max-w-60', cell: row => row.reason },
  {
    title: t.linkExpires,
    cell: row => row.state === 'open' && <Time seconds={row.expire_time} />,
  },
  timeColumn(t.time, row => row.created_time, { sticky: 'end' }),
  cancelColumn(t, {
    call: 'POST /api/v1/transactions/refund-link/cancel',
    can: row => row.state === 'open',
    nameOf: row => t.cancelLinkNamed(row.out_trade_no),
    onCancel,
    busy,
  }),
]

/** A link to copy, by its end: links begin alike. */
const ShortLink = ({ url, label }: { url: string; label: string }) => (
  <span className="inline-flex items-center gap-0.5">
    <span className="num whitespace-nowrap" title={url}>
      …{url.slice(-8)}
    </span>
    <CopyButton value={url} label={label} masked />
  </span>
)

/** What all open links give back, whatever the filters are. */
function Promised() {
  const t = useMessages('refunds')
  const inLanguage = useCell(language)
  const { data } = useQuery(
    apiQuery('GET /api/v1/transactions/refund-link-list', { query: { current: 1, pageSize: 1 } }),
  )
  if (!data) return null
  const count = data.promised.reduce((sum, each) => sum + each.count, 0)
  const sums = data.promised.map(({ amount, token }) => `${formatAmount(amount, inLanguage)}\u00a0${token}`)
  return (
    <p
      role="status"
      className="border-b border-line px-5 py-3 text-[13px] text-ink-2 pointer-coarse:border-0 pointer-coarse:px-0"
    >
      {count === 0 ? t.nothingPromised : t.promised(count, sums.join(' + '))}
    </p>
  )
}

/** Links by which payers claim refunds: those that wait, and those that were claimed or have ended. */
export default function RefundLinksPage() {
  const t = useMessages('refunds')
  const { mutate, isPending } = useCancelRefundLink()
  const columns = useMemo(
    () => linkColumns(t, { onCancel: ({ id }) => mutate({ body: { id } }), busy: isPending }),
    [t, mutate, isPending],
  )
  return (
    <ListPage
      title={t.linksTitle}
      text={t.linksText}
      above={<RefundTabs shown="links" />}
      notice={<Promised />}
      list={useList(lists.refundLinks)}
      columns={columns}
      filters={[
        { by: 'state', label: t.status, all: t.allStatuses, names: t.linkStates, width: 'sm:w-40' },
        { by: 'order', label: t.orderNumber, error: t.badOrder, width: 'grow sm:w-60 sm:grow-0' },
      ]}
      empty={<Empty icon="refund" title={t.linksEmpty} text={t.linksEmptyText} />}
    />
  )
}
