import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useExport } from '../../kit/export/useExport.ts'
import { DaysFilter, Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { isId } from '../../kit/list/search.ts'
import { useList } from '../../kit/list/useList.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { transferColumns } from './columns.tsx'

const directions = ['in', 'out'] as const

/** Internal transfers, sent and received. */
export default function TransferRecords() {
  const t = useMessages('transfers')
  const common = useMessages('common')
  const currencies = useQuery(apiQuery('GET /api/v1/currency/list', {})).data?.list ?? []
  const list = useList(useListSearch(useSearch({ from: '/transfer/record' })), (filters, page) =>
    apiQuery('GET /api/v1/account/internal-transfer', { query: listQuery(filters, page) }),
  )
  const { values, set } = list.filter
  const columns = useMemo(() => transferColumns(t), [t])
  const width = 'min-w-36 flex-1 sm:w-40 sm:flex-none'
  const newTransfer = (
    <Link to="/transfer" look="none" className={buttonClass()}>
      {t.newTransfer}
    </Link>
  )
  return (
    <ListPage
      title={t.records}
      text={t.recordsText}
      caption={t.records}
      actions={newTransfer}
      list={list}
      columns={columns}
      rowKey={row => row.id}
      recycle
      lines={2}
      skeletonRows={list.page.pageSize}
      file={useExport('GET /api/v1/account/internal-transfer/export', listQuery(values), 'TransferRecord')}
      filters={
        <Filters label={common.search} filter={list.filter}>
          <SelectFilter
            label={t.direction}
            all={t.allDirections}
            className={width}
            value={values.direction}
            options={directions.map(value => ({ value, label: t.directions[value] }))}
            onChange={direction => set({ direction })}
          />
          <SelectFilter
            label={t.token}
            all={t.allTokens}
            className={width}
            value={values.token_id}
            options={currencies.flatMap(({ chain, tokens }) =>
              tokens.map(({ id, token }) => ({ value: id, label: `${token} · ${chain}` })),
            )}
            onChange={token_id => set({ token_id })}
          />
          <NumberFilter
            label={t.serialNumber}
            className="w-full grow sm:max-w-md"
            value={values.id}
            fits={isId}
            error={t.serialBad}
            onCommit={id => set({ id })}
          />
          <DaysFilter label={t.time} filter={list.filter} />
        </Filters>
      }
      empty={<Empty icon="swap" title={t.recordsEmpty} text={t.recordsEmptyText} action={newTransfer} />}
    />
  )
}
