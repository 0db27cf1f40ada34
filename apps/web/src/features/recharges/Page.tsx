import { depositStates } from '@coffer/contract/codes.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BackToAssets } from '../../kit/BackToAssets.tsx'
import { useExport } from '../../kit/export/useExport.ts'
import { DaysFilter, Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { useList } from '../../kit/list/useList.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { rechargeColumns, useStates } from './columns.tsx'
import { Receive } from './Receive.tsx'

/** Recharge: the address for a token and network, and what has arrived without a payment. */
export default function RechargePage() {
  const t = useMessages('ledger')
  const common = useMessages('common')
  const states = useStates()
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const list = useList(useListSearch(useSearch({ from: '/property/recharge' })), (filters, page) =>
    apiQuery('GET /api/v1/account/recharge', { query: listQuery(filters, page) }),
  )
  const columns = useMemo(() => rechargeColumns(t, states), [t, states])
  const { values, set } = list.filter
  const tokens = (currencies?.list ?? []).flatMap(({ chain, tokens }) =>
    tokens.map(({ id, token }) => ({ value: id, label: `${token} · ${chain}` })),
  )
  return (
    <>
      <BackToAssets />
      <ListPage
        title={t.recharge}
        text={t.rechargeText}
        caption={t.records}
        list={list}
        columns={columns}
        rowKey={row => row.id}
        lines={2}
        skeletonRows={3}
        file={useExport('GET /api/v1/account/recharge/export', listQuery(values), 'RechargeRecord')}
        actions={
          <Link to="/property/fixedAddr" look="none" className={buttonClass()}>
            {t.fixedAddr}
          </Link>
        }
        above={<Receive chains={currencies?.list} />}
        filters={
          <Filters label={common.search} filter={list.filter}>
            <SelectFilter
              label={t.status}
              all={t.allStates}
              className="w-full sm:w-40"
              value={values.state}
              options={depositStates.map(value => ({ value, label: states[value] }))}
              onChange={state => set({ state })}
            />
            <SelectFilter
              label={t.token}
              all={t.allTokens}
              className="w-full sm:w-48"
              value={values.token_id}
              options={tokens}
              onChange={token_id => set({ token_id })}
            />
            <NumberFilter
              label={t.referenceOrAddress}
              className="w-full grow sm:w-64"
              value={values.text}
              fits={text => text.length <= 128}
              error={t.referenceBad}
              onCommit={text => set({ text })}
            />
            <DaysFilter label={t.time} filter={list.filter} />
          </Filters>
        }
        empty={<Empty icon="wallet" title={t.rechargeEmpty} text={t.rechargeEmptyText} />}
      />
    </>
  )
}
