import { applicationStatus, merchantStatus } from '@coffer/contract/codes.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useListSearch } from '../../lib/listSearch.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { SearchInput } from '../../ui/controls/SearchInput.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Table } from '../../ui/data/Table.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { applicationColumns } from './columns.tsx'
import type { Secrets } from './SettingsDrawer.tsx'
import type { Application } from './settings.ts'
import { useActions } from './useActions.ts'
import { useNamed } from './useNamed.ts'

const SettingsDrawer = lazy(() => import('./SettingsDrawer.tsx'))
const SecretsModal = lazy(() => import('./SecretsModal.tsx'))
const RenewModal = lazy(() => import('./RenewModal.tsx'))
const NotifyUrlModal = lazy(() => import('./NotifyUrlModal.tsx'))
const DeleteModal = lazy(() => import('./DeleteModal.tsx'))

/** What is open over the list. */
type Open =
  | { what: 'settings'; application: Application | null }
  | { what: 'renew'; application: Application; target: 'secret_key' | 'webhook_secret' }
  | { what: 'notify' | 'delete'; application: Application }
  | { what: 'secrets'; secrets: Secrets }

export default function ApplicationsPage() {
  const t = useMessages('applications')
  const common = useMessages('common')
  const search = useListSearch(['name'])
  const { current, pageSize } = search
  const list = useQuery({
    ...apiQuery('GET /api/v1/user/secret-key/list', { query: { current, pageSize, name: search.filters.name } }),
    placeholderData: keepPreviousData,
  })
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const navigate = useNavigate()
  const actions = useActions()
  const [open, setOpen] = useState<Open | null>(null)
  useNamed(application => setOpen({ what: 'settings', application }))
  const approved = user === undefined || user.status === merchantStatus.approved
  const create = (
    <Button
      look="primary"
      icon={approved ? 'plus' : 'arrowRight'}
      onClick={() => (approved ? setOpen({ what: 'settings', application: null }) : void navigate({ to: '/openAuth' }))}
    >
      {approved ? t.create : t.open}
    </Button>
  )
  const columns = applicationColumns(t, {
    onEdit: application => setOpen({ what: 'settings', application }),
    menu: application => [
      {
        key: 'notify',
        label: t.changeNotifyUrl,
        icon: 'webhook',
        onSelect: () => setOpen({ what: 'notify', application }),
      },
      {
        key: 'test',
        label: t.sendTest,
        icon: 'send',
        disabled: application.notify_url === '',
        onSelect: () => actions.sendTest(application),
      },
      {
        key: 'callbacks',
        label: t.seeCallbacks,
        icon: 'list',
        onSelect: () => void navigate({ to: '/callbackList', search: { appid: application.appid } as never }),
      },
      {
        key: 'key',
        label: t.renewKey,
        icon: 'key',
        onSelect: () => setOpen({ what: 'renew', application, target: 'secret_key' }),
      },
      {
        key: 'webhook',
        label: t.renewWebhook,
        icon: 'refresh',
        onSelect: () => setOpen({ what: 'renew', application, target: 'webhook_secret' }),
      },
      {
        key: 'toggle',
        label: application.status === applicationStatus.enabled ? t.disable : t.enable,
        icon: application.status === applicationStatus.enabled ? 'close' : 'check',
        onSelect: () => void actions.toggle(application),
      },
      {
        key: 'delete',
        label: t.delete,
        icon: 'trash',
        danger: true,
        onSelect: () => setOpen({ what: 'delete', application }),
      },
    ],
  })
  return (
    <>
      <PageHeader title={t.title} text={t.text} actions={approved && create} />
      <Card flush>
        <search className="flex px-5 py-4">
          <SearchInput
            label={t.searchName}
            value={search.filters.name}
            onCommit={name => search.setFilters({ name })}
            className="w-full sm:w-64"
          />
        </search>
        <Table
          caption={t.caption}
          columns={columns}
          rows={list.data?.list}
          rowKey={row => row.appid}
          lines={2}
          error={list.error}
          onRetry={() => void list.refetch()}
          stale={list.isPlaceholderData}
          empty={
            search.filtered ? (
              <Empty icon="search" title={common.nothingFound} />
            ) : (
              <Empty icon="key" title={t.emptyTitle} text={approved ? t.emptyText : t.needsOpening} action={create} />
            )
          }
          paging={{ current, pageSize, total: list.data?.total, onChange: search.setPage }}
        />
      </Card>
      <Suspense fallback={null}>
        <Opened open={open} onOpen={setOpen} />
      </Suspense>
    </>
  )
}

function Opened({ open, onOpen }: { open: Open | null; onOpen(open: Open | null): void }) {
  const close = () => onOpen(null)
  const show = (secrets: Secrets) => onOpen({ what: 'secrets', secrets })
  switch (open?.what) {
    case undefined:
      return null
    case 'settings':
      return <SettingsDrawer application={open.application} onClose={close} onCreated={show} />
    case 'renew':
      return <RenewModal application={open.application} target={open.target} onClose={close} onRenewed={show} />
    case 'notify':
      return <NotifyUrlModal application={open.application} onClose={close} />
    case 'delete':
      return <DeleteModal application={open.application} onClose={close} />
    case 'secrets':
      return <SecretsModal secrets={open.secrets} onClose={close} />
  }
}
