import { fundFlowTypes } from '@coffer/contract/codes.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BackToAssets } from '../../kit/BackToAssets.tsx'
import { DaysFilter, Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { useList, useListSearch } from '../../kit/list/useList.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { flowColumns } from './columns.tsx'
import { tokensOf } from './flow.ts'

/** Fund flow: every change to the balance. */
export default function FundingDetails() {
  const t = useMessages('ledger')
  const common = useMessages('common')
  const currencies = useQuery(apiQuery('GET /api/v1/currency/list', {})).data?.list ?? []
  const list = useList(useListSearch(useSearch({ from: '/property/fundingDetails' })), (filters, page) =>
    apiQuery('GET /api/v1/account/stream', { query: listQuery(filters, page) }),
  )
  const { values, set } = list.filter
  const columns = useMemo(() => flowColumns(t), [t])
  const width = 'min-w-36 flex-1 sm:w-40 sm:flex-none'
  return (
    <>
      <BackToAssets />
      <ListPage
        title={t.flowTitle}
        text={t.flowText}
        caption={t.flowTitle}
        list={list}
        columns={columns}
        rowKey={row => row.id}
        recycle
        lines={2}
        skeletonRows={list.page.pageSize}
        filters={
          <Filters label={common.search} filter={list.filter}>
            <SelectFilter
              label={t.transactionType}
              all={t.allTypes}
              className={width}
              value={values.type}
              options={fundFlowTypes.map(value => ({ value, label: t.flowTypes[value] }))}
              onChange={type => set({ type })}
            />
            <SelectFilter
              label={t.chain}
              all={t.allChains}
              className={width}
              value={values.network_id}
              options={currencies.map(({ id, chain }) => ({ value: id, label: chain }))}
              onChange={network_id => set({ network_id, token_id: undefined })}
            />
            <SelectFilter
              label={t.token}
              all={t.allTokens}
              className={width}
              value={values.token_id}
              options={tokensOf(currencies, values.network_id)}
              onChange={token_id => set({ token_id })}
            />
            <DaysFilter label={t.time} filter={list.filter} />
          </Filters>
        }
        empty={
          <Empty
            icon="swap"
            title={t.flowEmpty}
            text={t.flowEmptyText}
            action={
              <Link to="/initPage" look="none" className={buttonClass()}>
                {t.flowEmptyAction}
              </Link>
            }
          />
        }
      />
    </>
  )
}
