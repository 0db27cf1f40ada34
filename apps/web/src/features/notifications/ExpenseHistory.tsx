import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Data } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { type DayRange, dayOf, longestRange, timesOf } from '../../lib/days.ts'
import { Select } from '../../ui/controls/Select.tsx'
import { type Column, Table } from '../../ui/data/Table.tsx'
import { Amount, CopyText, Time } from '../../ui/data/Values.tsx'
import { DateRange } from '../../ui/dates/DateRange.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { TokenName } from '../../ui/logos/Logo.tsx'

type Row = Data<'GET /api/v1/account/expend'>['list'][number]

/** Every gas expense of the merchant, by network and token. */
export default function ExpenseHistory({ onClose }: { onClose(): void }) {
  const t = useMessages('shell')
  const common = useMessages('common')
  const [paging, setPaging] = useState({ current: 1, pageSize: 10 })
  const [network, setNetwork] = useState('')
  const [token, setToken] = useState('')
  const [range, setRange] = useState<DayRange>()
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const query = {
    page: paging.current,
    pageSize: paging.pageSize,
    network_id: network,
    token_id: token,
    ...(range && timesOf(range)),
  }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...apiQuery('GET /api/v1/account/expend', { query }),
    placeholderData: keepPreviousData,
  })
  const choose =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setPaging({ ...paging, current: 1 })
    }
  const tokens = currencies?.list.find(each => each.id === network)?.tokens ?? []
  const columns: Column<Row>[] = [
    { key: 'time', title: t.time, cell: row => <Time seconds={row.created_time} /> },
    {
      key: 'currency',
      title: t.currency,
      cell: row => <TokenName token={row.currency.token} chain={row.currency.chain} />,
    },
    { key: 'txid', title: t.txid, cell: row => <CopyText value={row.txid} label={t.txid} /> },
    { key: 'amount', title: t.amount, align: 'end', cell: row => <Amount column value={row.amount} flow="out" /> },
  ]
  return (
    <Modal open flush size="large" title={t.expenseHistory} onClose={onClose}>
      <div className="flex flex-wrap gap-2 px-5 pb-4">
        <Select
          aria-label={t.network}
          className="w-44"
          value={network}
          placeholder={`${t.network}: ${common.all}`}
          options={(currencies?.list ?? []).map(each => ({ value: each.id, label: each.net_work }))}
          onChange={choose((value: string) => {
            setNetwork(value)
            setToken('')
          })}
        />
        <Select
          aria-label={t.token}
          className="w-40"
          value={token}
          disabled={network === ''}
          placeholder={`${t.token}: ${common.all}`}
          options={tokens.map(each => ({ value: each.id, label: each.token }))}
          onChange={choose(setToken)}
        />
        <DateRange
          value={range}
          today={dayOf(Date.now() / 1000)}
          longest={longestRange}
          clearable
          onChange={choose(setRange)}
        />
      </div>
      <Table
        caption={t.expenseHistory}
        columns={columns}
        rows={data?.list}
        rowKey={row => row.id}
        error={error}
        onRetry={() => void refetch()}
        stale={isPlaceholderData}
        empty={<Empty icon="bill" title={t.noExpenses} />}
        paging={{ ...paging, total: data?.total, onChange: setPaging }}
      />
    </Modal>
  )
}
