import { feeBpsMax, formatBasisPoints } from '@coffer/contract/kit/basis-points.ts'
import {
  formatMerchantTerm,
  formatMerchantTermField,
  merchantTermLabels,
} from '@coffer/contract/labels/merchant-terms.ts'
import {
  isFeeTerm,
  type MerchantTermName,
  mapMerchantTerms,
  merchantLimitMax,
  merchantTermNames,
  parseMerchantTerm,
} from '@coffer/contract/merchants/terms.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { language } from '../../../i18n/language.ts'
import { useMessages } from '../../../i18n/messages.ts'
import type { FormField } from '../../../kit/form/Fields.tsx'
import { parseWholeNumber } from '../../../ui/controls/parseWholeNumber.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { substantiveReasonField } from '../../kit/declaredForm.ts'

type Detail = OperatorData<'GET /api/operator/v1/merchants/:id'>

/** A term of a merchant in words; null is that of the installation. */
const termText = ({ standard }: Detail, name: MerchantTermName, value: number | null) =>
  formatMerchantTerm(language.get(), name, value, standard[name])

/** The fees and limits of a merchant, and their change. */
export function TermsCard({ merchant }: { merchant: Detail }) {
  const t = useMessages('operator')
  const labels = merchantTermLabels[language.get()]
  return (
    <Card title={t.terms} actions={<ChangeTerms merchant={merchant} />}>
      <DetailList rows={merchantTermNames.map(name => [labels[name], termText(merchant, name, merchant[name])])} />
    </Card>
  )
}

function ChangeTerms({ merchant }: { merchant: Detail }) {
  const t = useMessages('operator')
  const call = 'PUT /api/operator/v1/merchants/:id/terms'
  const reasonLabel = useMessages('dialogs')[call].fields.reason.label
  const field = (name: MerchantTermName, hint: string | false) => {
    const number = { kind: 'whole', min: 0, max: merchantLimitMax }
    const percent = {
      inputMode: 'decimal',
      rule: (text: string) => {
        const fee = entered(name, text) ?? 0
        return !(fee <= feeBpsMax) && t.feeAllowed(feeBpsMax / 100)
      },
    }
    return {
      name,
      label: formatMerchantTermField(language.get(), name),
      hint,
      optional: true,
      ...(isFeeTerm(name) ? percent : number),
    } as FormField<Record<MerchantTermName | 'reason', string>>
  }
  const changeOf = (name: MerchantTermName, text: string) => {
    const from = merchant[name]
    const to = entered(name, text)
    if (Number.isNaN(to)) return false
    return from === to
      ? termText(merchant, name, from)
      : `${termText(merchant, name, from)} → ${termText(merchant, name, to)}`
  }
  return (
    <ActionButton
      call={call}
      params={{ id: merchant.mchid }}
      of={merchant.name || merchant.mchid}
      title={t.terms}
      form={{
        initial: { ...mapMerchantTerms(name => textOf(name, merchant[name])), reason: '' },
        fields: values => [
          ...merchantTermNames.map(name => field(name, changeOf(name, values[name]))),
          substantiveReasonField(t, reasonLabel),
        ],
        body: values => ({ ...mapMerchantTerms(name => entered(name, values[name])), reason: values.reason }),
      }}
    />
  )
}

/** What was entered, null for nothing. What is no number cannot be sent. */
const entered = (name: MerchantTermName, text: string) => parseMerchantTerm(name, text, parseWholeNumber)

/** A term as it is entered, without its unit. */
const textOf = (name: MerchantTermName, value: number | null) =>
  value === null ? '' : isFeeTerm(name) ? formatBasisPoints(value).replace('%', '') : String(value)
