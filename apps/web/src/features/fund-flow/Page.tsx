import { fundFlowTypes } from '@coffer/contract/codes.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usePrefetch } from '../../api/prefetch.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BackToAssets } from '../../kit/BackToAssets.tsx'
import { isDay } from '../../lib/days.ts'
import { useListSearch } from '../../lib/listSearch.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Table } from '../../ui/data/Table.tsx'
import { DateFilter } from '../../ui/dates/DateFilter.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { flowColumns } from './columns.tsx'
import { flowQuery, tokensOf } from './flow.ts'

/** Fund flow: every movement of the balance, with filters. */
export default function FundingDetails() {
  const t = useMessages('ledger')
  const common = useMessages('common')
  const shell = useMessages('shell')
  const { filters, filtered, current, pageSize, setFilters, clearFilters, setPage } = useListSearch([
    'type',
    'network_id',
    'token_id',
    'from',
    'to',
  ])
  const query = (page: number) => ({ query: { current: page, pageSize, ...flowQuery(filters) } })
  const flow = useQuery({
    ...apiQuery('GET /api/v1/account/stream', query(current)),
    placeholderData: keepPreviousData,
  })
  const currencies = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const more = !flow.isPlaceholderData && (flow.data?.total ?? 0) > current * pageSize
  usePrefetch('GET /api/v1/account/stream', more ? query(current + 1) : undefined)
  const { from, to } = filters
  const columns = useMemo(() => flowColumns(t), [t])
  return (
    <>
      <BackToAssets />
      <PageHeader title={shell.titles.fundingDetails} text={t.flowText} />
      <Card flush>
        <search aria-label={common.search} className="flex flex-wrap items-end gap-3 px-5 py-4">
          <Field label={t.transactionType} className="min-w-36 flex-1 sm:w-40 sm:flex-none">
            {control => (
              <Select
                {...control}
                value={filters.type}
                placeholder={t.allTypes}
                options={fundFlowTypes.map(value => ({ value: value as string, label: t.flowTypes[value] }))}
                onChange={type => setFilters({ type })}
              />
            )}
          </Field>
          <Field label={t.chain} className="min-w-36 flex-1 sm:w-40 sm:flex-none">
            {control => (
              <Select
                {...control}
                value={filters.network_id}
                placeholder={t.allChains}
                options={(currencies.data?.list ?? []).map(({ id, chain }) => ({ value: id, label: chain }))}
                onChange={network_id => setFilters({ network_id, token_id: '' })}
              />
            )}
          </Field>
          <Field label={t.token} className="min-w-36 flex-1 sm:w-40 sm:flex-none">
            {control => (
              <Select
                {...control}
                value={filters.token_id}
                placeholder={t.allTokens}
                options={tokensOf(currencies.data?.list ?? [], filters.network_id)}
                onChange={token_id => setFilters({ token_id })}
              />
            )}
          </Field>
          <DateFilter
            label={t.time}
            value={isDay(from) && isDay(to) && from <= to ? { from, to } : undefined}
            onChange={range => setFilters({ from: range?.from ?? '', to: range?.to ?? '' })}
          />
          {filtered && (
            <Button look="ghost" icon="close" onClick={clearFilters}>
              {common.clearFilters}
            </Button>
          )}
        </search>
        <Table
          caption={shell.titles.fundingDetails}
          columns={columns}
          rows={flow.data?.list}
          rowKey={row => row.id}
          recycle
          lines={2}
          skeletonRows={pageSize}
          error={flow.error}
          onRetry={() => void flow.refetch()}
          stale={flow.isPlaceholderData}
          empty={
            filtered ? (
              <Empty
                icon="filter"
                title={common.nothingFound}
                text={common.changeFilters}
                action={<Button onClick={clearFilters}>{common.clearFilters}</Button>}
              />
            ) : (
              <Empty icon="swap" title={t.flowEmpty} text={t.flowEmptyText} />
            )
          }
          paging={{ current, pageSize, total: flow.data?.total, onChange: setPage }}
        />
      </Card>
    </>
  )
}
