import { fundFlowTypes } from '@coffer/contract/codes.ts'
import { flowDirections, fundAccounts } from '@coffer/contract/fund-flow.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BackToAssets } from '../../kit/BackToAssets.tsx'
import { useExport } from '../../kit/export/useExport.ts'
import { DaysFilter, Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { useList } from '../../kit/list/useList.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { useCell } from '../../lib/useCell.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Menu } from '../../ui/controls/Menu.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { flowColumns } from './columns.tsx'
import { tokensOf } from './flow.ts'

const journals = ['csv', 'hledger'] as const

/** Fund flow: every change to the balances. */
export default function FundingDetails() {
  const t = useMessages('fund-flow')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const currencies = useQuery(apiQuery('GET /api/v1/currency/list', {})).data?.list ?? []
  const list = useList(useListSearch(useSearch({ from: '/property/fundingDetails' })), (filters, page) =>
    apiQuery('GET /api/v1/account/stream', { query: listQuery(filters, page) }),
  )
  const { values, set } = list.filter
  const file = useExport('GET /api/v1/account/stream/export', listQuery(values), 'FundFlow')
  const columns = useMemo(() => flowColumns(t, inLanguage), [t, inLanguage])
  const width = 'min-w-36 flex-1 sm:w-40 sm:flex-none'
  return (
    <>
      <BackToAssets />
      <ListPage
        title={t.title}
        text={t.text}
        caption={t.title}
        file={file}
        actions={
          <Menu
            label={t.journal}
            items={journals.map(format => ({
              key: format,
              label: t.journalFormats[format],
              onSelect: () => file.start({ format }),
            }))}
            trigger={props => (
              <Button {...props} icon="book" disabled={list.total === 0}>
                {t.journal}
              </Button>
            )}
          />
        }
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
              options={fundFlowTypes.map(value => ({ value, label: t.types[value] }))}
              onChange={type => set({ type })}
            />
            <SelectFilter
              label={t.fundAccount}
              all={t.allAccounts}
              className={width}
              value={values.account}
              options={fundAccounts.map(value => ({ value, label: t.accounts[value] }))}
              onChange={account => set({ account })}
            />
            <SelectFilter
              label={t.direction}
              all={t.allDirections}
              className={width}
              value={values.direction}
              options={flowDirections.map(value => ({ value, label: t.directions[value] }))}
              onChange={direction => set({ direction })}
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
            title={t.empty}
            text={t.emptyText}
            action={
              <Link to="/initPage" look="none" className={buttonClass()}>
                {t.emptyAction}
              </Link>
            }
          />
        }
      />
    </>
  )
}
