import { type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import { isSearchText, isTradeNo, isTxid } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, useMemo } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useExport } from '../../kit/export/useExport.ts'
import { DaysFilter, Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { type FiltersAt, type Page, useList } from '../../kit/list/useList.ts'
import { type ListFilter, useListSearch } from '../../kit/list/useListSearch.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { withdrawalColumns } from './columns.tsx'

const WithdrawalDrawer = lazy(() => import('./WithdrawalDrawer.tsx'))

const states = Object.keys(withdrawalStatus) as WithdrawalState[]

/** In the URL `id` opens the details, so that the filter by number has a name of its own. */
export const recordsQuery = ({ number, ...filters }: FiltersAt<'/record/withdrawal', 'id'>, page?: Page) =>
  listQuery({ ...filters, ...(number !== undefined && { id: number }) }, page)

/** The filters of withdrawals. */
export function RecordFields({ filter }: { filter: ListFilter<FiltersAt<'/record/withdrawal', 'id'>> }) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const { values, set } = filter
  return (
    <>
      <SelectFilter
        label={t.status}
        all={t.allStatuses}
        className="w-full sm:w-40"
        value={values.status}
        options={states.map(state => ({ value: `${withdrawalStatus[state]}` as const, label: t.states[state] }))}
        onChange={status => set({ status })}
      />
      <SelectFilter
        label={t.network}
        all={t.allNetworks}
        className="w-full sm:w-40"
        value={values.network_id}
        options={(currencies?.list ?? []).map(({ id, chain }) => ({ value: id, label: chain }))}
        onChange={network_id => set({ network_id })}
      />
      <NumberFilter
        label={t.number}
        className="w-full grow sm:w-60"
        value={values.number}
        fits={isTradeNo}
        error={common.tradeNumber}
        digits
        onCommit={number => set({ number })}
      />
      <NumberFilter
        label={t.addressOrTxid}
        className="w-full grow sm:w-60"
        value={values.txid ?? values.address}
        fits={text => isTxid(text) || isSearchText(text)}
        error={t.badAddressOrTxid}
        onCommit={text =>
          set(text && isTxid(text) ? { txid: text, address: undefined } : { txid: undefined, address: text })
        }
      />
      <DaysFilter label={t.time} filter={filter} />
    </>
  )
}

/** All withdrawals. */
export default function RecordsPage() {
  const t = useMessages('withdrawals')
  const list = useList(
    useListSearch(useSearch({ from: '/record/withdrawal' })),
    (filters, page) => apiQuery('GET /api/v1/account/withdrawal-list', { query: recordsQuery(filters, page) }),
    'id',
  )
  const { open } = list
  const columns = useMemo(() => withdrawalColumns(t, open), [t, open])
  const withdraw = (
    <Link to="/withdraw" look="none" className={buttonClass('primary')}>
      {t.newOne}
    </Link>
  )
  return (
    <ListPage
      title={t.records}
      text={t.recordsText}
      caption={t.caption}
      list={list}
      columns={columns}
      rowKey={row => row.id}
      recycle
      lines={2}
      skeletonRows={list.page.pageSize}
      actions={withdraw}
      file={useExport(
        'GET /api/v1/account/withdrawal-list/export',
        recordsQuery(list.filter.values),
        'WithdrawalRecord',
      )}
      filters={
        <Filters label={t.filters} filter={list.filter}>
          <RecordFields filter={list.filter} />
        </Filters>
      }
      empty={<Empty icon="withdraw" title={t.emptyTitle} text={t.emptyText} action={withdraw} />}
      drawer={id => <WithdrawalDrawer id={id} onClose={list.close} />}
    />
  )
}
