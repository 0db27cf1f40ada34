import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useIsAccountHeld } from '../../kit/useIsAccountHeld.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Stat } from '../../ui/data/Card.tsx'
import { Figure } from '../../ui/data/Figure.tsx'
import { ErrorState } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { CompletedWithdrawals } from './CompletedWithdrawals.tsx'

/** Account balance, today's earnings and four overview figures. */
export function Balance() {
  const t = useMessages('dashboard')
  const isHeld = useIsAccountHeld()
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/statistics/overview', {}))
  if (error && !data) {
    return (
      <section aria-label={t.overview} className={cardClass}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </section>
    )
  }
  const { total_assets, today_amount, operable_balance, frozen_amount, transaction_volume } = data ?? {}
  return (
    <section aria-label={t.overview} className={cx(cardClass, 'overflow-hidden')} aria-busy={data === undefined}>
      {/* Two halves, aligned with the figures below. */}
      <div className="grid grid-cols-1 gap-y-5 py-5 min-[480px]:grid-cols-2">
        <div className="px-5 sm:px-6">
          <Stat
            size="hero"
            label={t.accountBalance}
            value={<Figure value={total_assets} />}
            note={t.accountBalanceNote}
          />
        </div>
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-5 px-5 sm:px-6">
          <Stat label={t.todayEarnings} value={<Figure value={today_amount} />} note={t.cumulativeIncomeNote} />
          <Link to="/accountInfo" look="secondary">
            <Icon name="shield" size={16} className="-ml-0.5" />
            {t.securityCenter}
          </Link>
        </div>
      </div>
      <div className="grid grid-cols-1 gap-px border-t border-line bg-line min-[480px]:grid-cols-2 lg:grid-cols-4">
        <Cell
          label={
            <Link to="/withdraw" className="text-[13px]">
              {t.extractable}
            </Link>
          }
          value={operable_balance}
          note={isHeld ? t.extractableHeld : t.extractableNote}
        />
        <Cell label={t.cumulativeIncome} value={frozen_amount} note={t.cumulativeIncomeNote} />
        <Cell label={t.transactionVolume} value={transaction_volume} note={t.transactionVolumeNote} />
        <Cell
          label={t.cumulativeWithdrawal}
          value={data?.cumulative_withdrawal}
          note={<CompletedWithdrawals of={data} />}
        />
      </div>
    </section>
  )
}

const Cell = ({ label, value, note }: { label: ReactNode; value: string | undefined; note: ReactNode }) => (
  <div className="bg-surface px-5 py-4 sm:px-6">
    <Stat label={label} value={<Figure value={value} />} note={note} />
  </div>
)
