import type { RouteData } from '@coffer/contract'
import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { apiQuery, invalidateCalls } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { AddressField } from '../../kit/AddressField.tsx'
import { Fields } from '../../kit/form/Fields.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { type Form, useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { useCell } from '../../lib/useCell.ts'
import { useDebouncedValue } from '../../lib/useDebouncedValue.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Tabs } from '../../ui/controls/Tabs.tsx'
import { describeAmountError, parseTypedAmount, toRequestAmount } from '../../ui/controls/typedAmount.ts'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { Loading } from '../../ui/feedback/States.tsx'

type Cost = RouteData<'GET /api/v1/transactions/refund/cost'>

interface Values {
  /** Before a choice the surplus, or all where there is none. */
  kind: 'surplus' | 'all' | 'part' | null
  amount: string
  way: 'address' | 'link'
  address: string
  /** Before a choice the payer of a surplus, else the merchant. */
  gas_payer: 'merchant' | 'payer' | null
  reason: string
}

const blank: Values = { kind: null, amount: '', way: 'address', address: '', gas_payer: null, reason: '' }

/** Pause in typing (ms) after which an amount is quoted. */
const pauseMs = 300

/** What can be refunded, and what the entered refund costs. */
function useCosts(trade_no: string, values: Values) {
  const whole = useQuery(
    apiQuery('GET /api/v1/transactions/refund/cost', { query: { trade_no, kind: 'all', gas_payer: 'merchant' } }),
  )
  const hasSurplus = whole.data !== undefined && Number(whole.data.surplus) > 0
  const kind = values.kind ?? (hasSurplus ? 'surplus' : 'all')
  const gas_payer = values.gas_payer ?? (kind === 'surplus' ? 'payer' : 'merchant')
  const amount = parseTypedAmount(useDebouncedValue(values.amount, pauseMs))
  const quoted = kind !== 'part' || amount !== null
  const { data: cost, isPlaceholderData } = useQuery({
    ...apiQuery('GET /api/v1/transactions/refund/cost', {
      query: { trade_no, kind, gas_payer, way: values.way, ...(kind === 'part' && amount !== null && { amount }) },
    }),
    enabled: quoted,
    placeholderData: keepPreviousData,
  })
  // Figures of another refund are not shown as this one's; their place stays.
  return { whole, hasSurplus, kind, gas_payer, cost, quoted: quoted && !isPlaceholderData }
}

/** Gives a payment back: the surplus, all or a part, to an address or by a link. */
export default function RefundModal({ trade_no, onClose }: { trade_no: string; onClose(): void }) {
  const t = useMessages('refunds')
  const common = useMessages('common')
  const [checked, setChecked] = useState({ text: '', shown: '' })
  const form = useForm<Values>(blank, {
    amount: (text, values) => values.kind === 'part' && describeAmountError(text, common.amounts),
    address: (text, { way }) => {
      if (way === 'link') return null
      const to = text.trim()
      return to === '' ? common.required : checked.text === to && !checked.shown && common.addressMismatch
    },
  })
  const { values } = form
  const costs = useCosts(trade_no, values)
  const { whole, kind, gas_payer, cost, quoted } = costs
  const byLink = values.way === 'link'
  const to = values.address.trim()
  const part = kind === 'part' && { amount: toRequestAmount(values.amount) }
  const proof = useProof('withdrawal', { data: () => ({ trade_no, kind, address: byLink ? '' : to, ...part }) })
  const send = () =>
    proof.confirm(async confirmed => {
      const body = { trade_no, kind, gas_payer, ...part, reason: values.reason.trim(), ...confirmed }
      await (byLink
        ? api('POST /api/v1/transactions/refund-link', { body })
        : api('POST /api/v1/transactions/refund', { body: { ...body, address: to } }))
      await invalidateCalls(
        'GET /api/v1/transactions/detail',
        'GET /api/v1/transactions/list',
        'GET /api/v1/transactions/refund-list',
        'GET /api/v1/transactions/refund-link',
        'GET /api/v1/transactions/refund-link-list',
        'GET /api/v1/statistics/assets',
      )
      showToast('success', byLink ? t.linkMade : t.requested)
      onClose()
    })
  return (
    <FormDialog
      title={t.formTitle}
      text={byLink ? t.linkText : t.formText}
      verb={byLink ? t.makeLink : t.send}
      form={form}
      proof={proof}
      onSend={send}
      onClose={onClose}
    >
      {!whole.data ? (
        <Loading of={whole} className="h-52 w-full rounded-lg" />
      ) : (
        <>
          {cost && quoted && cost.refused !== '' && <Refused text={cost.refused} />}
          <Entry form={form} costs={costs} whole={whole.data} onChecked={setChecked} />
          {cost && <Terms cost={cost} quoted={quoted} />}
        </>
      )}
    </FormDialog>
  )
}

interface EntryProps {
  form: Form<Values>
  costs: ReturnType<typeof useCosts>
  whole: Cost
  onChecked(checked: { text: string; shown: string }): void
}

/** The fields of a refund. */
function Entry({ form, costs: { kind, gas_payer, hasSurplus }, whole, onChecked }: EntryProps) {
  const t = useMessages('refunds')
  const inLanguage = useCell(language)
  const show = (value: string) => `${formatAmount(value, inLanguage)} ${whole.token}`
  const isPart = kind === 'part'
  return (
    <Fields<Values>
      form={form}
      fields={[
        {
          name: 'kind',
          draw: ({ onChange }) => (
            <Choice<'surplus' | 'all' | 'part'>
              label={t.kind}
              value={kind}
              values={hasSurplus ? ['surplus', 'all', 'part'] : ['all', 'part']}
              titles={t.kinds}
              onChange={onChange}
            />
          ),
        },
        isPart && { name: 'amount', kind: 'amount', label: t.amount, hint: t.most(show(whole.amount)), required: true },
        {
          name: 'way',
          draw: ({ value, onChange }) => (
            <>
              {isPart && whole.fiat_worth !== '' && (
                <FiatWorth text={show(whole.fiat_worth)} onUse={() => form.set('amount')(whole.fiat_worth)} />
              )}
              <Choice label={t.way} value={value} values={['address', 'link']} titles={t.ways} onChange={onChange} />
            </>
          ),
        },
        form.values.way === 'address' && {
          name: 'address',
          draw: props => (
            <AddressField
              {...props}
              tokenId={whole.token_id}
              chainId={whole.network_id}
              network={whole.chain}
              hint={t.addressHint}
              onChecked={onChecked}
            />
          ),
        },
        {
          name: 'gas_payer',
          draw: ({ onChange }) => (
            <Choice<'merchant' | 'payer'>
              label={t.gasPayer}
              value={gas_payer}
              values={['merchant', 'payer']}
              titles={t.gasPayers}
              onChange={onChange}
            />
          ),
        },
        { name: 'reason', label: t.reason, hint: t.reasonHint, optional: true, maxLength: 200, autoComplete: 'off' },
      ]}
    />
  )
}

/** What the order costs in its own currency, at today's rate, which can be taken as the amount. */
function FiatWorth({ text, onUse }: { text: string; onUse(): void }) {
  const t = useMessages('refunds')
  return (
    <p className="flex flex-wrap items-center gap-2 text-[13px] text-ink-2">
      {t.fiat(text)}
      <Button size="small" onClick={onUse}>
        {t.useFiat}
      </Button>
    </p>
  )
}

interface ChoiceProps<V extends string> {
  label: string
  value: V
  values: readonly V[]
  titles: Record<V, string>
  onChange(value: V): void
}

/** A choice among a few values that are all shown. */
const Choice = <V extends string>({ label, value, values, titles, onChange }: ChoiceProps<V>) => (
  <div className="flex flex-col items-start gap-1.5">
    <span aria-hidden="true" className="text-[13px] font-medium text-ink-2">
      {label}
    </span>
    <Tabs<V>
      look="box"
      label={label}
      value={value}
      tabs={values.map(each => ({ value: each, title: titles[each] }))}
      onChange={onChange}
    />
  </div>
)

/** Why the refund would be refused, which stays in view while the fields scroll. */
const Refused = ({ text }: { text: string }) => (
  <p role="status" className="sticky top-0 z-10 rounded-lg border border-line bg-surface p-3 text-[13px] text-bad">
    {text}
  </p>
)

/** What arrives and what it costs. Its place stays while an amount is typed, so that nothing moves under a press. */
function Terms({ cost, quoted }: { cost: Cost; quoted: boolean }) {
  const t = useMessages('refunds')
  const inLanguage = useCell(language)
  const [left, limit] = [cost.left, cost.limit].map(value => value && formatAmount(value, inLanguage))
  return (
    <div aria-live="polite" className={quoted ? undefined : 'invisible'}>
      <DetailList
        rows={[
          [t.receives, <Amount key="receives" exact value={cost.receives} unit={cost.token} className="font-medium" />],
          [t.gas, <Amount key="gas" exact value={cost.gas} unit={cost.token} />],
          [t.taken, <Amount key="total" exact value={cost.total} unit={cost.token} />],
          ...(left && limit ? [[t.limitLeft, t.limitLeftOf(left, limit)] as const] : []),
          ...(cost.senders.length === 0
            ? []
            : [
                [
                  t.sender,
                  <span key="senders" className="flex flex-col items-end">
                    {cost.senders.map(sender => (
                      <CopyText key={sender} look="groups" value={sender} label={t.sender} />
                    ))}
                  </span>,
                ] as const,
              ]),
        ]}
      />
    </div>
  )
}
