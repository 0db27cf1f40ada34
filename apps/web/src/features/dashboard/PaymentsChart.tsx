import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { type ReactNode, useState } from 'react'
import { formatCount, formatShare, formatShortDay } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { Day } from '../../lib/days.ts'
import { useCell } from '../../lib/useCell.ts'
import { LineChart } from '../../ui/charts/LineChart.tsx'
import { cx, staleClass } from '../../ui/classes.ts'
import { Digits } from '../../ui/data/Digits.tsx'
import { Skeleton } from '../../ui/feedback/States.tsx'
import {
  computeAverageIncome,
  computeRelativeChange,
  computeSuccessRate,
  type DailyPoint,
  sumDailyPoints,
} from './series.ts'

const chartHeight = 244

interface Props {
  points: readonly DailyPoint[]
  /** As many days before as those of the points that are over; undefined without a comparison. */
  before: readonly DailyPoint[] | undefined
  today: Day
  /** Another range is loading. */
  stale: boolean
  /** Empty while it is not known. */
  zone: string
}

/** Initiated and paid payments, or income; the totals above select the series. */
export function PaymentsChart({ points, before, today, stale, zone }: Props) {
  const t = useMessages('dashboard')
  const inLanguage = useCell(language)
  const [shown, setShown] = useState<'orders' | 'income'>('orders')
  const totals = sumDailyPoints(points)
  const rate = computeSuccessRate(totals)
  const average = computeAverageIncome(totals)
  const trends = before && trendsOf(points, before, today)
  const percent = (change: number) => formatShare(Math.abs(change), inLanguage)
  const count = (value: string) => formatCount(Number(value), inLanguage)
  const usdt = (value: string) => formatAmount(value, inLanguage)
  const labels = points.map(point => formatShortDay(point.date, inLanguage))
  const orders = [
    { key: 'created', name: t.initiatePayment, values: points.map(point => String(point.create_num)) },
    { key: 'paid', name: t.payCount, values: points.map(point => String(point.pay_num)) },
  ]
  const income = [{ key: 'income', name: t.inUsdt(t.income), values: points.map(point => point.income) }]
  return (
    <div className={stale ? staleClass : ''}>
      <fieldset className="mb-3 grid grid-cols-2 gap-2 xl:grid-cols-4">
        <legend className="sr-only">{t.shown}</legend>
        <Sum
          name={`${t.initiatePayment} / ${t.payCount}`}
          value={`${formatCount(totals.created, inLanguage)} / ${formatCount(totals.paid, inLanguage)}`}
          chosen={shown === 'orders'}
          onChoose={() => setShown('orders')}
          trend={<Trend change={trends?.paid} text={percent} />}
        />
        <Sum
          name={t.inUsdt(t.income)}
          value={<Digits text={usdt(totals.income)} />}
          chosen={shown === 'income'}
          onChoose={() => setShown('income')}
          trend={<Trend change={trends?.income} text={percent} />}
        />
        <Sum
          name={t.paidRate}
          value={rate === null ? '–' : formatShare(rate, inLanguage)}
          trend={<Trend change={trends?.rate} text={change => `${percent(change).slice(0, -1)} ${t.points}`} />}
        />
        <Sum
          name={t.inUsdt(t.average)}
          value={average === null ? '–' : <Digits text={usdt(average)} />}
          trend={<Trend change={trends?.average} text={percent} />}
        />
      </fieldset>
      <p className="mb-3 flex flex-wrap justify-between gap-x-4 px-3 text-xs text-ink-3">
        {before && sumDailyPoints(before).created > 0 && <span>{t.trend(before.length)}</span>}
        {shown === 'orders' && <span>{t.countsHint}</span>}
        <span>{zone ? t.zone(zone) : '\u00a0'}</span>
      </p>
      <LineChart
        caption={shown === 'orders' ? t.payments : t.income}
        labels={labels}
        labelName={t.day}
        series={shown === 'orders' ? orders : income}
        format={shown === 'orders' ? count : usdt}
        height={chartHeight}
        filled
        unfinished={points.at(-1)?.date === today && t.unfinished}
      />
    </div>
  )
}

/** How the days that are over compare with those before. */
function trendsOf(points: readonly DailyPoint[], before: readonly DailyPoint[], today: Day) {
  const over = sumDailyPoints(points.filter(point => point.date < today))
  const past = sumDailyPoints(before)
  return {
    income: computeRelativeChange(Number(over.income), Number(past.income)),
    paid: computeRelativeChange(over.paid, past.paid),
    rate: difference(computeSuccessRate(over), computeSuccessRate(past)),
    average: computeRelativeChange(Number(computeAverageIncome(over) ?? 0), Number(computeAverageIncome(past) ?? 0)),
  }
}

const difference = (now: number | null, before: number | null) =>
  now === null || before === null ? null : now - before

interface SumProps {
  name: string
  value: ReactNode
  trend: ReactNode
  /** Given for totals that select their series. */
  chosen?: boolean
  onChoose?(): void
}

/** A total with its trend. */
function Sum({ name, value, trend, chosen, onChoose }: SumProps) {
  const look = 'rounded-lg border px-3 py-1.5 text-left'
  const contents = (
    <>
      <span className="block text-xs text-ink-2">{name}</span>
      <span className="num block text-base leading-6 font-semibold">{value}</span>
      {trend}
    </>
  )
  if (!onChoose) return <span className={cx(look, 'border-transparent')}>{contents}</span>
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={cx(
        look,
        'transition-colors',
        chosen ? 'border-line-strong bg-sunken' : 'border-transparent hover:bg-sunken',
      )}
    >
      {contents}
    </button>
  )
}

/** A change with its direction, without colour: green and red mean money and states. Nothing when it is unknown. */
function Trend({ change, text }: { change: number | null | undefined; text(change: number): string }) {
  if (change === undefined || change === null) return null
  const [arrow, sign] = change > 0 ? ['↑', '+'] : change < 0 ? ['↓', '−'] : ['', '']
  return (
    <span className="num block text-xs whitespace-nowrap text-ink-2">
      <span aria-hidden="true">{arrow}</span> <span className="sr-only">{sign}</span>
      {text(change)}
    </span>
  )
}

/** As high as the chart with its totals. */
export const PaymentsChartSkeleton = () => (
  <div aria-busy="true">
    <div className="mb-3 flex h-[98px] items-center gap-2">
      <Skeleton className="h-10 w-44" />
      <Skeleton className="h-10 w-36" />
    </div>
    <Skeleton className="h-[272px] w-full" />
  </div>
)
