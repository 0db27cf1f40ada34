import { useMessages } from '../../i18n/messages.ts'
import { defineListColumns } from '../../kit/list/columns.tsx'
import { ListCard } from '../../kit/list/ListCard.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLocalSearch } from '../../kit/list/useListSearch.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { forgetToken, goToLogin } from '../../lib/session.ts'
import { lists } from '../../lists.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { NoValue, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Empty } from '../../ui/feedback/States.tsx'

/** Reports a foreign sign-in. This session ends with all others. */
function NotMe() {
  const t = useMessages('identity')
  const report = useSubmit('POST /api/v1/user/log/not-me', {
    ask: { title: t.notMeTitle, text: t.notMeText, action: t.notMe, danger: true },
  })
  const leave = () => {
    forgetToken()
    goToLogin('held')
  }
  return (
    <Button busy={report.isPending} onClick={() => report.mutate({ body: {} }, { onSuccess: leave })}>
      {t.notMe}
    </Button>
  )
}

/** Sign-ins, account changes and their failures, newest first. */
export function Activity() {
  const t = useMessages('identity')
  const device = (row: { ip: string; device: string }) => (row.ip === '' ? t.byOperator : row.device || t.unknownDevice)
  const columns = defineListColumns(lists.activity, [
    {
      title: t.logWhat,
      cell: row => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="whitespace-nowrap">{t.event(row)}</span>
          {row.outcome === 'refused' && <Badge kind="error">{t.logRefused}</Badge>}
          {row.reason && <span className="text-[13px] text-ink-3">{row.reason}</span>}
        </span>
      ),
    },
    { title: t.logTime, cell: row => <Time seconds={row.created_time} /> },
    {
      title: t.logFactor,
      cell: row =>
        row.factor === '' ? (
          <NoValue />
        ) : (
          <span className="whitespace-nowrap">
            {row.factor
              .split('+')
              .map(each => t.factors[each] ?? each)
              .join(' + ')}
          </span>
        ),
    },
    {
      phone: 'text',
      phoneCell: row => [device(row), ...(row.session?.current ? [t.thisSession] : [])],
      title: t.logDevice,
      cell: row => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-md:justify-end">
          <span className="whitespace-nowrap">{device(row)}</span>
          {row.session?.current && <Badge kind="success">{t.thisSession}</Badge>}
          {row.session && (
            <span data-second className="w-full text-[13px] text-ink-3">
              {row.session.device !== row.device && `${row.session.device || t.unknownDevice} · `}
              {t.since} <Time seconds={row.session.created_time} />
            </span>
          )}
        </span>
      ),
    },
    {
      title: t.logPlace,
      cell: row => (
        <span className="num">
          {row.ip} {row.address && <span className="whitespace-nowrap text-ink-3">{row.address}</span>}
        </span>
      ),
    },
  ])
  return (
    <ListCard
      title={t.log}
      className="mt-4"
      list={useList(lists.activity, useLocalSearch())}
      columns={columns}
      lines={1}
      file={{ call: 'GET /api/v1/user/log/export', name: 'AccountLog' }}
      actions={<NotMe />}
      empty={<Empty icon="list" title={t.logEmpty} />}
    />
  )
}
