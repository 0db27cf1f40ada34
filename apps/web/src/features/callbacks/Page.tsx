import { type CallbackEvent, callbackStatus } from '@coffer/contract/codes.ts'
import { lazy } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { useApplicationOptions } from '../../kit/list/choices.ts'
import { toCodeNames } from '../../kit/list/fields.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { lists } from '../../lists.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { callbackColumns } from './columns.tsx'
import { useResend } from './useResend.ts'

const CallbackDrawer = lazy(() => import('./CallbackDrawer.tsx'))

export default function CallbacksPage() {
  const t = useMessages('callbacks')
  const common = useMessages('common')
  const { callbackStates } = useMessages('shell')
  const list = useList(lists.callbacks)
  const { resend, busyId } = useResend()
  return (
    <ListPage
      title={t.title}
      text={t.text}
      caption={t.caption}
      list={list}
      columns={callbackColumns(t, { onOpen: list.open, onResend: resend, busyId })}
      filtersLabel={t.filters}
      filtersClass="grid grid-cols-2 sm:flex sm:flex-wrap"
      filters={[
        {
          by: 'status',
          label: t.status,
          all: t.allStatuses,
          width: 'sm:w-40',
          names: toCodeNames(callbackStatus, callbackStates),
        },
        {
          by: 'event',
          label: t.event,
          all: t.allEvents,
          names: t.events as Record<CallbackEvent, string>,
          width: 'sm:w-44',
        },
        {
          by: 'appid',
          label: t.application,
          all: t.allApplications,
          useOptions: useApplicationOptions,
          width: 'col-span-2 sm:w-44',
        },
        {
          by: 'trade_no',
          label: t.orderNumber,
          error: common.tradeNumber,
          digits: true,
          width: 'col-span-2 grow sm:w-60',
        },
        { by: 'days', label: t.time, width: 'col-span-2' },
      ]}
      empty={
        <Empty
          icon="webhook"
          title={t.emptyTitle}
          text={t.emptyText}
          action={
            <Link to="/appManage" look="secondary">
              {t.emptyTitleAction}
            </Link>
          }
        />
      }
      drawer={id => <CallbackDrawer id={id} onClose={list.close} />}
    />
  )
}
