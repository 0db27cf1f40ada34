import { lazy, Suspense, useMemo, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { useChainOptions } from '../../kit/list/choices.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { lists } from '../../lists.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { type AddressBookRow, addressBookColumns } from './columns.tsx'

const EntryModal = lazy(() => import('./EntryModal.tsx'))
const RemoveModal = lazy(() => import('./RemoveModal.tsx'))
const ImportModal = lazy(() => import('./ImportModal.tsx'))

type Open = { what: 'add' | 'import' } | { what: 'edit' | 'remove'; entry: AddressBookRow }

/** The address book: addresses that withdrawals and refunds pay. */
export default function AddressBookPage() {
  const t = useMessages('address-book')
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const columns = useMemo(
    () =>
      addressBookColumns(t, {
        edit: entry => setOpen({ what: 'edit', entry }),
        remove: entry => setOpen({ what: 'remove', entry }),
      }),
    [t],
  )
  return (
    <>
      <ListPage
        title={t.title}
        text={t.text}
        list={useList(lists.addressBook)}
        columns={columns}
        file={{ call: 'GET /api/v1/address/export', name: 'AddressBook' }}
        actions={
          <>
            <Button call="POST /api/v1/address/import" icon="upload" onClick={() => setOpen({ what: 'import' })}>
              {t.import}
            </Button>
            <Button call="POST /api/v1/address" look="primary" icon="plus" onClick={() => setOpen({ what: 'add' })}>
              {t.add}
            </Button>
          </>
        }
        filters={[
          {
            by: 'currency_id',
            label: t.network,
            all: t.allNetworks,
            useOptions: useChainOptions,
            width: 'w-full sm:w-48',
          },
          { by: 'text', label: t.search, error: t.searchBad, width: 'w-full grow sm:max-w-md' },
        ]}
        empty={<Empty icon="pin" title={t.emptyTitle} text={t.emptyText} />}
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
