import { isSearchText } from '@coffer/contract/validators.ts'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { useList } from '../../kit/list/useList.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { linkColumns, type PaymentLink } from './columns.tsx'

const CreateLink = lazy(() => import('./CreateLink.tsx'))
const LinkView = lazy(() => import('./LinkView.tsx'))

/** Payment links: created, shared, printed and ended. */
export default function PaymentLinks() {
  const t = useMessages('payment-links')
  const common = useMessages('common')
  const { trade_no: _trade, view: _view, ...search } = useSearch({ from: '/collect' })
  const list = useList(useListSearch(search), ({ active, ...filters }, page) =>
    apiQuery('GET /api/v1/payment-link', { query: { ...listQuery(filters, page), ...(active && { active }) } }),
  )
  const [creating, setCreating] = useState(false)
  const [shown, setShown] = useState<PaymentLink>()
  const columns = useMemo(() => linkColumns(t, setShown), [t])
  const { values, set } = list.filter
  const create = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t.title}
        text={t.text}
        caption={t.caption}
        actions={create}
        list={list}
        columns={columns}
        rowKey={row => row.id}
        onOpen={(row: PaymentLink) => setShown(row)}
        lines={2}
        skeletonRows={list.page.pageSize}
        filters={
          <Filters label={common.search} filter={list.filter}>
            <SelectFilter
              label={t.state}
              all={t.allStates}
              className="min-w-36 flex-1 sm:w-40 sm:flex-none"
              value={values.active}
              options={[
                { value: '1', label: t.active },
                { value: '0', label: t.ended },
              ]}
              onChange={active => set({ active })}
            />
            <NumberFilter
              label={t.search}
              className="w-full grow sm:max-w-md"
              value={values.text}
              fits={isSearchText}
              error={t.searchBad}
              onCommit={text => set({ text })}
            />
          </Filters>
        }
        empty={<Empty title={t.emptyTitle} text={t.emptyText} action={create} />}
      />
      <Suspense fallback={null}>
        {creating && (
          <CreateLink
            onClose={() => setCreating(false)}
            onDone={link => {
              setCreating(false)
              setShown(link)
            }}
          />
        )}
        {shown && <LinkView link={shown} onClose={() => setShown(undefined)} />}
      </Suspense>
    </>
  )
}
