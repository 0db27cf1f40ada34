import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { useState } from 'react'
import { formatCount, formatShortDay } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { Day } from '../../lib/days.ts'
import { useCell } from '../../lib/useCell.ts'
import { LineChart } from '../../ui/charts/LineChart.tsx'
import { Tabs } from '../../ui/controls/Tabs.tsx'
import { Skeleton } from '../../ui/feedback/States.tsx'
import type { StatisticsSummary } from './summary.ts'

const chartHeight = 260

/** Daily orders, or daily income and refunds. */
export function DaysChart({ days, today }: { days: StatisticsSummary['days'] | undefined; today: Day }) {
  const t = useMessages('statistics')
  const inLanguage = useCell(language)
  const [shown, setShown] = useState<'money' | 'orders'>('money')
  const money = [
    { key: 'income', name: t.inUsdt(t.income), values: days?.map(day => day.income) ?? [] },
    { key: 'refund', name: t.inUsdt(t.refund), values: days?.map(day => day.refund) ?? [] },
  ]
  const orders = [
    { key: 'created', name: t.created, values: days?.map(day => String(day.create_num)) ?? [] },
    { key: 'paid', name: t.paid, values: days?.map(day => String(day.pay_num)) ?? [] },
  ]
  return (
    <>
      <div className="mb-3">
        <Tabs<'money' | 'orders'>
          look="box"
          label={t.shown}
          value={shown}
          tabs={[
            { value: 'money', title: t.money },
            { value: 'orders', title: t.orders },
          ]}
          onChange={setShown}
        />
      </div>
      {days === undefined ? (
        <Skeleton className="h-[288px] w-full" />
      ) : (
        <LineChart
          caption={shown === 'money' ? t.money : t.orders}
          labels={days.map(day => formatShortDay(day.date, inLanguage))}
          labelName={t.day}
          series={shown === 'money' ? money : orders}
          format={value =>
            shown === 'money' ? formatAmount(value, inLanguage) : formatCount(Number(value), inLanguage)
          }
          height={chartHeight}
          filled
          unfinished={days.at(-1)?.date === today && t.unfinished}
        />
      )}
    </>
  )
}
