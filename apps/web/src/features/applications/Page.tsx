import { applicationStatus, merchantStatus } from '@coffer/contract/codes.ts'
import { listKeyScopes } from '@coffer/contract/kit/key-scopes.ts'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { showFailureToast } from '../../api/explain.ts'
import { apiQuery, queryClient } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { newApplicationParam } from '../../kit/firstPayment.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { useMay } from '../../lib/refused.ts'
import { isSandbox } from '../../lib/sandbox.ts'
import { showToast } from '../../lib/toast.ts'
import { useCell } from '../../lib/useCell.ts'
import { lists } from '../../lists.ts'
import { Button } from '../../ui/controls/Button.tsx'
import type { MenuItem } from '../../ui/controls/Menu.tsx'
import { SearchInput } from '../../ui/controls/SearchInput.tsx'
import { confirm } from '../../ui/feedback/confirm.ts'
import { Empty } from '../../ui/feedback/States.tsx'
import type { IconName } from '../../ui/icons.tsx'
import type { ApplicationChange } from './Change.tsx'
import { applicationColumns } from './columns.tsx'
import type { ApplicationSecrets } from './SettingsDrawer.tsx'
import type { Application } from './settings.ts'

const SettingsDrawer = lazy(() => import('./SettingsDrawer.tsx'))
const SecretsModal = lazy(() => import('./SecretsModal.tsx'))
const Change = lazy(() => import('./Change.tsx'))
const Endpoints = lazy(() => import('./Endpoints.tsx'))
const Rates = lazy(() => import('./Rates.tsx'))
const Scenarios = lazy(() => import('./Scenarios.tsx'))
const Shops = lazy(() => import('./shops/Shops.tsx'))

/** The open dialog or drawer. */
type Open =
  | { what: 'settings'; application: Application | null }
  | ApplicationChange
  | { what: 'secrets'; secrets: ApplicationSecrets }
  | { what: 'endpoints' | 'shops' | 'rates' | 'scenarios'; application: Application }

export default function ApplicationsPage() {
  const t = useMessages('applications')
  const common = useMessages('common')
  const list = useList(lists.applications)
  const { values, set } = list.filter
  const { approved, create, onEdit, menu, dialog } = useApplicationActions(list)
  const columns = applicationColumns(t, { onEdit, menu })
  return (
    <>
      <ListPage
        title={t.title}
        text={t.text}
        caption={t.caption}
        actions={approved && create}
        list={list}
        columns={columns}
        rowKey="appid"
        skeletonRows={10}
        notice={
          <search className="flex px-5 py-4">
            <SearchInput
              label={t.searchName}
              value={values.name ?? ''}
              onCommit={name => set({ name: name || undefined })}
              className="w-full sm:w-64"
            />
          </search>
        }
        empty={
          <Empty
            icon="key"
            title={t.emptyTitle}
            text={approved ? t.emptyText : t.needsOpening}
            action={!approved && create}
          />
        }
        noMatch={<Empty icon="search" title={common.nothingFound} />}
      />
      {dialog}
    </>
  )
}

/** Where the list of a device opens the application that the URL names. */
interface Place {
  opened: string | undefined
  close(): void
}

/** What can be done with applications, and the dialog that is open for it. */
export function useApplicationActions(list: Place) {
  const t = useMessages('applications')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open | null>(null)
  const approved = user === undefined || user.status === merchantStatus.approved
  const openNew = () =>
    approved ? setOpen({ what: 'settings', application: null }) : void navigate({ to: '/openAuth' })
  // Opens the application named in the URL, or the form of a new one, once, and removes it from the URL.
  const openNamed = useEffectEvent(async (appid: string) => {
    list.close()
    if (appid === newApplicationParam) return openNew()
    try {
      const application = await queryClient.fetchQuery(apiQuery('GET /api/v1/user/secret-key', { query: { appid } }))
      setOpen({ what: 'settings', application })
    } catch (error) {
      showFailureToast(error as Error)
    }
  })
  useEffect(() => {
    if (list.opened) void openNamed(list.opened)
  }, [list.opened])
  const create = (
    <Button
      call="POST /api/v1/user/secret-key"
      look="primary"
      icon={approved ? 'plus' : 'arrowRight'}
      onClick={openNew}
    >
      {approved ? t.create : t.open}
    </Button>
  )
  return {
    approved,
    create,
    onEdit: (application: Application) => setOpen({ what: 'settings', application }),
    menu: useMenu(setOpen, user?.member?.role),
    dialog: (
      <Suspense fallback={null}>
        <Opened open={open} onOpen={setOpen} />
      </Suspense>
    ),
  }
}

/** The menu of an application. */
function useMenu(onOpen: (open: Open) => void, role: MerchantRole = 'owner') {
  const t = useMessages('applications')
  const may = useMay()
  const navigate = useNavigate()
  const { disable, sendTest } = useActions()
  const sandbox = useCell(isSandbox)
  const opening = (key: string, label: string, icon: IconName, open: Open): MenuItem => ({
    key,
    label,
    icon,
    onSelect: () => onOpen(open),
  })
  return (application: Application): MenuItem[] => {
    const { appid, notify_url, previous_key_until, previous_webhook_until } = application
    const isEnabled = application.status === applicationStatus.enabled
    const movesMoney = application.refunds_allowed || application.payouts_allowed || application.marks_allowed
    const edits = may('PUT /api/v1/user/secret-key')
    // Nobody but an owner holds anything of a key that moves money; the server decides.
    const holds = edits && (role === 'owner' || !movesMoney)
    const items: (MenuItem | false)[] = [
      holds && opening('notify', t.changeNotifyUrl, 'webhook', { what: 'notify', application }),
      may('POST /api/v1/callback/test') && {
        key: 'test',
        label: t.sendTest,
        icon: 'send',
        disabled: notify_url === '',
        onSelect: () => sendTest(application),
      },
      sandbox && edits && opening('scenarios', t.scenarios, 'check', { what: 'scenarios', application }),
      may('GET /api/v1/callback/list') && {
        key: 'callbacks',
        label: t.seeCallbacks,
        icon: 'list',
        onSelect: () => void navigate({ to: '/callbackList', search: { appid } }),
      },
      edits && opening('endpoints', t.endpoints, 'webhook', { what: 'endpoints', application }),
      edits && opening('shops', t.shops, 'globe', { what: 'shops', application }),
      holds && opening('rates', t.rates, 'swap', { what: 'rates', application }),
      holds && opening('key', t.renewKey, 'key', { what: 'renew', application, target: 'secret_key' }),
      holds && opening('webhook', t.renewWebhook, 'refresh', { what: 'renew', application, target: 'webhook_secret' }),
      edits &&
        previous_key_until > 0 &&
        opening('endKey', t.endKey, 'close', { what: 'end', application, target: 'secret_key' }),
      edits &&
        previous_webhook_until > 0 &&
        opening('endWebhook', t.endWebhook, 'close', { what: 'end', application, target: 'webhook_secret' }),
      isEnabled
        ? edits && { key: 'toggle', label: t.disable, icon: 'close', onSelect: () => void disable(application) }
        : holds && opening('toggle', t.enable, 'check', { what: 'enable', application }),
      edits && { ...opening('delete', t.delete, 'trash', { what: 'delete', application }), danger: true },
    ]
    return items.filter(item => item !== false)
  }
}

function Opened({ open, onOpen }: { open: Open | null; onOpen(open: Open | null): void }) {
  const close = () => onOpen(null)
  const show = (secrets: ApplicationSecrets) => onOpen({ what: 'secrets', secrets })
  if (open === null) return null
  switch (open.what) {
    case 'settings':
      return <SettingsDrawer application={open.application} onClose={close} onCreated={show} />
    case 'secrets':
      return <SecretsModal secrets={open.secrets} onClose={close} />
    case 'endpoints':
      return <Endpoints application={open.application} onClose={close} />
    case 'rates':
      return <Rates application={open.application} onClose={close} />
    case 'scenarios':
      return <Scenarios application={open.application} onClose={close} />
    case 'shops':
      return <Shops application={open.application} onClose={close} />
    default: {
      const scopes = listKeyScopes(open.application)
      return <Change change={open} onClose={close} onRenewed={secrets => show({ ...secrets, scopes })} />
    }
  }
}

/** Actions without a form: disable, send a test callback. */
function useActions() {
  const t = useMessages('applications')
  const edit = useSubmit('PUT /api/v1/user/secret-key', {
    refreshes: ['GET /api/v1/user/secret-key/list', 'GET /api/v1/user/secret-key/select'],
  })
  const test = useSubmit('POST /api/v1/callback/test', { done: t.testSent })
  return {
    async disable({ appid, name }: Application) {
      const question = { title: t.disableTitle, text: t.disableText(name), action: t.disable, danger: true }
      if (!(await confirm(question))) return
      const body = { appid, status: applicationStatus.disabled }
      edit.mutate({ body }, { onSuccess: () => showToast('success', t.disabled(name)) })
    },
    sendTest: ({ appid }: Application) => test.mutate({ body: { appid } }),
  }
}
