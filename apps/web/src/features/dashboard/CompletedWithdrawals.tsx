import { useMessages } from '../../i18n/messages.ts'
import { Amount } from '../../ui/data/Values.tsx'

interface Withdrawn {
  cumulative_withdrawal: string
  sure_withdrawal: string
}

/** How much of what was withdrawn has completed. */
export function CompletedWithdrawals({ of }: { of: Withdrawn | undefined }) {
  const t = useMessages('dashboard')
  if (!of || of.cumulative_withdrawal === '0') return null
  if (of.sure_withdrawal === of.cumulative_withdrawal) return t.allWithdrawn
  return (
    <>
      {t.sureWithdrawal} <Amount value={of.sure_withdrawal} />
    </>
  )
}
