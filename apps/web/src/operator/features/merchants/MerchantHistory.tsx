import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { Link } from '../../kit/links.tsx'
import { formatActorAction, Timeline } from '../../kit/Timeline.tsx'

type Detail = OperatorData<'GET /api/operator/v1/merchants/:id'>
type Entry = Detail['entries'][number]
interface Props {
  merchant: Pick<Detail, 'mchid' | 'entries'>
}

/** What happened between operators and a merchant: applications, decisions with their reasons, notes. */
export function MerchantHistory({ merchant: { mchid, entries } }: Props) {
  const s = useMessages('support')
  const first = entries.findLastIndex(each => each.what === 'applied')
  const headOf = ({ what, who }: Entry, index: number) => {
    if (what === 'applied') return index === first ? s.applied : s.appliedAgain
    return formatActorAction(who, s.did[what])
  }
  return (
    <Card
      title={s.file}
      actions={<ActionButton call="POST /api/operator/v1/merchants/:id/note" params={{ id: mchid }} />}
    >
      {entries.length === 0 ? (
        <p className="text-sm text-ink-3">{s.noEntries}</p>
      ) : (
        <Timeline
          of={entries.map((entry, index) => ({
            key: `${entry.created_time} ${entry.what} ${index}`,
            head: headOf(entry, index),
            text: entry.text,
            time: entry.created_time,
            more: <Changes entry={entry} again={entry.what === 'applied' && index !== first} />,
          }))}
        />
      )}
    </Card>
  )
}

/** What an application or a risk level changed, and where documents were requested. */
function Changes({ entry: { changes, work_order }, again }: { entry: Entry; again: boolean }) {
  const t = useMessages('operator')
  const s = useMessages('support')
  if (work_order)
    return (
      <span className="block text-[13px]">
        <Link to="/orders/$id" params={{ id: work_order }}>
          {s.seeAnswer}
        </Link>
      </span>
    )
  if (changes.length === 0) return again ? <span className="block text-sm text-ink-2">{s.unchanged}</span> : null
  const shown = (fact: Entry['changes'][number]['fact'], value: string) =>
    fact === 'risk_level' ? (t.risks[value as keyof typeof t.risks] ?? t.notJudged) : value || s.nothing
  return (
    <dl className="mt-0.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-[13px]">
      {changes.map(({ fact, from, to }) => (
        <div key={fact} className="contents">
          <dt className="text-ink-3">{s.facts[fact]}</dt>
          <dd className="wrap-anywhere">
            {(again || fact === 'risk_level') && <span className="text-ink-3">{shown(fact, from)} → </span>}
            {shown(fact, to)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Why and by whom the risk level was set last. */
export function RiskReason({ merchant: { entries } }: { merchant: Pick<Detail, 'entries'> }) {
  const last = entries.find(each => each.what === 'risk_set')
  if (!last) return null
  return (
    <span className="block text-xs text-ink-3">
      {last.text} · {last.who} · <Time seconds={last.created_time} />
    </span>
  )
}
