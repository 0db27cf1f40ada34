import type { Language } from '@coffer/contract/languages.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { formatCount, formatShortDay } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { HeadlineBalance, HideableAmount } from '../../kit/mobile/HeadlineBalance.tsx'
import { OrderPrice, Row, RowPlaceholders } from '../../kit/mobile/Rows.tsx'
import { useCell } from '../../lib/useCell.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { May } from '../../ui/controls/May.tsx'
import { Tabs } from '../../ui/controls/Tabs.tsx'
import { Card, Stat } from '../../ui/data/Card.tsx'
import { Figure } from '../../ui/data/Figure.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import { CompletedWithdrawals } from './CompletedWithdrawals.tsx'
import { chartRangeDays, type DailyPoint, sumDailyPoints } from './series.ts'
import { latestPaid, useFirstSteps } from './useFirstSteps.ts'

const FirstSteps = lazy(() => import('./FirstSteps.tsx'))

/** Home on a phone: the balance, ways on, and how the last days went. */
export default function Home() {
  const t = useMessages('dashboard')
  const steps = useFirstSteps()
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">{t.title}</h1>
      <May call="GET /api/v1/statistics/overview">
        <Worth />
      </May>
      {/* Nothing is drawn where first steps would push it down. */}
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        {steps === undefined ? (
          <Skeleton className="h-96 w-full" />
        ) : (
          <>
            {/* A shell is on a computer. */}
            {steps?.some(({ name, state }) => name === 'pay' && state !== 'done') && (
              <FirstSteps steps={steps.filter(({ name }) => name !== 'apply')} />
            )}
            <May call="GET /api/v1/statistics/daily-collection">
              <Days />
            </May>
            <Latest />
          </>
        )}
      </Suspense>
    </div>
  )
}

function Worth() {
  const t = useMessages('dashboard')
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/statistics/overview', {}))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  const extractable = (
    <Link to="/withdraw" className="-my-3.5 inline-block py-3.5">
      {t.extractable}
    </Link>
  )
  const figures: { key: string; name: ReactNode; value: string | undefined; note?: ReactNode }[] = [
    { key: 'today', name: t.todayEarnings, value: data?.today_amount },
    { key: 'extractable', name: extractable, value: data?.operable_balance },
    { key: 'income', name: t.cumulativeIncome, value: data?.frozen_amount },
    { key: 'volume', name: t.transactionVolume, value: data?.transaction_volume },
    {
      key: 'withdrawn',
      name: t.cumulativeWithdrawal,
      value: data?.cumulative_withdrawal,
      note: (
        <HideableAmount>
          <CompletedWithdrawals of={data} />
        </HideableAmount>
      ),
    },
  ]
  return (
    <section aria-label={t.overview} aria-busy={data === undefined} className={cx(cardClass, 'overflow-hidden')}>
      <div className="px-4 pt-4 pb-3">
        <HeadlineBalance label={t.accountBalance} value={data?.total_assets} note={t.accountBalanceNote} />
      </div>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(64px,1fr))] px-1 pb-3">
        <Way to="/withdraw" icon="withdraw" text={t.withdraw} />
        <Way to="/transfer" icon="swap" text={t.transfer} />
        <Way to="/property/fundingDetails" icon="list" text={t.fundFlow} />
        <Way to="/statistics" icon="chart" text={t.statistics} />
      </ul>
      <div className="grid grid-cols-2 gap-px border-t max-[259px]:grid-cols-1 border-line bg-line">
        {figures.map(({ key, name, value, note }) => (
          <div key={key} className="min-w-0 bg-surface px-4 py-3 last:col-span-full">
            <div className="text-xs text-ink-2">{name}</div>
            <div className="num @container mt-0.5 text-base font-semibold">
              <HideableAmount>
                <Figure value={value} />
              </HideableAmount>
            </div>
            {note && <div className="mt-0.5 text-xs text-ink-3">{note}</div>}
          </div>
        ))}
      </div>
    </section>
  )
}

const Way = ({ to, icon, text }: { to: string; icon: IconName; text: string }) => (
  <li>
    <Link to={to} look="none" className="flex min-h-16 flex-col items-center gap-1 rounded-lg py-1 active:bg-sunken">
      <span className="flex size-10 items-center justify-center rounded-full bg-accent-soft text-accent-text">
        <Icon name={icon} />
      </span>
      <span className="text-center text-xs text-ink-2">{text}</span>
    </Link>
  </li>
)

/** Income by day, with what was initiated and paid. */
function Days() {
  const t = useMessages('dashboard')
  const inLanguage = useCell(language)
  const [days, setDays] = useState<string>('30')
  const { data, error, refetch } = useQuery(
    apiQuery('GET /api/v1/statistics/daily-collection', { query: { days: 30 } }),
  )
  const points = data?.list.slice(-Number(days))
  const totals = points && sumDailyPoints(points)
  return (
    <Card
      title={t.payments}
      actions={
        <Tabs
          look="box"
          label={t.range}
          value={days}
          tabs={chartRangeDays.map(count => ({ value: `${count}`, title: t.days(count) }))}
          onChange={setDays}
        />
      }
    >
      {error && !points ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : points && totals ? (
        <>
          <Stat
            label={t.income}
            value={
              <HideableAmount>
                <Figure value={totals.income} />
              </HideableAmount>
            }
          />
          <Bars points={points} inLanguage={inLanguage} label={`${t.income}, ${t.days(points.length)}`} />
          <dl className="mt-3 grid grid-cols-2 gap-3">
            {[[t.initiatePayment, totals.created] as const, [t.payCount, totals.paid] as const].map(([name, count]) => (
              <div key={name}>
                <dt className="text-xs text-ink-2">{name}</dt>
                <dd className="num text-base font-semibold">{formatCount(count, inLanguage)}</dd>
              </div>
            ))}
          </dl>
        </>
      ) : (
        <Skeleton className="h-52 w-full" />
      )}
    </Card>
  )
}

const high = 72

function Bars({ points, label, inLanguage }: { points: readonly DailyPoint[]; label: string; inLanguage: Language }) {
  const most = Math.max(...points.map(point => Number(point.income)), 1e-9)
  const first = points[0]
  const last = points.at(-1)
  return (
    <>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${points.length * 10} ${high}`}
        preserveAspectRatio="none"
        className="mt-3 h-20 w-full"
      >
        {points.map((point, index) => {
          const height = Math.max(2, (Number(point.income) / most) * high)
          const empty = Number(point.income) <= 0
          const isToday = index === points.length - 1
          return (
            <rect
              key={point.date}
              x={index * 10 + 1.5}
              y={high - height}
              width={7}
              height={height}
              {...(isToday && !empty && { strokeDasharray: '3 3', vectorEffect: 'non-scaling-stroke' })}
              className={empty ? 'fill-line' : isToday ? 'fill-surface stroke-theme' : 'fill-theme'}
            />
          )
        })}
      </svg>
      <p className="mt-1 flex justify-between text-xs text-ink-3">
        <span>{first && formatShortDay(first.date, inLanguage)}</span>
        <span>{last && formatShortDay(last.date, inLanguage)}</span>
      </p>
    </>
  )
}

function Latest() {
  const t = useMessages('dashboard')
  const common = useMessages('common')
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(latestPaid)
  return (
    <Card
      title={t.latestPayments}
      flush
      actions={
        <Link to="/record" className="flex min-h-11 items-center text-[13px]">
          {common.viewAll}
        </Link>
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <RowPlaceholders count={4} />
      ) : data.list.length === 0 ? (
        <Empty title={t.latestEmpty} text={t.latestEmptyText} />
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {data.list.map(payment => (
            <li key={payment.trade_no}>
              <Row
                picture={<TokenLogo token={payment.token} size={36} />}
                title={payment.title || payment.out_trade_no}
                text={
                  <>
                    <HideableAmount>
                      <OrderPrice of={payment} />
                    </HideableAmount>
                    {payment.apply_name}
                  </>
                }
                value={
                  <HideableAmount>
                    <Amount flow="in" value={payment.paid_amount} unit={payment.token} />
                  </HideableAmount>
                }
                note={<Time seconds={payment.paid_time} />}
                onOpen={() => void navigate({ to: '/record', search: { trade_no: payment.trade_no } })}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
