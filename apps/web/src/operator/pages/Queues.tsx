import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Action } from '../Action.tsx'
import { api, useRead } from '../api.ts'
import { A } from '../place.tsx'
import { Rows, Two } from '../Rows.tsx'
import { useTexts } from '../texts.ts'

type Data = OperatorData<'GET /api/operator/v1/queues'>
type Queue = Data['queues'][number]

/** A price source is ignored after this time (s). */
const priceMax = 300

/** Queues with their age and failures, dead letters, jobs of this server and price sources. */
export default function Queues() {
  const t = useTexts()
  const read = useRead('GET /api/operator/v1/queues', {})
  const { data } = read
  const queues: Column<Queue>[] = [
    {
      key: 'queue',
      title: t.queue,
      sticky: 'start',
      className: 'whitespace-nowrap',
      cell: row => t.queueNames[row.queue],
    },
    {
      key: 'state',
      title: t.state,
      cell: row => (
        <span className="flex flex-col items-start gap-0.5">
          <Badge kind={row.pause ? 'error' : 'success'}>{row.pause ? t.paused : t.running}</Badge>
          {row.pause && (
            <span className="text-xs wrap-anywhere text-ink-3">
              {row.pause.reason} · <Time seconds={row.pause.since} />
            </span>
          )}
        </span>
      ),
    },
    { key: 'waiting', title: t.waitingNumber, align: 'end', cell: row => row.waiting },
    { key: 'oldest', title: t.oldest, cell: row => <Time seconds={row.oldest_time} /> },
    { key: 'failed', title: t.failures, align: 'end', cell: row => row.failed },
    { key: 'actions', title: t.actions, align: 'end', cell: row => <PauseOrResume queue={row} /> },
  ]
  const dead: Column<Data['dead_letters'][number]>[] = [
    { key: 'time', title: t.time, cell: row => <Time seconds={row.created_time} /> },
    { key: 'merchant', title: t.merchant, cell: row => <A to={`/merchants/${row.mchid}`}>{row.mchid}</A> },
    { key: 'event', title: t.event, cell: row => <Two first={row.event} second={row.trade_no} /> },
    { key: 'url', title: t.receiver, cell: row => <span className="block min-w-48 break-all">{row.url}</span> },
    { key: 'result', title: t.lastAnswer, cell: row => <Two first={row.result} second={t.attempts(row.attempts)} /> },
    {
      key: 'actions',
      title: t.actions,
      align: 'end',
      cell: row => (
        <Action
          call="POST /api/operator/v1/callbacks/:id/resend"
          label={t.resend}
          text={t.resendText(row.url)}
          done={t.resent}
          run={() => api('POST /api/operator/v1/callbacks/:id/resend', { params: { id: row.id } }).then(() => null)}
        />
      ),
    },
  ]
  const jobs: Column<Data['jobs'][number]>[] = [
    { key: 'name', title: t.job, sticky: 'start', cell: row => row.name },
    {
      key: 'state',
      title: t.state,
      cell: row => (
        <Badge kind={row.failures > 0 ? 'error' : 'success'}>
          {row.failures > 0 ? t.failedTimes(row.failures) : t.running}
        </Badge>
      ),
    },
    { key: 'ended', title: t.lastRun, cell: row => <Time seconds={row.ended_time} /> },
    { key: 'error', title: t.reason, cell: row => <span className="block min-w-40 wrap-anywhere">{row.error}</span> },
  ]
  const prices: Column<Data['prices'][number]>[] = [
    { key: 'source', title: t.source, cell: row => row.source },
    { key: 'time', title: t.answered, cell: row => <Time seconds={row.time} /> },
    {
      key: 'state',
      title: t.state,
      cell: row => {
        const late = (data?.now ?? 0) - row.time > priceMax
        return <Badge kind={late ? 'error' : 'success'}>{late ? t.tooOld : t.upToDate}</Badge>
      },
    },
  ]
  return (
    <>
      <PageHeader title={t.menu.queues} text={t.queuesText} />
      <div className="flex flex-col gap-4">
        <Card title={t.queues} flush>
          <Rows
            caption={t.queues}
            columns={queues}
            read={read}
            rows={data?.queues}
            rowKey={row => row.queue}
            empty={t.noLog}
          />
        </Card>
        <Card title={t.deadLetters} flush>
          <Rows
            caption={t.deadLetters}
            columns={dead}
            read={read}
            rows={data?.dead_letters}
            rowKey={row => row.id}
            empty={t.noDeadLetters}
          />
        </Card>
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <Card title={t.jobs} flush>
            <Rows
              caption={t.jobs}
              columns={jobs}
              read={read}
              rows={data?.jobs}
              rowKey={row => row.name}
              empty={t.noJobs}
            />
          </Card>
          <Card title={t.priceSources} flush>
            <Rows
              caption={t.priceSources}
              columns={prices}
              read={read}
              rows={data?.prices}
              rowKey={row => row.source}
              empty={t.noPrices}
            />
          </Card>
        </div>
      </div>
    </>
  )
}

function PauseOrResume({ queue: { queue, pause } }: { queue: Queue }) {
  const t = useTexts()
  const params = { id: queue }
  const fields = [{ name: 'reason', label: t.reason, kind: 'area' }] as const
  return pause ? (
    <Action
      call="POST /api/operator/v1/queues/:id/resume"
      label={t.resume}
      text={t.resumeQueueText(t.queueNames[queue])}
      fields={fields}
      done={t.saved}
      run={({ reason = '' }) =>
        api('POST /api/operator/v1/queues/:id/resume', { params, body: { reason } }).then(() => null)
      }
    />
  ) : (
    <Action
      call="POST /api/operator/v1/queues/:id/pause"
      label={t.pause}
      text={t.pauseTexts[queue]}
      look="danger"
      fields={fields}
      done={t.saved}
      run={({ reason = '' }) =>
        api('POST /api/operator/v1/queues/:id/pause', { params, body: { reason } }).then(() => null)
      }
    />
  )
}
