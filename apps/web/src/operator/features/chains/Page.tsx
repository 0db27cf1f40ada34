import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { wholeNumber } from '../../../ui/controls/wholeNumber.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { Action, bySecond, reason } from '../../kit/Action.tsx'
import { useRead } from '../../kit/api.ts'
import { ResumeQueue, ResumeWallet } from '../../kit/Resume.tsx'
import { RowsCard, Two } from '../../kit/Rows.tsx'
import { inWords, StakesText } from '../../kit/Together.tsx'

type Data = OperatorData<'GET /api/operator/v1/chains'>
type Incident = Data['incidents'][number]

/** Chains, their nodes, and incidents with the steps of the operator's guide. */
export default function Chains() {
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/chains', {})
  const { data } = read
  return (
    <>
      <PageHeader title={t.menu.chains} text={t.chainsText} />
      <div className="flex flex-col gap-4">
        <Card title={t.incidents} flush={data?.incidents.length !== 0}>
          {data?.incidents.length === 0 ? (
            <p className="text-sm text-ink-2">{t.noIncidents}</p>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {data?.incidents.map(incident => (
                <IncidentItem
                  key={incident.id}
                  incident={incident}
                  final={data.list.find(({ id }) => id === incident.chain)?.final ?? 0}
                />
              ))}
            </ul>
          )}
        </Card>
        <RowsCard
          title={t.chains}
          columns={[
            { title: t.chain, sticky: 'start', cell: row => <Two first={row.name} second={row.id} /> },
            {
              title: t.state,
              cell: row => (
                <span className="flex flex-col items-start gap-0.5">
                  <Badge kind={row.delay ? 'error' : row.enabled ? 'success' : 'closed'}>
                    {row.delay ? (t.delays[row.delay] ?? row.delay) : row.enabled ? t.upToDate : t.disabled}
                  </Badge>
                  {row.halted && <span className="text-xs text-ink-3">{row.halted}</span>}
                </span>
              ),
            },
            { title: t.readTo, align: 'end', cell: row => row.read ?? '–' },
            { title: t.head, align: 'end', cell: row => row.head },
            { title: t.final, align: 'end', cell: row => row.final },
            { title: t.answered, cell: row => <Time seconds={row.read_time} /> },
          ]}
          rowActions={row => (
            <span className="inline-flex gap-2">
              {row.delay === 'halted' && <ResumeChain id={row.id} />}
              <Reread id={row.id} final={row.final} />
            </span>
          )}
          read={read}
          empty={t.noChains}
        />
        <RowsCard
          title={t.nodes}
          columns={[
            { title: t.chain, cell: row => row.chain },
            { title: t.node, cell: row => row.host },
            { title: t.failures, align: 'end', cell: row => row.failures },
            { title: t.lastFailure, cell: row => <Time seconds={row.time} /> },
            { title: t.reason, cell: row => <span className="block min-w-40 wrap-anywhere">{row.reason}</span> },
          ]}
          read={read}
          list="nodes"
          by={['chain', 'host']}
          empty={t.noNodes}
        />
      </div>
    </>
  )
}

/** The deposits that an incident names. */
const depositsOf = ({ deposit_id, deposits }: Incident['detail']): string[] =>
  [deposit_id, ...(Array.isArray(deposits) ? deposits : [])].flatMap(each => {
    const id = typeof each === 'string' ? each : (each as { id?: unknown } | undefined)?.id
    return typeof id === 'string' ? [id] : []
  })

/** An incident: what it means, what was found, and the steps of the guide in their order. */
function IncidentItem({ incident, final }: { incident: Incident; final: number }) {
  const t = useMessages('operator')
  const { id, kind, chain, detail, created_time } = incident
  const known = t.incidentKinds[kind]
  const isTokenHeld = kind.startsWith('token_')
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-sm font-medium">
          {known?.title ?? kind} {chain && <span className="font-normal text-ink-3">· {chain}</span>}
        </h3>
        <span className="text-[13px] text-ink-3">
          <Time seconds={created_time} />
        </span>
      </div>
      <p className="text-[13px] text-ink-2">{known?.text ?? t.incidentText}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
        tabIndex={0}
        className="relative max-h-40 overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs"
      >
        {JSON.stringify(detail, null, 2)}
      </pre>
      <div className="flex flex-wrap gap-2">
        {['deep_reorg', 'deposit_changed'].includes(kind) &&
          depositsOf(detail).map(deposit => <UndoDeposit key={deposit} id={deposit} />)}
        {kind === 'deep_reorg' && <ResumeChain id={chain} />}
        {['surplus', 'native_missing', 'undone_deposit_is_back', 'reread_preview'].includes(kind) && (
          <Reread id={chain} final={final} />
        )}
        {isTokenHeld && <DecideToken asset={String(detail.asset_id)} />}
        {kind === 'wallet_halted' && <ResumeWallet id={chain} />}
        {kind !== 'deep_reorg' && !isTokenHeld && (
          <Action
            call="POST /api/operator/v1/incidents/:id/close"
            params={{ id }}
            label={t.closeIncident}
            text={t.closeIncidentText}
            {...reason(t.whatWasDone)}
          />
        )}
        {kind === 'shortage' && (
          <ResumeQueue id="withdrawals" label={t.resumeWithdrawals} text={t.resumeWithdrawalsText} />
        )}
      </div>
    </li>
  )
}

function ResumeChain({ id }: { id: string }) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/chains/:id/resume'
  return <Action call={call} params={{ id }} label={t.resumeChain} text={t.resumeChainText} />
}

function UndoDeposit({ id }: { id: string }) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/deposits/:id/undo'
  return (
    <Action
      call={call}
      params={{ id }}
      label={t.undoDeposit}
      text={
        <StakesText call={call} id={id}>
          {t.undoDepositText(id)}
        </StakesText>
      }
      look="danger"
      {...inWords(t)}
      done={t.recorded}
      result={bySecond(t)}
    />
  )
}

function DecideToken({ asset }: { asset: string }) {
  const t = useMessages('operator')
  const release = 'POST /api/operator/v1/assets/:id/release'
  const refuse = 'POST /api/operator/v1/assets/:id/refuse'
  const of = { params: { id: asset }, ...reason(t.reason) }
  return (
    <>
      <Action call={release} label={t.releaseToken} text={t.releaseTokenText(asset)} {...of} />
      <Action call={refuse} label={t.refuseToken} text={t.refuseTokenText(asset)} look="danger" {...of} />
    </>
  )
}

function Reread({ id, final }: { id: string; final: number }) {
  const t = useMessages('operator')
  const modes = [
    { value: 'preview', label: t.rereadPreview },
    { value: 'apply', label: t.rereadApply },
  ]
  return (
    <Action
      call="POST /api/operator/v1/chains/:id/reread"
      params={{ id }}
      label={t.reread}
      text={t.rereadText(final)}
      initial={{ block: '', mode: 'preview' }}
      fields={[
        { name: 'block', label: t.fromBlock, kind: 'whole', min: 0, max: final, required: true },
        { name: 'mode', label: t.rereadMode, kind: 'choice', options: modes, required: true },
      ]}
      body={({ block, mode }) => ({ block: wholeNumber(block) ?? Number.NaN, apply: mode === 'apply' })}
      done={t.rereadAsked}
    />
  )
}
