import { formatAmount } from '@coffer/contract/format-amount.ts'
import { useState } from 'react'
import { formatCount, formatShortDay } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { LineChart } from '../../ui/charts/LineChart.tsx'
import { cx } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/feedback/States.tsx'
import { type DailyPoint, totalsOf } from './series.ts'

const chartHeight = 272

interface Props {
  points: readonly DailyPoint[]
  /** Another range is loading. */
  stale: boolean
  zone: string
}

/** Initiated and paid payments, or income; the totals above select the series. */
export function PaymentsChart({ points, stale, zone }: Props) {
  const t = useMessages('dashboard')
  const inLanguage = useCell(language)
  const [shown, setShown] = useState<'orders' | 'income'>('orders')
  const totals = totalsOf(points)
  const count = (value: string) => formatCount(Number(value), inLanguage)
  const usdt = (value: string) => formatAmount(value, inLanguage)
  const labels = points.map(point => formatShortDay(point.date, inLanguage))
  const orders = [
    { key: 'created', name: t.initiatePayment, values: points.map(point => String(point.create_num)) },
    { key: 'paid', name: t.payCount, values: points.map(point => String(point.pay_num)) },
  ]
  const income = [{ key: 'income', name: `${t.income} (${t.usdt})`, values: points.map(point => point.income) }]
  return (
    <div className={cx('transition-opacity', stale && 'opacity-60')}>
      <fieldset className="mb-3 flex flex-wrap gap-2">
        <legend className="sr-only">{t.shown}</legend>
        <Sum
          name={`${t.initiatePayment} / ${t.payCount}`}
          value={`${formatCount(totals.created, inLanguage)} / ${formatCount(totals.paid, inLanguage)}`}
          chosen={shown === 'orders'}
          onChoose={() => setShown('orders')}
        />
        <Sum
          name={`${t.income} (${t.usdt})`}
          value={formatAmount(totals.income, inLanguage)}
          chosen={shown === 'income'}
          onChoose={() => setShown('income')}
        />
        <span className="self-end pb-1 text-xs text-ink-3 sm:ml-auto">{t.zone(zone)}</span>
      </fieldset>
      <LineChart
        caption={shown === 'orders' ? t.payments : t.income}
        labels={labels}
        labelName={t.day}
        series={shown === 'orders' ? orders : income}
        format={shown === 'orders' ? count : usdt}
        height={chartHeight}
        filled
      />
    </div>
  )
}

/** A total that selects its series. */
const Sum = ({ name, value, chosen, onChoose }: { name: string; value: string; chosen: boolean; onChoose(): void }) => (
  <button
    type="button"
    aria-pressed={chosen}
    onClick={onChoose}
    className={cx(
      'min-w-0 grow rounded-lg border sm:min-w-36 sm:grow-0 px-3 py-1.5 text-left transition-colors',
      chosen ? 'border-line-strong bg-sunken' : 'border-transparent hover:bg-sunken',
    )}
  >
    <span className="block text-xs text-ink-2">{name}</span>
    <span className="num block text-base leading-6 font-semibold">{value}</span>
  </button>
)

/** As high as the chart with its totals. */
export const PaymentsChartSkeleton = () => (
  <div aria-busy="true">
    <div className="mb-3 flex h-[54px] items-center gap-2">
      <Skeleton className="h-10 w-44" />
      <Skeleton className="h-10 w-36" />
    </div>
    <Skeleton className="h-[300px] w-full" />
  </div>
)
