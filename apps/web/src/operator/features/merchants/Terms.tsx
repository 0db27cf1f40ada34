import { feeBpsMax, formatBasisPoints, parseBasisPoints } from '@coffer/contract/kit/basis-points.ts'
import type { OperatorBody, OperatorData } from '@coffer/contract/operator/index.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { formatCount } from '../../../i18n/format.ts'
import { language } from '../../../i18n/language.ts'
import { useMessages } from '../../../i18n/messages.ts'
import type { FormField } from '../../../kit/form/Fields.tsx'
import { parseWholeNumber } from '../../../ui/controls/parseWholeNumber.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { ActionButton, secondOperatorResult } from '../../kit/ActionButton.tsx'
import { explanationField, ImpactText } from '../../kit/Together.tsx'

type Detail = OperatorData<'GET /api/operator/v1/merchants/:id'>
type Terms = Omit<OperatorBody<'PUT /api/operator/v1/merchants/:id/terms'>, 'reason'>

const terms = [
  'fee_bps',
  'withdraw_fee_bps',
  'withdraw_single_max',
  'withdraw_day_max',
  'withdraw_approval_above',
] as const

/** Whether a term is a fee, in hundredths of a percent; others are in USDT. */
const isFee = (name: keyof Terms) => name.endsWith('bps')

/** A value for each of the terms. */
const ofTerms = <T,>(value: (name: keyof Terms) => T) =>
  Object.fromEntries(terms.map(name => [name, value(name)])) as Record<keyof Terms, T>

/** A fee without the unit that its name has. */
const feeText = (basisPoints: number) => formatBasisPoints(basisPoints).replace('%', '')

/** The value of a term, without the unit that its name has. */
const termText = (t: Messages<'operator'>, name: keyof Terms, value: number) => {
  if (isFee(name)) return feeText(value)
  return name.endsWith('above') && value === 0 ? t.neverAsked : formatCount(value, language.get())
}

/** A term of a merchant in words; null is that of the installation. */
const termOf = (t: Messages<'operator'>, { standard }: Detail, name: keyof Terms, value: number | null) =>
  value === null ? t.standard(termText(t, name, standard[name])) : termText(t, name, value)

/** The fees and limits of a merchant, and their change. */
export function TermsCard({ merchant }: { merchant: Detail }) {
  const t = useMessages('operator')
  return (
    <Card title={t.terms} actions={<ChangeTerms merchant={merchant} />}>
      <DetailList rows={terms.map(name => [t.termNames[name], termOf(t, merchant, name, merchant[name])])} />
    </Card>
  )
}

function ChangeTerms({ merchant }: { merchant: Detail }) {
  const t = useMessages('operator')
  const words = explanationField(t)
  const field = (name: keyof Terms, hint: string | false) => {
    const number = { kind: 'whole', min: 0, max: limitMax }
    const percent = {
      inputMode: 'decimal',
      rule: (text: string) => {
        const fee = entered(name, text) ?? 0
        return !(fee <= feeBpsMax) && t.feeAllowed(feeBpsMax / 100)
      },
    }
    return {
      name,
      label: t.termNames[name],
      hint,
      optional: true,
      ...(isFee(name) ? percent : number),
    } as FormField<Record<keyof Terms | 'reason', string>>
  }
  const changeOf = (name: keyof Terms, text: string) => {
    const from = merchant[name]
    const to = entered(name, text)
    if (Number.isNaN(to)) return false
    return from === to
      ? termOf(t, merchant, name, from)
      : `${termOf(t, merchant, name, from)} → ${termOf(t, merchant, name, to)}`
  }
  return (
    <ActionButton
      call="PUT /api/operator/v1/merchants/:id/terms"
      params={{ id: merchant.mchid }}
      of={merchant.name || merchant.mchid}
      label={t.change}
      title={t.terms}
      text={
        <ImpactText call="PUT /api/operator/v1/merchants/:id/terms" id={merchant.mchid}>
          {t.termsText}
        </ImpactText>
      }
      initial={{ ...ofTerms(name => textOf(name, merchant[name])), ...words.initial }}
      fields={values => [...terms.map(name => field(name, changeOf(name, values[name]))), ...words.fields]}
      body={values => ({ ...ofTerms(name => entered(name, values[name])), reason: values.reason })}
      done={t.recorded}
      result={secondOperatorResult(t)}
    />
  )
}

/** What was entered, null for nothing. What is no number cannot be sent. */
const entered = (name: keyof Terms, text: string): number | null =>
  text.trim() === '' ? null : ((isFee(name) ? parseBasisPoints(text) : parseWholeNumber(text)) ?? Number.NaN)

/** A term as it is entered. */
const textOf = (name: keyof Terms, value: number | null) =>
  value === null ? '' : isFee(name) ? feeText(value) : String(value)

const limitMax = 1_000_000_000
