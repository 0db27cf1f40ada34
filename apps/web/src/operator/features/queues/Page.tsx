import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import { priceSourceName } from '@coffer/contract/labels/price-sources.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { language } from '../../../i18n/language.ts'
import { joinList } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { LogLink, MerchantLink, PaymentLink } from '../../kit/links.tsx'
import { HealthStatus, type QueryState, RowsCard, TwoLineCell } from '../../kit/Rows.tsx'
import { formatWaitDuration } from '../../kit/times.ts'

type Data = OperatorData<'GET /api/operator/v1/queues'>
type Queue = Data['queues'][number]

/**
 * Whether a job runs. One whose last run ended long before the next was due hangs in it, or its server is overloaded.
 */
function stateOf({ failures, ended_time, every_seconds }: Data['jobs'][number], now: number) {
  if (failures > 0) return 'failed'
  if (ended_time === 0) return 'new'
  return now - ended_time > 2 * every_seconds + lateMax ? 'late' : 'runs'
}
/** A run may take so long (s). */
const lateMax = 120

/** Queues with their age and failures, dead letters, jobs of this server, price sources, and which server does what. */
export default function Queues() {
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/queues', {})
  return (
    <>
      <PageHeader title={t.menu.queues} text={t.queuesText} actions={<LogLink text="queues/" />} />
      <div className="flex flex-col gap-4">
        <QueueRows read={read} />
        <DeadLetters read={read} />
        <Servers read={read} />
        <Backups read={read} />
        {read.data && read.data.replicas.length > 0 && <Replica read={read} />}
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <Jobs read={read} />
          <PriceSources read={read} />
        </div>
      </div>
    </>
  )
}

interface CardProps {
  read: QueryState<Data>
}

function QueueRows({ read }: CardProps) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.queues}
      columns={[
        { title: t.queue, sticky: 'start', className: 'whitespace-nowrap', cell: row => t.queueNames[row.queue] },
        { title: t.state, phone: 'value', cell: row => <QueueState queue={row} /> },
        { title: t.waitingNumber, align: 'end', cell: row => row.waiting },
        {
          title: t.oldest,
          cell: ({ oldest_time: since }) =>
            since === 0 ? (
              t.nothingWaits
            ) : (
              <TwoLineCell
                first={formatWaitDuration(t, (read.data?.now ?? since) - since)}
                second={<Time seconds={since} />}
              />
            ),
        },
        { title: t.failures, align: 'end', cell: row => row.failed },
      ]}
      rowActions={row => <PauseOrResume queue={row} />}
      read={read}
      list="queues"
      by={['queue']}
      empty={t.noLog}
    />
  )
}

/** Whether a queue runs, or why and since when it is paused. */
function QueueState({ queue: { pause } }: { queue: Queue }) {
  const t = useMessages('operator')
  if (!pause) return <HealthStatus bad={false} text={t.running} />
  return (
    <HealthStatus
      bad
      text={t.paused}
      note={
        <>
          {formatStoredReason(pause.reason, language.get())} <Time seconds={pause.since} />
        </>
      }
    />
  )
}

/** Callbacks that were given up. */
function DeadLetters({ read }: CardProps) {
  const t = useMessages('operator')
  const { events, failures } = useMessages('callbacks')
  return (
    <RowsCard
      title={t.deadLetters}
      columns={[
        { title: t.time, cell: row => <Time seconds={row.created_time} /> },
        { title: t.merchant, cell: row => <MerchantLink id={row.mchid}>{row.merchant || row.mchid}</MerchantLink> },
        { title: t.event, cell: row => <TwoLineCell first={events[row.event] ?? row.event} second={orderOf(row)} /> },
        { title: t.receiver, cell: row => <span className="block min-w-48 break-all">{row.url}</span> },
        {
          title: t.lastAnswer,
          cell: row => <TwoLineCell first={failures[row.result] ?? row.result} second={t.attempts(row.attempts)} />,
        },
      ]}
      rowActions={({ id, url }) => (
        <ActionButton call="POST /api/operator/v1/callbacks/:id/resend" params={{ id }} facts={{ url }} />
      )}
      read={read}
      list="dead_letters"
      empty={t.noDeadLetters}
    />
  )
}

const orderOf = ({ trade_no, out_trade_no, title }: Data['dead_letters'][number]) =>
  out_trade_no ? <PaymentLink id={trade_no}>{title || out_trade_no}</PaymentLink> : trade_no

function Jobs({ read }: CardProps) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.jobs}
      columns={[
        {
          title: t.job,
          sticky: 'start',
          cell: row => <TwoLineCell first={t.jobNames[row.name] ?? row.name} second={row.chain} />,
        },
        { title: t.state, phone: 'value', cell: row => <JobState job={row} now={read.data?.now ?? 0} /> },
        { title: t.lastRun, cell: row => <Time seconds={row.ended_time} /> },
      ]}
      read={read}
      list="jobs"
      by={['name', 'chain']}
      empty={t.noJobs}
    />
  )
}

function JobState({ job, now }: { job: Data['jobs'][number]; now: number }) {
  const t = useMessages('operator')
  const state = stateOf(job, now)
  const texts = {
    failed: t.failedTimes(job.failures),
    late: t.standsStill,
    new: t.notRunYet,
    runs: t.running,
  }
  return <HealthStatus bad={state === 'failed' || state === 'late'} text={texts[state]} note={job.error} />
}

/** Which server does what of that which one does for all. */
function Servers({ read }: CardProps) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.servers}
      columns={[
        { title: t.server, sticky: 'start', cell: row => row.name },
        { title: t.serverSince, cell: row => <Time seconds={row.started_time} /> },
        {
          title: t.sendsOn,
          cell: row => (
            <span className="block sm:min-w-32">
              <Wallets of={row.wallets} />
            </span>
          ),
        },
        { title: t.follows, cell: row => <span className="block sm:min-w-32">{joinList(row.chains) || '–'}</span> },
        {
          title: t.doesForAll,
          cell: row => <span className="block sm:min-w-64">{joinList(describeWork(row.work, t)) || '–'}</span>,
        },
      ]}
      read={read}
      list="servers"
      by={['name', 'started_time']}
      empty={t.noServers}
    />
  )
}

/** Networks from whose wallets a server sends, each with since when. */
const Wallets = ({ of }: { of: Data['servers'][number]['wallets'] }) =>
  of.length === 0
    ? '–'
    : of.map(({ chain, since }) => <TwoLineCell key={chain} first={chain} second={<Time seconds={since} />} />)

/** The newest backups, and whether each was restored to see that it can be. */
function Backups({ read }: CardProps) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.backups}
      columns={[
        { title: t.backupName, sticky: 'start', cell: row => row.name },
        { title: t.backupMade, cell: row => <Time seconds={row.made_time} /> },
        {
          title: t.backupChecked,
          cell: ({ checked_time: time }) => (time === 0 ? t.notChecked : <Time seconds={time} />),
        },
        { title: t.backupBytes, align: 'end', cell: row => (row.bytes === 0 ? '–' : formatBytes(row.bytes)) },
      ]}
      read={read}
      list="backups"
      by={['name', 'made_time']}
      empty={t.noBackups}
    />
  )
}

/** Whether lists and exports are read from the replica, and how far it is behind. */
function Replica({ read }: CardProps) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.replica}
      columns={[
        {
          title: t.state,
          sticky: 'start',
          cell: ({ problem, reason }) => (
            <HealthStatus bad={problem !== null} text={t.replicaStates[problem ?? 'read']} note={reason} />
          ),
        },
        { title: t.listsAndExports, cell: row => (row.problem === null ? t.fromReplica : t.fromPrimary) },
        {
          title: t.replicaLag,
          align: 'end',
          cell: row => (
            <TwoLineCell first={t.secondsBehind(Math.ceil(row.lag_seconds))} second={formatBytes(row.lag_bytes)} />
          ),
        },
      ]}
      read={read}
      list="replicas"
      by={['problem']}
      empty={t.noServers}
    />
  )
}

/** Names jobs, each once, with the networks for which the server does it. */
const describeWork = (work: Data['servers'][number]['work'], t: Messages<'operator'>): string[] =>
  [...Map.groupBy(work, each => each.name)].map(([name, rows]) => {
    const job = t.jobNames[name] ?? name
    const chains = rows.flatMap(each => each.chain || [])
    return chains.length > 0 ? t.jobOnChains(job, joinList(chains)) : job
  })

function PriceSources({ read }: CardProps) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.priceSources}
      columns={[
        { title: t.source, cell: row => priceSourceName(row.source) },
        { title: t.answered, cell: row => <Time seconds={row.time} /> },
        { title: t.state, cell: ({ silent }) => <HealthStatus bad={silent} text={silent ? t.silent : t.upToDate} /> },
      ]}
      read={read}
      list="prices"
      by={['source']}
      empty={t.noPrices}
    />
  )
}

function PauseOrResume({ queue: { queue, pause } }: { queue: Queue }) {
  const t = useMessages('operator')
  const name = t.queueNames[queue]
  const isWithdrawals = queue === 'withdrawals'
  return pause ? (
    <ActionButton
      call="POST /api/operator/v1/queues/:id/resume"
      params={{ id: queue }}
      of={name}
      facts={{ queue: name }}
      {...(isWithdrawals && { look: 'danger' })}
      isSmall={!isWithdrawals}
    />
  ) : (
    <ActionButton
      call="POST /api/operator/v1/queues/:id/pause"
      params={{ id: queue }}
      of={name}
      text={t.pauseTexts[queue]}
    />
  )
}
