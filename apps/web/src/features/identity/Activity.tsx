import type { Data } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useExport } from '../../kit/export/useExport.ts'
import { ListTable } from '../../kit/list/ListPage.tsx'
import { useList, useLocalSearch } from '../../kit/list/useList.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { later } from '../../lib/later.tsx'
import { forgetToken, goToLogin } from '../../lib/session.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Time } from '../../ui/data/Values.tsx'
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
    goToLogin()
  }
  return (
    <Button busy={report.isPending} onClick={() => report.mutate({ body: {} }, { onSuccess: leave })}>
      {t.notMe}
    </Button>
  )
}

type Entry = Data<'GET /api/v1/user/log'>['list'][number]

const ExportStatus = later(() => import('../../kit/export/ExportStatus.tsx'))

/** Sign-ins, account changes and their failures, newest first. */
export function Activity() {
  const t = useMessages('identity')
  const common = useMessages('common')
  const file = useExport('GET /api/v1/user/log/export', {}, 'AccountLog')
  const list = useList(useLocalSearch({}), (_filters, page) => apiQuery('GET /api/v1/user/log', { query: page }))
  const columns: Column<Entry>[] = [
    { key: 'time', title: t.logTime, cell: row => <Time seconds={row.created_time} /> },
    {
      key: 'what',
      phone: 'text',
      title: t.logWhat,
      cell: row => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="whitespace-nowrap">{t.events[row.type] ?? row.type}</span>
          {row.outcome === 'refused' && <Badge kind="error">{t.logRefused}</Badge>}
          {row.reason && <span className="text-[13px] text-ink-3">{row.reason}</span>}
        </span>
      ),
    },
    {
      key: 'factor',
      title: t.logFactor,
      cell: row => (
        <span className="whitespace-nowrap">
          {row.factor
            .split('+')
            .map(each => t.factors[each] ?? each)
            .join(' + ')}
        </span>
      ),
    },
    {
      key: 'device',
      title: t.logDevice,
      cell: row => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="whitespace-nowrap">{row.ip === '' ? t.byOperator : row.device || t.unknownDevice}</span>
          {row.session?.current && <Badge kind="success">{t.thisSession}</Badge>}
          {row.session && (
            <span className="w-full text-[13px] text-ink-3">
              {row.session.device !== row.device && `${row.session.device || t.unknownDevice} · `}
              {t.since} <Time seconds={row.session.created_time} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'place',
      title: t.logPlace,
      cell: row => (
        <span className="num">
          {row.ip} {row.address && <span className="whitespace-nowrap text-ink-3">{row.address}</span>}
        </span>
      ),
    },
  ]
  return (
    <Card
      title={t.log}
      flush
      className="mt-4"
      actions={
        <div className="flex flex-wrap gap-2">
          <NotMe />
          <Button icon="download" busy={file.state.step === 'running'} disabled={list.total === 0} onClick={file.start}>
            {common.export}
          </Button>
        </div>
      }
    >
      {file.state.step !== 'idle' && <ExportStatus {...file} counted={common.inAll} />}
      <ListTable
        caption={t.log}
        list={list}
        columns={columns}
        rowKey={row => row.id}
        skeletonRows={list.page.pageSize}
        empty={<Empty icon="list" title={t.logEmpty} />}
      />
    </Card>
  )
}
