import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { language } from '../../../i18n/language.ts'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { createItemIfAny, formatTimeSince, type TodayItem } from './TodayItems.tsx'

type Today = OperatorData<'GET /api/operator/v1/today'>
type Release = OperatorData<'GET /api/operator/v1/releases'>['list'][number]

/** What a person has to decide or answer: money first, then accounts. */
export const buildOperatorTasks = (
  t: Messages<'operator'>,
  today: Today,
  releases: readonly Release[],
): TodayItem[] => [
  ...payoutTasks(t, today, releases),
  ...today.removals.map(removal => removalTask(t, removal)),
  ...createItemIfAny(today.openings, {
    text: t.todoOpenings(today.openings),
    to: '/merchants',
    search: { status: '1' },
  }),
  ...createItemIfAny(today.work_orders, {
    text: t.todoOrders(today.work_orders),
    to: '/orders',
    search: { status: '1' },
    detail: t.oldestWaits(formatTimeSince(t, today.work_orders_since)),
  }),
]

/** Payouts that a person must release or decide, what waits longest first. */
function payoutTasks(t: Messages<'operator'>, today: Today, releases: readonly Release[]): TodayItem[] {
  const tasks = [
    ...releases.map(release => ({ since: release.created_time, items: [releaseTask(t, release)] })),
    { since: today.withdrawals_since, items: withdrawalsTask(t, today) },
    { since: today.refunds_since, items: refundsTask(t, today) },
  ]
  return tasks.toSorted((a, b) => a.since - b.since).flatMap(({ items }) => items)
}

/** A payout that the signer holds until a passkey releases it. */
const releaseTask = (
  t: Messages<'operator'>,
  { owner, id, amount, token, chain, mchid, merchant, created_time }: Release,
): TodayItem => ({
  key: `${owner} ${id}`,
  text: t.todoRelease(formatExactAmount(amount, language.get(), token), token),
  to: '/withdrawals',
  detail: `${chain} · ${merchant || mchid} · ${t.waitsSince(formatTimeSince(t, created_time))}`,
})

const withdrawalsTask = (t: Messages<'operator'>, today: Today) =>
  createItemIfAny(today.withdrawals, {
    text: t.todoWithdrawals(today.withdrawals),
    to: '/withdrawals',
    detail: (
      <>
        {waitingSum(t, today.withdrawals_usdt, today.withdrawals_since)}
        {today.second_approvals > 0 && ` · ${t.todoSecond(today.second_approvals)}`}
      </>
    ),
  })

const refundsTask = (t: Messages<'operator'>, today: Today) =>
  createItemIfAny(today.refunds, {
    text: t.todoRefunds(today.refunds),
    to: '/withdrawals',
    detail: waitingSum(t, today.refunds_usdt, today.refunds_since),
  })

/** How much waits, and since when. */
const waitingSum = (t: Messages<'operator'>, usdt: string, since: number) => (
  <>
    {usdt && (
      <>
        <Amount value={usdt} unit="USDT" /> ·{' '}
      </>
    )}
    {t.oldestWaits(formatTimeSince(t, since))}
  </>
)

/** The removal of a merchant's authenticator. */
function removalTask(
  t: Messages<'operator'>,
  { mchid, name, confirmed_by, requested_by, requested_time, due_time }: Today['removals'][number],
): TodayItem {
  return {
    text: t.todoRemoval(name || mchid),
    to: '/merchants/$id',
    params: { id: mchid },
    detail: (
      <>
        {confirmed_by ? t.removalDue(requested_by, confirmed_by) : t.removalAsks(requested_by)}{' '}
        <Time seconds={confirmed_by ? due_time : requested_time} />
      </>
    ),
  }
}
