import { isSearchText } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useExport } from '../../kit/export/useExport.ts'
import { Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { useList } from '../../kit/list/useList.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { type Entry, entryColumns } from './columns.tsx'

const EntryModal = lazy(() => import('./EntryModal.tsx'))
const RemoveModal = lazy(() => import('./RemoveModal.tsx'))
const ImportModal = lazy(() => import('./ImportModal.tsx'))

type Open = { what: 'add' | 'import' } | { what: 'edit' | 'remove'; entry: Entry }

/** The address book: addresses that withdrawals and refunds pay. */
export default function AddressBookPage() {
  const t = useMessages('address-book')
  const common = useMessages('common')
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const list = useList(useListSearch(useSearch({ from: '/address' })), (filters, page) =>
    apiQuery('GET /api/v1/address', { query: listQuery(filters, page) }),
  )
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const columns = useMemo(
    () =>
      entryColumns(t, common, {
        edit: entry => setOpen({ what: 'edit', entry }),
        remove: entry => setOpen({ what: 'remove', entry }),
      }),
    [t, common],
  )
  const { values, set } = list.filter
  const add = (
    <Button look="primary" icon="plus" onClick={() => setOpen({ what: 'add' })}>
      {t.add}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t.title}
        text={t.text}
        caption={t.title}
        list={list}
        columns={columns}
        rowKey={row => row.id}
        lines={2}
        skeletonRows={list.page.pageSize}
        file={useExport('GET /api/v1/address/export', listQuery(values), 'AddressBook')}
        actions={
          <>
            <Button icon="upload" onClick={() => setOpen({ what: 'import' })}>
              {t.import}
            </Button>
            {add}
          </>
        }
        filters={
          <Filters label={common.search} filter={list.filter}>
            <SelectFilter
              label={t.network}
              all={t.allNetworks}
              className="w-full sm:w-48"
              value={values.currency_id}
              options={(currencies?.list ?? []).map(({ id, chain }) => ({ value: id, label: chain }))}
              onChange={currency_id => set({ currency_id })}
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
        empty={<Empty icon="pin" title={t.emptyTitle} text={t.emptyText} action={add} />}
      />
      {open && (
        <Suspense fallback={null}>
          {open.what === 'import' ? (
            <ImportModal onClose={close} />
          ) : open.what === 'remove' ? (
            <RemoveModal entry={open.entry} onClose={close} />
          ) : (
            <EntryModal entry={open.what === 'edit' ? open.entry : undefined} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  )
}
