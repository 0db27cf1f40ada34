import { nodeFailureText, reasonText } from '@coffer/contract/incidents/reasons.ts'
import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { priceSourceName } from '@coffer/contract/labels/price-sources.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { incidentNames, unknownIncident } from '@coffer/contract/operator/names.ts'
import type { ReactNode } from 'react'
import type { Messages } from '../../../i18n/areas.ts'
import { language } from '../../../i18n/language.ts'
import { listed } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { useCell } from '../../../lib/useCell.ts'
import { cx } from '../../../ui/classes.ts'
import { Card, Stat } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { Badge, type BadgeKind } from '../../../ui/feedback/Badge.tsx'
import { ErrorState, Skeleton } from '../../../ui/feedback/States.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useRead } from '../../kit/api.ts'
import { Link } from '../../kit/links.tsx'
import { Pending } from '../../kit/Pending.tsx'
import { Address, RowsCard, Two } from '../../kit/Rows.tsx'
import { agoText, waitText } from '../../kit/times.ts'

type Today = OperatorData<'GET /api/operator/v1/today'>
type Held = OperatorData<'GET /api/operator/v1/releases'>['list'][number]
type Liquidity = OperatorData<'GET /api/operator/v1/liquidity'>['list'][number]

const liquidityKinds: Record<Liquidity['state'], BadgeKind> = {
  covered: 'success',
  short: 'processing',
  uncovered: 'error',
  missing: 'error',
  unknown: 'closed',
}

interface Todo {
  text: ReactNode
  key?: string
  to:
    | '/merchants/$id'
    | '/incidents/$id'
    | '/incidents'
    | '/merchants'
    | '/withdrawals'
    | '/orders'
    | '/chains'
    | '/money'
    | '/queues'
  search?: { status: '1' }
  params?: { id: string }
  detail?: ReactNode
}

const passed = (t: Messages<'operator'>, since: number) => waitText(t, Date.now() / 1_000 - since)

/** How much waits, and since when. */
const waits = (t: Messages<'operator'>, usdt: string, since: number) => (
  <>
    {usdt && <Amount value={usdt} unit="USDT" />}
    {usdt && ' · '}
    {t.oldestWaits(passed(t, since))}
  </>
)

const some = (count: number, todo: Todo): Todo[] => (count > 0 ? [todo] : [])

/** Whether no incident that is named says already that a network is halted or delayed. */
const isUnreported =
  ({ open }: Today) =>
  ({ name }: Today['chains'][number]) =>
    !open.some(({ kind, chain }) => ['deep_reorg', 'chain_delayed'].includes(kind) && chain === name)

/** What is wrong, the worst first, each with the page where it is mended. */
const alarmsOf = (
  t: Messages<'operator'>,
  i: Messages<'incidents'>,
  { pair }: Messages<'common'>,
  today: Today,
): Todo[] => [
  ...today.open.map(
    ({ id, kind, chain, since, amount, token, fact }): Todo => ({
      key: id,
      to: '/incidents/$id',
      params: { id },
      text: [incidentNames[language.get()][kind] ?? unknownIncident[language.get()], chain].filter(Boolean).join(' · '),
      detail: (
        <>
          {amount && `${i.factNames[fact as keyof typeof i.factNames] ?? ''} `}
          {token ? <Amount value={amount} unit={token} /> : amount}
          {amount && ' · '}
          {t.lasts(passed(t, since))}
        </>
      ),
    }),
  ),
  ...some(today.incidents - today.open.length, {
    text: t.olderIncidents(today.incidents - today.open.length),
    to: '/incidents',
    detail: t.oldestLasts(passed(t, today.incidents_since)),
  }),
  ...some(today.wallets, {
    text: t.todoWallets(today.wallets),
    to: '/money',
    detail: (
      <>
        {today.wallets_since > 0 && t.lasts(passed(t, today.wallets_since))}
        {today.unsent > 0 && (
          <>
            {' · '}
            {t.unsent(today.unsent)} <Amount value={today.unsent_usdt} unit="USDT" />
          </>
        )}
      </>
    ),
  }),
  ...today.chains.filter(isUnreported(today)).map(
    ({ name, why, since }): Todo => ({
      text: (why === 'halted' ? t.todoHalted : t.todoChain)(name),
      to: '/chains',
      detail: [t.delays[why] ?? why, ...(since ? [t.lasts(passed(t, since))] : [])].join(' · '),
    }),
  ),
  ...today.paused.map(
    ({ queue, reason, since }): Todo => ({
      text: t.todoPaused(t.queueNames[queue]),
      to: '/queues',
      detail: `${reasonText(reason, language.get())} · ${t.lasts(passed(t, since))}`,
    }),
  ),
  ...today.nodes.map(
    ({ chain, host, reason, failures, time }): Todo => ({
      text: t.todoNode(chain, host),
      to: '/chains',
      detail: `${nodeFailureText(reason, language.get())} · ${t.failedTimes(failures)}, ${agoText(t, time, Date.now() / 1_000)}`,
    }),
  ),
  ...some(today.silent_prices.length, {
    text: t.todoPrices(listed(today.silent_prices.map(each => priceSourceName(each.source)))),
    to: '/queues',
    detail: [
      t.pricesEnd,
      ...today.silent_prices.map(({ source, time }) =>
        pair(priceSourceName(source), time ? t.lasts(passed(t, time)) : t.neverAnswered),
      ),
    ].join(' · '),
  }),
  ...some(today.dead_letters, { text: t.todoDead(today.dead_letters), to: '/queues' }),
]

/** Payouts that a person must release or decide, what waits longest first. */
const moneyOf = (t: Messages<'operator'>, today: Today, held: readonly Held[]): Todo[] =>
  [
    ...held.map(({ owner, id, amount, token, chain, mchid, merchant, created_time }) => ({
      since: created_time,
      key: `${owner} ${id}`,
      text: t.todoRelease(formatExactAmount(amount, language.get(), token), token),
      to: '/withdrawals' as const,
      detail: `${chain} · ${merchant || mchid} · ${t.waitsSince(passed(t, created_time))}`,
    })),
    ...some(today.withdrawals, {
      text: t.todoWithdrawals(today.withdrawals),
      to: '/withdrawals',
      detail: (
        <>
          {waits(t, today.withdrawals_usdt, today.withdrawals_since)}
          {today.second_approvals > 0 && ` · ${t.todoSecond(today.second_approvals)}`}
        </>
      ),
    }).map(todo => ({ since: today.withdrawals_since, ...todo })),
    ...some(today.refunds, {
      text: t.todoRefunds(today.refunds),
      to: '/withdrawals',
      detail: waits(t, today.refunds_usdt, today.refunds_since),
    }).map(todo => ({ since: today.refunds_since, ...todo })),
  ].toSorted((a, b) => a.since - b.since)

/** What a person has to decide or answer: money first, then accounts; each with the page where it is done. */
const todoOf = (t: Messages<'operator'>, today: Today, held: readonly Held[]): Todo[] => [
  ...moneyOf(t, today, held),
  ...today.removals.map(
    ({ mchid, name, confirmed_by, requested_by, requested_time, due_time }): Todo => ({
      text: t.todoRemoval(name || mchid),
      to: '/merchants/$id',
      params: { id: mchid },
      detail: (
        <>
          {confirmed_by ? t.removalDue(requested_by, confirmed_by) : t.removalAsks(requested_by)}{' '}
          <Time seconds={confirmed_by ? due_time : requested_time} />
        </>
      ),
    }),
  ),
  ...some(today.openings, { text: t.todoOpenings(today.openings), to: '/merchants', search: { status: '1' } }),
  ...some(today.work_orders, {
    text: t.todoOrders(today.work_orders),
    to: '/orders',
    search: { status: '1' },
    detail: waits(t, '', today.work_orders_since),
  }),
]

/** Items that lead to the pages where they are done; those of alarms are red. */
const Items = ({ items, alarm = false }: { items: readonly Todo[]; alarm?: boolean }) => (
  <ul className="divide-y divide-line border-t border-line">
    {items.map(({ text, key, to, search, params, detail }) => (
      <li key={key ?? String(text)}>
        <Link
          to={to}
          search={search}
          {...(params && { params })}
          look="none"
          className="flex min-h-12 items-center gap-3 px-5 py-2 text-sm hover:bg-sunken focus-visible:-outline-offset-2"
        >
          {alarm && <Icon name="warning" className="shrink-0 text-bad" />}
          <span className="min-w-0 grow">
            <span className={cx('block', alarm && 'font-medium text-bad')}>{text}</span>
            {detail && <span className="block text-xs wrap-anywhere text-ink-3">{detail}</span>}
          </span>
          <Icon name="chevronRight" className="shrink-0 text-ink-3" />
        </Link>
      </li>
    ))}
  </ul>
)

function Yesterday({ value }: { value: string }) {
  const t = useMessages('operator')
  return (
    <>
      {t.yesterday} <Amount value={value} unit="USDT" />
    </>
  )
}

/** What needs a person, money in and out, and what each wallet holds beside what is reserved. */
export default function Today() {
  const t = useMessages('operator')
  const i = useMessages('incidents')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const today = useRead('GET /api/operator/v1/today', {})
  const liquidity = useRead('GET /api/operator/v1/liquidity', {})
  const { data } = today
  const held = useRead('GET /api/operator/v1/releases', {}).data?.list ?? []
  const todo = data ? todoOf(t, data, held) : []
  const alarms = data ? alarmsOf(t, i, common, data) : []
  return (
    <>
      <PageHeader title={t.menu.today} text={t.todayText} />
      {alarms.length > 0 && (
        <Card title={t.alarms} flush className="mb-4 border-bad!">
          <Items items={alarms} alarm />
        </Card>
      )}
      <Pending />
      {today.error && !data ? (
        <ErrorState error={today.error} onRetry={() => void today.refetch()} />
      ) : (
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
          <Card title={t.todo} flush className="lg:col-span-2">
            {!data ? (
              <Skeleton className="m-5 h-24" />
            ) : todo.length === 0 ? (
              <p className="flex items-center gap-2 px-5 pb-5 text-sm text-ink-2">
                {alarms.length === 0 && <Icon name="check" className="text-good" />}
                {alarms.length > 0 ? t.alarmsFirst : t.nothingToDo}
              </p>
            ) : (
              <Items items={todo} />
            )}
          </Card>
          <Card title={t.moved}>
            {data ? (
              <div className="flex flex-col gap-4">
                <p className="-mt-2 text-xs text-ink-3">{t.sinceMidnight}</p>
                <Stat
                  label={t.moneyIn}
                  value={<Amount value={data.in_usdt} unit="USDT" />}
                  note={<Yesterday value={data.in_usdt_before} />}
                />
                <Stat
                  label={t.moneyOut}
                  value={<Amount value={data.out_usdt} unit="USDT" />}
                  note={<Yesterday value={data.out_usdt_before} />}
                />
              </div>
            ) : (
              <Skeleton className="h-32 w-full" />
            )}
          </Card>
          <RowsCard
            title={t.liquidity}
            className="lg:col-span-3"
            columns={[
              {
                title: t.token,
                sticky: 'start',
                className: 'whitespace-nowrap',
                cell: row => <Two first={row.token} second={row.chain} />,
              },
              {
                title: t.state,
                cell: row => {
                  const state = <Badge kind={liquidityKinds[row.state]}>{t.liquidityStates[row.state]}</Badge>
                  if (Number(row.from_treasury) === 0) return state
                  return (
                    <Two
                      first={state}
                      second={t.fromTreasury(formatExactAmount(row.from_treasury, inLanguage, row.token), row.token)}
                    />
                  )
                },
              },
              {
                title: t.onWallet,
                align: 'end',
                cell: row => (row.balance === '' ? t.noAnswer : <Amount value={row.balance} />),
              },
              { title: t.reserved, align: 'end', cell: row => <Amount value={row.reserved} /> },
              { title: t.unswept, align: 'end', cell: row => <Amount value={row.unswept} /> },
              { title: t.blockedByIssuer, align: 'end', cell: row => <Amount value={row.blocked} /> },
              { title: t.treasury, align: 'end', cell: row => <Amount value={row.treasury} /> },
              { title: t.owed, align: 'end', cell: row => <Amount value={row.owed} /> },
              { title: t.holdings, align: 'end', cell: row => <Amount value={row.value_usdt} /> },
              { title: t.wallet, cell: row => <Address value={row.address} /> },
            ]}
            read={liquidity}
            by={['chain_id', 'token']}
            empty={t.noWallets}
          >
            {liquidity.data && liquidity.data.list.length > 0 && (
              <p className="-mt-2 px-5 pb-3 text-[13px] text-ink-2">
                {t.holdingsInAll} <Amount value={liquidity.data.held_usdt} unit="USDT" /> · {t.owedInAll}{' '}
                <Amount value={liquidity.data.owed_usdt} unit="USDT" />
              </p>
            )}
          </RowsCard>
        </div>
      )}
    </>
  )
}
