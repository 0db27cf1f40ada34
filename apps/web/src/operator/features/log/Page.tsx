import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { formatMerchantTerm, merchantTermLabels } from '@coffer/contract/labels/merchant-terms.ts'
import { isMerchantTerm } from '@coffer/contract/merchants/terms.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Messages } from '../../../i18n/areas.ts'
import { language } from '../../../i18n/language.ts'
import { joinList } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { type DayRange, toDayInZone, toQueryTimes } from '../../../lib/days.ts'
import { maxRangeDays } from '../../../lib/span.ts'
import { useCell } from '../../../lib/useCell.ts'
import { browserZone, displayTimeZone } from '../../../lib/zone.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextInput } from '../../../ui/controls/TextInput.tsx'
import { Card } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import type { Column } from '../../../ui/data/Table.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { DateRange } from '../../../ui/dates/DateRange.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { useRead } from '../../kit/api.ts'
import { Link, MerchantLink, WithdrawalLink } from '../../kit/links.tsx'
import { HealthStatus, Rows, TwoLineCell } from '../../kit/Rows.tsx'
import type { ConsoleRouter } from '../../routes.ts'

type State = Record<string, unknown> | null

const isPause = (value: unknown): value is { reason: string } =>
  typeof value === 'object' && value !== null && 'reason' in value && typeof value.reason === 'string'

type Entry = Record<'before' | 'after', State> & Pick<Row, 'outcome'>

/**
 * What an incident found stands on its page, which version was decided on says nothing, and one's own alerts concern
 * nobody else.
 */
const unsaid = ['detail', 'updated_time', 'off', 'quiet_from', 'quiet_until', 'time_zone']

/** The names of what changed, or of what was asked for and refused. */
function changedIn({ before, after, outcome }: Entry): string[] {
  const textOf = (value: unknown) => JSON.stringify(value ?? '')
  // A reason that became part of the state stands there.
  const reasonIn = (value: unknown) => (isPause(value) ? value.reason : value)
  const isRepeated = (name: string) =>
    name === 'reason' && [after?.halted, after?.audit_reason, after?.pause].map(reasonIn).includes(after?.reason)
  const isChanged = (name: string) => textOf(before?.[name]) !== textOf(after?.[name]) && !isRepeated(name)
  return after === null
    ? []
    : Object.keys({ ...(outcome !== 'refused' && before), ...after }).filter(
        name => !unsaid.includes(name) && isChanged(name),
      )
}

/** What changed, each with what it was and is. */
function Changes({ of }: { of: Entry }) {
  const { before, after } = of
  const a = useMessages('actions')
  const t = useMessages('operator')
  const incidents = useMessages('incidents')
  const { failures } = useMessages('callbacks')
  const { pair } = useMessages('common')
  const { kinds } = useMessages('operator-alerts')
  const words: Record<string, string> = {
    ...t.merchantStates,
    ...t.withdrawalStates,
    ...t.payoutReasons,
    ...a.values,
    ...failures,
    ...incidents.steps,
    ...incidents.kinds,
    ...kinds,
  }
  const fieldName = (name: string) =>
    isMerchantTerm(name) ? merchantTermLabels[language.get()][name] : (a.fields[name] ?? name)
  const textOf = (value: unknown, name: string) => {
    if (isMerchantTerm(name) && (typeof value === 'number' || value === null))
      return formatMerchantTerm(language.get(), name, value)
    if (typeof value === 'boolean') return value ? a.yes : a.no
    if (value === null || value === undefined || value === '') return a.none
    if (name === 'pictures' && Array.isArray(value)) return value.length
    if (name === 'status' && typeof value === 'number') return a.callbackStates[value] ?? String(value)
    if (name === 'risk_level') return t.risks[value as keyof typeof t.risks] ?? String(value)
    if (name === 'role') return t.roles[value as keyof typeof t.roles] ?? String(value)
    if (isPause(value)) return formatStoredReason(value.reason, language.get())
    if (Array.isArray(value) && value.length === 0) return name === 'mchids' ? a.values.all : a.none
    if (Array.isArray(value) && value.every(each => typeof each !== 'object'))
      return joinList(value.map(each => String(words[each] ?? each)))
    if (name.endsWith('_time') || name.endsWith('_at')) return <Time seconds={Number(value)} />
    return typeof value === 'string'
      ? (words[value] ?? formatStoredReason(value, language.get()))
      : JSON.stringify(value)
  }
  return (
    <span className="block min-w-40 text-xs wrap-anywhere text-ink-2">
      {changedIn(of).map(name => (
        <span key={name} className="block">
          {pair(fieldName(name), '')}
          {before && name in before && <>{textOf(before[name], name)} → </>}
          {textOf(after?.[name], name)}
        </span>
      ))}
    </span>
  )
}

/** The object of an action, with a link to its page. */
function Subject({ action, id, of: { before, after } }: { action: string; id: string; of: Entry }) {
  const { queueNames } = useMessages('operator')
  const { data: chains } = useRead('GET /api/operator/v1/chains', {})
  const nameOf = (chain = '') => chains?.list.find(each => each.id === chain)?.name ?? chain
  if (/ (wallets|chains)\//.test(action)) return nameOf(id)
  if (action.includes(' assets/')) return `${id.split(':')[1]} · ${nameOf(id.split(':')[0])}`
  if (action.includes(' queues/')) return queueNames[id as keyof typeof queueNames]
  if (action.includes(' merchants/')) return <MerchantLink id={id} />
  const page = / incidents\//.test(action) ? '/incidents/$id' : / work-orders\//.test(action) ? '/orders/$id' : null
  if (page)
    return (
      <Link to={page} params={{ id }}>
        {id}
      </Link>
    )
  if (action.includes(' withdrawals/')) return <WithdrawalLink id={id}>{id}</WithdrawalLink>
  // What has no page is known by a name of its own.
  const { email, title, host, trade_no, amount, token } = { ...before, ...after }
  if (action.includes(' deposits/') && trade_no)
    return `${trade_no} · ${formatExactAmount(String(amount), language.get(), String(token))} ${token}`
  return String(email ?? title ?? host ?? id)
}

/** What operators did, in the console and by commands: an append-only chain that `coffer audit verify` checks. */
export default function Log() {
  const t = useMessages('operator')
  const actions = useMessages('actions')
  const common = useMessages('common')
  const { text: given = '' } = useSearch<ConsoleRouter, '/log'>({ from: '/log' })
  const [{ text, who }, setWanted] = useState<Wanted>({ text: given, who: '' })
  const [days, setDays] = useState<DayRange>()
  const zone = useCell(displayTimeZone) ?? browserZone()
  /** The entry from which each page continues. */
  const [from, setFrom] = useState<readonly number[]>([])
  const before = from.at(-1)
  const query = {
    ...(before !== undefined && { before }),
    ...(text && { text }),
    ...(who && { who }),
    ...(days && toQueryTimes(days, zone)),
  }
  const read = useRead('GET /api/operator/v1/log', { query })
  const next = read.data?.next
  return (
    <>
      <PageHeader title={t.menu.log} text={t.logText} />
      <Card flush>
        <SearchForm
          given={given}
          onSearch={wanted => {
            setFrom([])
            setWanted(wanted)
          }}
        >
          <DateRange
            value={days}
            today={toDayInZone(Date.now() / 1_000, zone)}
            longest={maxRangeDays}
            clearable
            onChange={range => {
              setFrom([])
              setDays(range)
            }}
          />
        </SearchForm>
        <Rows
          title={t.menu.log}
          columns={columnsOf(t, actions)}
          read={read}
          by={['seq']}
          lines={2}
          empty={text || who || days ? common.nothingFound : common.nothingHere}
          icon="list"
        />
        <div className="flex gap-2 px-5 py-3">
          <Button disabled={from.length === 0} onClick={() => setFrom(from.slice(0, -1))}>
            {t.newer}
          </Button>
          <Button disabled={!next} onClick={() => next && setFrom([...from, next])}>
            {t.older}
          </Button>
        </div>
      </Card>
    </>
  )
}

interface Wanted {
  text: string
  who: string
}

interface SearchFormProps {
  /** The text of the URL. */
  given: string
  onSearch(wanted: Wanted): void
  children: ReactNode
}

function SearchForm({ given, onSearch, children }: SearchFormProps) {
  const t = useMessages('operator')
  const { search } = useMessages('common')
  const [typed, setTyped] = useState<Wanted>({ text: given, who: '' })
  return (
    <form
      className="flex flex-wrap gap-2 px-5 py-4"
      onSubmit={event => {
        event.preventDefault()
        onSearch({ text: typed.text.trim(), who: typed.who.trim() })
      }}
    >
      <TextInput
        aria-label={t.searchLog}
        placeholder={t.searchLog}
        className="w-full sm:w-64"
        maxLength={100}
        value={typed.text}
        onChange={text => setTyped({ ...typed, text })}
      />
      <TextInput
        aria-label={t.byWhom}
        placeholder={t.byWhom}
        className="w-full sm:w-52"
        maxLength={254}
        value={typed.who}
        onChange={who => setTyped({ ...typed, who })}
      />
      {children}
      <Button type="submit" icon="search">
        {search}
      </Button>
    </form>
  )
}

type Row = OperatorData<'GET /api/operator/v1/log'>['list'][number]

const columnsOf = (t: Messages<'operator'>, { actions, changed }: Messages<'actions'>): Column<Row>[] => [
  { title: t.time, sticky: 'start', cell: row => <Time seconds={row.created_time} /> },
  {
    title: t.who,
    cell: row => (
      <span className="block min-w-48">
        <TwoLineCell first={row.who} second={<span className="num">{row.ip}</span>} />
      </span>
    ),
  },
  {
    title: t.what,
    cell: row => (
      <span className="block max-w-80 min-w-44">
        <span className="block break-words" title={row.action}>
          {actions[row.action] ?? row.action}
        </span>
        <span className="block text-xs break-all text-ink-3">
          <Subject action={row.action} id={row.subject} of={row} />
        </span>
      </span>
    ),
  },
  {
    title: t.outcome,
    cell: row =>
      row.outcome === 'waits' ? (
        <Badge kind="processing">{t.outcomes.waits}</Badge>
      ) : (
        <HealthStatus bad={row.outcome !== 'done'} text={t.outcomes[row.outcome]} note={row.reason} />
      ),
  },
  { title: changed, cell: row => changedIn(row).length > 0 && <Changes of={row} /> },
]
