import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { ReactNode } from 'react'
import { useMessages } from '../../../i18n/messages.ts'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Amount } from '../../../ui/data/Values.tsx'
import { MerchantLink, ParentPageLink } from '../../kit/links.tsx'
import { RiskBadge, WithdrawalBadge } from '../../kit/Rows.tsx'

type Payout = Pick<
  OperatorData<'GET /api/operator/v1/refunds/:id'>,
  'token' | 'chain' | 'status' | 'mchid' | 'name' | 'risk_level'
>

/**
 * The head of a payout's page: what it is and how much, how it stands and of whom; `children`: what else is said of it.
 */
export function PayoutHeader({
  what,
  amount,
  payout,
  actions,
  children,
}: {
  what: string
  amount: string
  payout: Payout
  actions: ReactNode
  children?: ReactNode
}) {
  const t = useMessages('operator')
  return (
    <>
      <ParentPageLink to="/withdrawals">{t.menu.withdrawals}</ParentPageLink>
      <PageHeader
        title={
          <>
            {what} <Amount value={amount} unit={payout.token} exact /> · {payout.chain}
          </>
        }
        text={
          <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
            <WithdrawalBadge status={payout.status} />
            <MerchantLink id={payout.mchid}>{payout.name || payout.mchid}</MerchantLink>
            <RiskBadge level={payout.risk_level} />
            {children}
          </span>
        }
        actions={actions}
      />
    </>
  )
}
