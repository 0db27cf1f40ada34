import { applicationStatus, fiats } from '@coffer/contract/codes.ts'
import { compareDecimals } from '@coffer/contract/kit/decimal.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { selectServerApplications } from '../../kit/firstPayment.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { parseTypedAmount, toRequestAmount } from '../../ui/controls/typedAmount.ts'
import type { PaymentLink } from './columns.tsx'

const daySeconds = 86_400
const blank = {
  title: '',
  currency: 'USDT',
  amount: '',
  min_amount: '',
  max_amount: '',
  kind: 'many',
  days: '0',
  appid: '',
}
const half = { grid: 'grid-cols-2' }

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }))

/** Whether both texts are amounts, and the first is less. */
function isBelow(text: string, other: string): boolean {
  const amount = parseTypedAmount(text)
  const least = parseTypedAmount(other)
  return amount !== null && least !== null && compareDecimals(amount, least) < 0
}

/** Creates a payment link. */
export default function CreateLink({ onDone, onClose }: { onDone(link: PaymentLink): void; onClose(): void }) {
  const t = useMessages('payment-links')
  const applications = useQuery(apiQuery('GET /api/v1/user/secret-key/select', {})).data?.list ?? []
  const group = { look: 'more', title: t.more } as const
  const money = { ...half, kind: 'amount', optional: true } as const
  return (
    <ActionForm
      title={t.createTitle}
      verb={t.create}
      size="medium"
      initial={blank}
      fields={({ amount }) => [
        { name: 'title', label: t.name, hint: t.nameHint, required: true, maxLength: 100, autoComplete: 'off' },
        { ...money, name: 'amount', label: t.amount, hint: t.amountHint },
        {
          ...half,
          name: 'currency',
          kind: 'choice',
          label: t.currency,
          options: ['USDT', ...fiats].map(value => ({ value, label: value })),
        },
        amount === '' && { ...money, group, name: 'min_amount', label: t.min },
        amount === '' && {
          ...money,
          group,
          name: 'max_amount',
          label: t.max,
          rule: (max, { min_amount }) => isBelow(max, min_amount) && t.reversed,
        },
        { ...half, group, name: 'kind', kind: 'choice', label: t.kind, options: optionsOf(t.kinds) },
        { ...half, group, name: 'days', kind: 'choice', label: t.expires, options: optionsOf(t.lives) },
        {
          group,
          name: 'appid',
          kind: 'choice',
          label: t.application,
          placeholder: t.ownApplication,
          options: selectServerApplications(applications)
            .filter(({ status }) => status === applicationStatus.enabled)
            .map(({ appid, name }) => ({ value: appid, label: name })),
        },
      ]}
      call={({ kind, days, appid, min_amount, max_amount, ...rest }) => {
        const amount = toRequestAmount(rest.amount)
        const range =
          amount === '' ? { min_amount: toRequestAmount(min_amount), max_amount: toRequestAmount(max_amount) } : {}
        const expire_time = days === '0' ? 0 : Math.floor(Date.now() / 1000) + Number(days) * daySeconds
        const body = { ...rest, amount, ...range, once: kind === 'one', expire_time, ...(appid && { appid }) }
        return api('POST /api/v1/payment-link', { body })
      }}
      refreshes={['GET /api/v1/payment-link']}
      done={t.created}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
