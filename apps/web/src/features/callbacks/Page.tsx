import { type CallbackState, callbackEvents, callbackStatus } from '@coffer/contract/codes.ts'
import { isTradeNo } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { DaysFilter, Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { useList } from '../../kit/list/useList.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { callbackColumns } from './columns.tsx'
import { useResend } from './useResend.ts'

const CallbackDrawer = lazy(() => import('./CallbackDrawer.tsx'))

const states = Object.keys(callbackStatus) as CallbackState[]

export default function CallbacksPage() {
  const t = useMessages('callbacks')
  const common = useMessages('common')
  const { data: applications } = useQuery(apiQuery('GET /api/v1/user/application-list', {}))
  const list = useList(
    useListSearch(useSearch({ from: '/callbackList' })),
    (filters, page) => apiQuery('GET /api/v1/callback/list', { query: listQuery(filters, page) }),
    'id',
  )
  const { resend, busyId } = useResend()
  const { values, set } = list.filter
  return (
    <ListPage
      title={t.title}
      text={t.text}
      caption={t.caption}
      list={list}
      columns={callbackColumns(t, { onOpen: list.open, onResend: resend, busyId })}
      rowKey={row => row.id}
      lines={2}
      skeletonRows={list.page.pageSize}
      filters={
        <Filters label={t.filters} filter={list.filter} className="grid grid-cols-2 sm:flex sm:flex-wrap">
          <SelectFilter
            label={t.status}
            all={t.allStatuses}
            className="sm:w-40"
            value={values.status}
            options={states.map(state => ({
              value: `${callbackStatus[state]}` as const,
              label: common.callbackStates[state],
            }))}
            onChange={status => set({ status })}
          />
          <SelectFilter
            label={t.event}
            all={t.allEvents}
            className="sm:w-44"
            value={values.event}
            options={callbackEvents.map(value => ({ value, label: t.events[value] ?? value }))}
            onChange={event => set({ event })}
          />
          <SelectFilter
            label={t.application}
            all={t.allApplications}
            className="col-span-2 sm:w-44"
            value={values.appid}
            options={(applications?.list ?? []).map(({ appid, name }) => ({ value: appid, label: name }))}
            onChange={appid => set({ appid })}
          />
          <NumberFilter
            label={t.orderNumber}
            className="col-span-2 grow sm:w-60"
            value={values.trade_no}
            fits={isTradeNo}
            error={common.tradeNumber}
            digits
            onCommit={trade_no => set({ trade_no })}
          />
          <DaysFilter label={t.time} filter={list.filter} className="col-span-2" />
        </Filters>
      }
      empty={
        <Empty
          icon="webhook"
          title={t.emptyTitle}
          text={t.emptyText}
          action={
            <Link to="/appManage" look="none" className={buttonClass()}>
              {t.emptyTitleAction}
            </Link>
          }
        />
      }
      drawer={id => <CallbackDrawer id={id} onClose={list.close} />}
    />
  )
}
