import { merchantStatus } from '@coffer/contract/codes.ts'
import { riskLevels } from '@coffer/contract/merchants/risk-levels.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'

type Detail = OperatorData<'GET /api/operator/v1/merchants/:id'>

interface Props {
  merchant: Detail
}

const audits: readonly number[] = [merchantStatus.primary_audit, merchantStatus.advanced_audit]

/** Whether an application waits for a decision or was refused. */
export const isUnapprovedMerchant = ({ status }: Detail): boolean =>
  [...audits, merchantStatus.failed_audit].includes(status)

/** What can be done with a merchant. */
export function MerchantActions({ merchant }: Props) {
  const t = useMessages('operator')
  const { mchid, name, frozen, held, authenticator, risk_level } = merchant
  const target = { params: { id: mchid }, of: name || mchid }
  const levels = riskLevels.map(level => ({ value: level, label: t.risks[level] }))
  return (
    <>
      {isUnapprovedMerchant(merchant) && <Review merchant={merchant} />}
      <ActionButton
        call="PUT /api/operator/v1/merchants/:id/risk"
        {...target}
        additions={{ risk_level: { initial: risk_level, options: levels } }}
      />
      <ActionButton call="POST /api/operator/v1/merchants/:id/documents" params={target.params} />
      {frozen ? (
        <ActionButton call="POST /api/operator/v1/merchants/:id/unfreeze" {...target} />
      ) : (
        <ActionButton call="POST /api/operator/v1/merchants/:id/freeze" {...target} />
      )}
      {held && <ActionButton call="POST /api/operator/v1/merchants/:id/lift-hold" {...target} />}
      {authenticator && <ActionButton call="POST /api/operator/v1/merchants/:id/remove-authenticator" {...target} />}
    </>
  )
}

/** Decides on the application. */
function Review({ merchant: { mchid, name, status } }: Props) {
  const t = useMessages('operator')
  const review = {
    call: 'POST /api/operator/v1/merchants/:id/review',
    params: { id: mchid },
    of: name || mchid,
  } as const
  return (
    <>
      <ActionButton {...review} known={{ decision: 'approve', reason: '' }} />
      {status === merchantStatus.primary_audit && (
        <ActionButton
          {...review}
          label={t.advance}
          text={t.advanceText}
          look="secondary"
          done={t.saved}
          known={{ decision: 'advance', reason: '' }}
        />
      )}
      {audits.includes(status) && (
        <ActionButton
          {...review}
          label={t.refuse}
          text={t.refuseText}
          look="danger"
          done={t.refusedDone}
          known={{ decision: 'refuse' }}
        />
      )}
    </>
  )
}
