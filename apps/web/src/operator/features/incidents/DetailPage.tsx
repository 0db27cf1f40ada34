import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import { type IncidentStep, runbookPageOfIncident } from '@coffer/contract/incidents/steps.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { ReactNode } from 'react'
import type { Messages } from '../../../i18n/areas.ts'
import { language } from '../../../i18n/language.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { cx } from '../../../ui/classes.ts'
import { Checkbox } from '../../../ui/controls/Choice.tsx'
import { Card } from '../../../ui/data/Card.tsx'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Amount, NoValue, Time } from '../../../ui/data/Values.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { api, queryClient, usePermissionCheck, useRead } from '../../kit/api.ts'
import { DecideToken, RereadBlocks, UndoDeposit } from '../../kit/ChainActions.tsx'
import { LogLink, ParentPageLink, usePathId } from '../../kit/links.tsx'
import { HotWalletDrainMoves } from '../../kit/Resume.tsx'
import { Loaded } from '../../kit/Rows.tsx'
import { formatActorAction, Timeline } from '../../kit/Timeline.tsx'
import { formatTimeAgo } from '../../kit/times.ts'
import { Deposits } from './Deposits.tsx'
import { UnacceptedTokenDeposits } from './UnacceptedTokenDeposits.tsx'

type Detail = OperatorData<'GET /api/operator/v1/incidents/:id'>
type Texts = Messages<'incidents'>

const nameOf = (t: Texts, kind: string) => t.kinds[kind] ?? t.other

/** An incident: what it stops, the steps of its page of the runbook, what was found, and what was done. */
export default function Incident() {
  const id = usePathId()
  const t = useMessages('incidents')
  const common = useMessages('operator')
  const read = useRead('GET /api/operator/v1/incidents/:id', { params: { id } })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <ParentPageLink to="/incidents">{common.menu.incidents}</ParentPageLink>
          <PageHeader
            title={[nameOf(t, data.kind), data.chain_name].filter(Boolean).join(' · ')}
            text={t.ofKinds[data.kind] ?? t.whatItMeans[runbookPageOfIncident(data.kind)]}
            actions={<Actions incident={data} />}
          />
          {data.kind === 'deep_reorg' && <Deposits id={data.id} />}
          {data.kind === 'other_token' && data.closed_time === 0 && <UnacceptedTokenDeposits id={data.id} />}
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-3 lg:grid-rows-[auto_1fr]">
            {/* On phones, first. */}
            <div className="min-w-0 lg:col-start-3">
              <State incident={data} />
            </div>
            <div className="flex min-w-0 flex-col gap-4 lg:col-span-2 lg:row-span-2 lg:row-start-1">
              <Steps incident={data} />
              {data.chain && data.closed_time === 0 && <HotWalletDrainMoves id={data.chain} />}
              {data.parts.filter(hasFacts).map(part => (
                <Card
                  key={part.id}
                  title={data.parts.length > 1 ? nameOf(t, part.kind) : t.facts}
                  actions={data.parts.length > 1 && <Time seconds={part.created_time} />}
                >
                  <DetailList rows={factsOf(t, part.facts)} />
                </Card>
              ))}
            </div>
            <div className="min-w-0 lg:col-start-3">
              <History incident={data} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}

/** A part alone that found nothing to name is said by the title. */
const hasFacts = ({ facts }: Detail['parts'][number], _: number, parts: Detail['parts']) =>
  parts.length > 1 || facts.length > 0

const amounts = ['missing', 'ledger', 'found', 'reserved', 'more', 'amount', 'logged', 'received', 'queued']
const copied = ['wallet', 'txid', 'to', 'treasury', 'payout', 'was', 'now', 'addresses']
/** Each of a list; not the dash for none. */
const eachOf = (value: string) => (/^\w+(, \w+)*$/.test(value) ? value.split(', ') : [])

const factsOf = (t: Texts, facts: Detail['parts'][number]['facts']): [string, ReactNode][] =>
  facts.map(({ name, value, unit }) => [
    t.factNames[name],
    amounts.includes(name) ? (
      <Amount
        key={name}
        value={value}
        unit={unit}
        exact
        className={cx('wrap-anywhere whitespace-normal!', name === 'missing' && 'font-semibold text-bad')}
      />
    ) : copied.includes(name) && eachOf(value).length > 0 ? (
      <span key={name} className="flex flex-col items-end gap-1">
        {eachOf(value).map(each => (
          <CopyText key={each} look="groups" value={each} />
        ))}
      </span>
    ) : name === 'reason' ? (
      formatStoredReason(value, language.get())
    ) : (
      value
    ),
  ])

/** Since when, what stands still, and who is on it. */
function State({ incident }: { incident: Detail }) {
  const t = useMessages('incidents')
  const common = useMessages('operator')
  const { closed_time, created_time, who, stops, now } = incident
  const isOpen = closed_time === 0
  const shown = ['missing', 'more', 'amount', 'queued', 'callbacks', 'messages']
  const main = incident.parts.flatMap(part => part.facts.filter(each => shown.includes(each.name)))
  return (
    <Card>
      <DetailList
        rows={[
          ...factsOf(t, main),
          [
            common.state,
            <Badge key="s" kind={isOpen ? 'error' : 'closed'}>
              {isOpen ? t.open : t.closed}
            </Badge>,
          ],
          [
            t.since,
            <span key="t">
              <Time seconds={created_time} />
              {isOpen && <span className="block text-xs text-ink-3">{formatTimeAgo(common, created_time, now)}</span>}
            </span>,
          ],
          ...(isOpen ? [] : [[t.ended, <Time key="e" seconds={closed_time} />] as const]),
          [
            t.who,
            <span key="w" className="wrap-anywhere">
              {who || (isOpen ? t.nobody : <NoValue />)}
            </span>,
          ],
          [common.menu.log, <LogLink key="l" text={incident.id} />],
        ]}
      />
      {isOpen && (
        <div className="mt-3 border-t border-line pt-3">
          <h3 className="text-[13px] font-medium text-ink-2">{t.stopsTitle}</h3>
          {stops.length === 0 ? (
            <p className="mt-1 text-sm text-ink-2">{t.stopsNothing}</p>
          ) : (
            <ul className="mt-1 flex flex-col gap-1.5 text-sm">
              {stops.map(({ what, of }) => (
                <li key={`${what} ${of}`} className="flex items-start gap-2 text-bad">
                  <Icon name="warning" className="mt-0.5 shrink-0" />
                  <span className="min-w-0 wrap-anywhere">{t.stops[what](of)}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Card>
  )
}

/** The steps of the runbook, which operators tick for each other. */
function Steps({ incident: { id, kind, steps, closed_time } }: { incident: Detail }) {
  const t = useMessages('incidents')
  const may = usePermissionCheck()
  const call = 'POST /api/operator/v1/incidents/:id/tick'
  const tick = async (step: IncidentStep, done: boolean) => {
    await api(call, { params: { id }, body: { step, done } })
    await queryClient.invalidateQueries()
  }
  const done = steps.filter(each => each.done_time > 0).length
  return (
    <Card
      title={t.stepsTitle}
      actions={<span className="text-[13px] text-ink-3">{t.stepsDone(done, steps.length)}</span>}
    >
      <ol className="flex flex-col gap-3">
        {steps.map(({ step, who, done_time }) => (
          <li key={step}>
            <Checkbox
              label={t.steps[step]}
              hint={
                done_time > 0 && (
                  <>
                    {t.doneBy(who)} · <Time seconds={done_time} />
                  </>
                )
              }
              checked={done_time > 0}
              disabled={closed_time > 0 || !may(call)}
              onChange={checked => void tick(step, checked)}
            />
          </li>
        ))}
      </ol>
      <p className="mt-4 text-xs text-ink-3">{t.page(runbookPageOfIncident(kind))}</p>
    </Card>
  )
}

/** Notes, and who did what, newest first. */
function History({ incident: { id, history, created_time, parts } }: { incident: Detail }) {
  const t = useMessages('incidents')
  const did = [
    { key: 'began', head: t.began, text: '', time: created_time },
    ...parts.slice(1).map(each => ({
      key: each.id,
      head: t.joined(nameOf(t, each.kind)),
      text: '',
      time: each.created_time,
    })),
    ...history.map(({ what, who, text, created_time: time }, index) => ({
      key: String(index),
      head: formatActorAction(who, t.did[what]),
      time,
      text: what.endsWith('ticked')
        ? (t.steps[text as IncidentStep] ?? text)
        : what === 'changed'
          ? formatStoredReason(text, language.get())
          : text,
    })),
  ].toSorted((a, b) => b.time - a.time)
  return (
    <Card
      title={t.noteTitle}
      actions={<ActionButton call="POST /api/operator/v1/incidents/:id/note" params={{ id }} />}
    >
      <Timeline of={did} />
    </Card>
  )
}

/** What can be done about an incident; nothing once it is closed. */
function Actions({ incident }: { incident: Detail }) {
  const t = useMessages('incidents')
  const common = useMessages('operator')
  const me = useRead('GET /api/operator/v1/session', {}).data?.email
  const { data: chains } = useRead('GET /api/operator/v1/chains', {})
  const { data: wallets } = useRead('GET /api/operator/v1/wallets', {})
  const { id, kind, chain, chain_name, parts, stops, who, closes, closed_time, reread } = incident
  if (closed_time > 0) return null
  const final = chains?.list.find(each => each.id === chain)?.final ?? 0
  const isStopped = (what: Detail['stops'][number]['what']) => stops.some(each => each.what === what)
  const page = runbookPageOfIncident(kind)
  const ofChain = { params: { id: chain }, of: chain_name }
  const isEmptied = wallets?.list.some(each => each.chain_id === chain && each.emptying_time > 0)
  return (
    <>
      {who !== me && <ActionButton call="POST /api/operator/v1/incidents/:id/take" params={{ id }} />}
      {parts
        .filter(each => each.kind === 'deposit_changed' && each.deposit_id)
        .map(each => (
          <UndoDeposit key={each.id} id={each.deposit_id} />
        ))}
      {page === 'unread-blocks' && <RereadBlocks id={chain} chain={chain_name} final={final} proposed={reread} />}
      {page === 'token-on-hold' && parts[0] && (
        <DecideToken asset={parts[0].asset_id} token={stops[0]?.of ?? parts[0].asset_id} />
      )}
      {kind === 'deep_reorg' && <ActionButton call="POST /api/operator/v1/chains/:id/resume" {...ofChain} />}
      {page === 'money-missing' && chain && !isEmptied && (
        <ActionButton call="POST /api/operator/v1/wallets/:id/empty" {...ofChain} />
      )}
      {isStopped('wallet') && <ActionButton call="POST /api/operator/v1/wallets/:id/resume" {...ofChain} />}
      {isStopped('withdrawals') && (
        <ActionButton
          call="POST /api/operator/v1/queues/:id/resume"
          params={{ id: 'withdrawals' }}
          of={common.queueNames.withdrawals}
          label={common.resumeWithdrawals}
          text={common.resumeWithdrawalsText}
          look="danger"
        />
      )}
      {closes && <ActionButton call="POST /api/operator/v1/incidents/:id/close" params={{ id }} />}
      {!closes && <span className="max-w-60 text-xs text-ink-3">{t.closesItself}</span>}
    </>
  )
}
