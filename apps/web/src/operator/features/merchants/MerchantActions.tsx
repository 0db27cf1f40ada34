import { merchantStatus } from '@coffer/contract/codes.ts'
import { riskLevels } from '@coffer/contract/merchants/risk-levels.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { ActionButton, reasonField, secondOperatorResult } from '../../kit/ActionButton.tsx'
import { explanationField, ImpactText, secondOperatorForm } from '../../kit/Together.tsx'
import { AskForDocuments } from './MerchantHistory.tsx'

type Detail = OperatorData<'GET /api/operator/v1/merchants/:id'>

interface Props {
  merchant: Detail
}

const audits: readonly number[] = [merchantStatus.primary_audit, merchantStatus.advanced_audit]

/** Whether an application waits for a decision or was refused. */
export const isUnapprovedMerchant = ({ status }: Detail): boolean =>
  [...audits, merchantStatus.failed_audit].includes(status)

/** What can be done with a merchant. */
export const MerchantActions = ({ merchant }: Props) => (
  <>
    {isUnapprovedMerchant(merchant) && <Review merchant={merchant} />}
    <SetRisk merchant={merchant} />
    <AskForDocuments id={merchant.mchid} />
    {merchant.frozen ? <Unfreeze merchant={merchant} /> : <Freeze merchant={merchant} />}
    {merchant.held && <LiftHold merchant={merchant} />}
    {merchant.authenticator && <RemoveAuthenticator merchant={merchant} />}
  </>
)

/** Whom an action concerns, in its call and in the title of its dialog. */
const targetOf = ({ mchid, name }: Detail) => ({ params: { id: mchid }, of: name || mchid })

/** Decides on the application. */
function Review({ merchant }: Props) {
  const t = useMessages('operator')
  const review = { call: 'POST /api/operator/v1/merchants/:id/review', ...targetOf(merchant) } as const
  return (
    <>
      <ActionButton
        {...review}
        label={t.approve}
        text={t.approveText}
        look="primary"
        body={() => ({ decision: 'approve', reason: '' })}
        done={t.approved}
      />
      {merchant.status === merchantStatus.primary_audit && (
        <ActionButton
          {...review}
          label={t.advance}
          text={t.advanceText}
          body={() => ({ decision: 'advance', reason: '' })}
        />
      )}
      {audits.includes(merchant.status) && (
        <ActionButton
          {...review}
          label={t.refuse}
          text={t.refuseText}
          look="danger"
          {...reasonField(t.reason)}
          body={given => ({ decision: 'refuse', ...given })}
          done={t.refusedDone}
        />
      )}
    </>
  )
}

function SetRisk({ merchant }: Props) {
  const t = useMessages('operator')
  const { pleaseSelect } = useMessages('common')
  const call = 'PUT /api/operator/v1/merchants/:id/risk'
  const words = explanationField(t)
  return (
    <ActionButton
      call={call}
      {...targetOf(merchant)}
      label={t.setRisk}
      text={
        <ImpactText call={call} id={merchant.mchid}>
          {t.riskText}
        </ImpactText>
      }
      initial={{ risk_level: merchant.risk_level as (typeof riskLevels)[number], ...words.initial }}
      fields={[
        {
          name: 'risk_level',
          label: t.risk,
          kind: 'choice',
          required: true,
          placeholder: pleaseSelect,
          options: riskLevels.map(level => ({ value: level, label: t.risks[level] })),
        },
        ...words.fields,
      ]}
      done={t.recorded}
      result={secondOperatorResult(t)}
    />
  )
}

function Unfreeze({ merchant }: Props) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/merchants/:id/unfreeze'
  return (
    <ActionButton
      call={call}
      {...targetOf(merchant)}
      label={t.unfreeze}
      text={
        <ImpactText call={call} id={merchant.mchid}>
          {t.unfreezeText}
        </ImpactText>
      }
      look="danger"
      {...secondOperatorForm(t)}
    />
  )
}

function Freeze({ merchant }: Props) {
  const t = useMessages('operator')
  const s = useMessages('support')
  const why = reasonField(t.reason)
  return (
    <ActionButton
      call="POST /api/operator/v1/merchants/:id/freeze"
      {...targetOf(merchant)}
      label={t.freeze}
      text={t.freezeText}
      look="danger"
      initial={{ ...why.initial, show_reason: false }}
      fields={[...why.fields, { name: 'show_reason', kind: 'switch', label: s.tellFrozen, hint: s.tellFrozenHint }]}
    />
  )
}

function LiftHold({ merchant }: Props) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/merchants/:id/lift-hold'
  return (
    <ActionButton
      call={call}
      {...targetOf(merchant)}
      label={t.liftHold}
      text={
        <ImpactText call={call} id={merchant.mchid}>
          {t.liftHoldText}
        </ImpactText>
      }
      look="danger"
      {...secondOperatorForm(t)}
    />
  )
}

function RemoveAuthenticator({ merchant }: Props) {
  const t = useMessages('operator')
  return (
    <ActionButton
      call="POST /api/operator/v1/merchants/:id/remove-authenticator"
      {...targetOf(merchant)}
      label={t.removeAuthenticator}
      text={t.removeAuthenticatorText}
      look="danger"
      {...reasonField(t.reason)}
      done={t.recorded}
      result={secondOperatorResult(t)}
    />
  )
}
