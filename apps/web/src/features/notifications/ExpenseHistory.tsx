import { useQuery } from '@tanstack/react-query'
import type { Data } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ListTable } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import type { ListPlace } from '../../kit/list/search.ts'
import { useList, useLocalSearch } from '../../kit/list/useList.ts'
import { dayOf, longestRange } from '../../lib/days.ts'
import { useCell } from '../../lib/useCell.ts'
import { browserZone, merchantZone } from '../../lib/zone.ts'
import { Select } from '../../ui/controls/Select.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Amount, CopyText, Time } from '../../ui/data/Values.tsx'
import { DateRange } from '../../ui/dates/DateRange.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { TokenName } from '../../ui/logos/Logo.tsx'

type ExpenseSearch = ListPlace & { network_id?: string; token_id?: string; from?: string; to?: string }
type Row = Data<'GET /api/v1/account/expend'>['list'][number]

/** The merchant's gas expenses, by network and token. */
export default function ExpenseHistory({ onClose }: { onClose(): void }) {
  const t = useMessages('shell')
  const common = useMessages('common')
  const zone = useCell(merchantZone)
  const list = useList(useLocalSearch<ExpenseSearch>({}), (filters, { current, pageSize }) =>
    apiQuery('GET /api/v1/account/expend', { query: listQuery(filters, { page: current, pageSize }) }),
  )
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const { values, set } = list.filter
  const { network_id = '', token_id = '', from, to } = values
  const tokens = currencies?.list.find(each => each.id === network_id)?.tokens ?? []
  const columns: Column<Row>[] = [
    { key: 'time', title: t.time, cell: row => <Time seconds={row.created_time} /> },
    {
      key: 'currency',
      phone: 'note',
      title: t.currency,
      cell: row => <TokenName token={row.currency.token} chain={row.currency.chain} />,
    },
    { key: 'txid', title: t.txid, cell: row => <CopyText value={row.txid} label={t.txid} /> },
    {
      key: 'amount',
      phone: 'value',
      title: t.amount,
      align: 'end',
      amount: row => ({ value: row.amount }),
      cell: row => <Amount column value={row.amount} flow="out" />,
    },
  ]
  const nothing = <Empty icon="bill" title={t.noExpenses} />
  return (
    <Modal open flush size="large" title={t.expenseHistory} onClose={onClose}>
      <div className="flex flex-wrap gap-2 px-5 pb-4">
        <Select
          aria-label={t.network}
          className="w-44"
          value={network_id}
          placeholder={`${t.network}: ${common.all}`}
          options={(currencies?.list ?? []).map(each => ({ value: each.id, label: each.net_work }))}
          onChange={network => set({ network_id: network || undefined, token_id: undefined })}
        />
        <Select
          aria-label={t.token}
          className="w-40"
          value={token_id}
          disabled={network_id === ''}
          placeholder={`${t.token}: ${common.all}`}
          options={tokens.map(each => ({ value: each.id, label: each.token }))}
          onChange={token => set({ token_id: token || undefined })}
        />
        <DateRange
          value={from !== undefined && to !== undefined ? { from, to } : undefined}
          today={dayOf(Date.now() / 1000, zone ?? browserZone())}
          longest={longestRange}
          clearable
          onChange={range => set({ from: range?.from, to: range?.to })}
        />
        {zone && <span className="self-center text-xs text-ink-3">{common.zone(zone)}</span>}
      </div>
      <ListTable
        caption={t.expenseHistory}
        list={list}
        columns={columns}
        rowKey={row => row.id}
        empty={nothing}
        noMatch={nothing}
      />
    </Modal>
  )
}
