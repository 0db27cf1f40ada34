import type { ReactNode } from 'react'
import { formatCount, formatShare } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { computePaidRatio } from '../../lib/computePaidRatio.ts'
import { useCell } from '../../lib/useCell.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Stat } from '../../ui/data/Card.tsx'
import { Figure, FigureSkeleton } from '../../ui/data/Figure.tsx'
import type { StatisticsSummary } from './summary.ts'

/** Totals of the range. */
export function Totals({ total }: { total: StatisticsSummary['total'] | undefined }) {
  const t = useMessages('statistics')
  const inLanguage = useCell(language)
  const ratio = total && computePaidRatio(total)
  const count = (value: number | undefined) =>
    value === undefined ? <FigureSkeleton /> : formatCount(value, inLanguage)
  const cells: { label: string; value: ReactNode; note: string }[] = [
    { label: t.income, value: <Figure value={total?.income} />, note: t.incomeNote },
    { label: t.refund, value: <Figure value={total?.refund} />, note: t.refundNote },
    { label: t.created, value: count(total?.create_num), note: t.createdNote },
    {
      label: t.paid,
      value: count(total?.pay_num),
      note: ratio == null ? t.paidNote : t.paidShare(formatShare(ratio, inLanguage)),
    },
  ]
  return (
    <section aria-label={t.totals} aria-busy={total === undefined} className={cx(cardClass, 'overflow-hidden')}>
      <div className="grid grid-cols-1 gap-px bg-line min-[360px]:grid-cols-2 lg:grid-cols-4">
        {cells.map(({ label, value, note }) => (
          <div key={label} className="bg-surface px-4 py-3 max-sm:nth-[-n+2]:col-span-full sm:px-5 sm:py-4">
            <Stat label={label} value={value} note={note} />
          </div>
        ))}
      </div>
    </section>
  )
}
