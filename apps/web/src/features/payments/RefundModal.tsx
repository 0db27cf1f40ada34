import type { Data } from '@coffer/contract'
import { formatAmount } from '@coffer/contract/format-amount.ts'
import { isAmount } from '@coffer/contract/validators.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, Refused } from '../../api/index.ts'
import { apiQuery, refresh } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { AddressField } from '../../kit/AddressField.tsx'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { showToast, tellElsewhere } from '../../lib/toast.ts'
import { useCell } from '../../lib/useCell.ts'
import { useSettled } from '../../lib/useSettled.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Tabs } from '../../ui/controls/Tabs.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Facts } from '../../ui/data/Facts.tsx'
import { Amount, CopyText } from '../../ui/data/Values.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'

type Cost = Data<'GET /api/v1/transactions/refund/cost'>
type Kind = 'surplus' | 'all' | 'part'
const gasPayers = ['merchant', 'payer'] as const

/** Pause in typing (ms) after which an amount is quoted. */
const pauseMs = 300

/** Gives a payment back: the surplus, all or a part, to an address. */
export default function RefundModal({ trade_no, onClose }: { trade_no: string; onClose(): void }) {
  const t = useMessages('refunds')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const [chosen, setKind] = useState<Kind | null>(null)
  const [payer, setPayer] = useState<'merchant' | 'payer' | null>(null)
  const [amount, setAmount] = useState('')
  const [address, setAddress] = useState('')
  const [checked, setChecked] = useState({ text: '', shown: '' })
  const [way, setWay] = useState<'address' | 'link'>('address')
  const byLink = way === 'link'
  const [reason, setReason] = useState('')
  const [errors, setErrors] = useState<{ amount?: string; address?: string }>({})
  const whole = useQuery(
    apiQuery('GET /api/v1/transactions/refund/cost', { query: { trade_no, kind: 'all', gas_payer: 'merchant' } }),
  )
  const hasSurplus = whole.data !== undefined && Number(whole.data.surplus) > 0
  const kind = chosen ?? (hasSurplus ? 'surplus' : 'all')
  const gas_payer = payer ?? (kind === 'surplus' ? 'payer' : 'merchant')
  const settled = useSettled(amount, pauseMs)
  const asked = { trade_no, kind, gas_payer, ...(kind === 'part' && { amount: settled }) }
  const quotes = kind !== 'part' || isAmount(settled)
  const { data: cost } = useQuery({
    ...apiQuery('GET /api/v1/transactions/refund/cost', { query: asked }),
    enabled: quotes,
    placeholderData: keepPreviousData,
  })
  const show = (value: string) => `${formatAmount(value, inLanguage)} ${whole.data?.token ?? ''}`
  const to = address.trim()
  const wrongAddress = to === '' ? common.required : checked.text === to && !checked.shown && common.addressMismatch
  const ready = () => {
    const found = {
      ...(kind === 'part' && !isAmount(amount) && { amount: common.validaValue }),
      ...(!byLink && wrongAddress && { address: wrongAddress }),
    }
    setErrors(found)
    return Object.keys(found).length === 0
  }
  const tellAtField = (error: unknown) => {
    if (error instanceof Refused && (error.field === 'address' || error.field === 'amount')) {
      tellElsewhere(error.message)
      setErrors({ [error.field]: error.message })
    }
    throw error
  }
  return (
    <ProofModal
      title={t.formTitle}
      text={byLink ? t.linkText : t.formText}
      verb={byLink ? t.makeLink : t.send}
      action="withdrawal"
      data={() => ({ trade_no, kind, address: byLink ? '' : to, ...(kind === 'part' && { amount }) })}
      ready={ready}
      onClose={onClose}
      onConfirm={async confirmed => {
        const body = {
          trade_no,
          kind,
          gas_payer,
          ...(kind === 'part' && { amount }),
          reason: reason.trim(),
        }
        await (byLink
          ? api('POST /api/v1/transactions/refund-link', { body: { ...body, ...confirmed } })
          : api('POST /api/v1/transactions/refund', { body: { ...body, address: to, ...confirmed } })
        ).catch(tellAtField)
        await refresh(
          'GET /api/v1/transactions/detail',
          'GET /api/v1/transactions/list',
          'GET /api/v1/transactions/refund-list',
          'GET /api/v1/transactions/refund-link',
          'GET /api/v1/statistics/assets',
        )
        showToast('success', byLink ? t.linkMade : t.requested)
        onClose()
      }}
    >
      {whole.error && !whole.data ? (
        <ErrorState error={whole.error} onRetry={() => void whole.refetch()} />
      ) : !whole.data ? (
        <Skeleton className="h-52 w-full rounded-lg" />
      ) : (
        <>
          <Choice label={t.kind}>
            <Tabs<Kind>
              look="box"
              label={t.kind}
              value={kind}
              tabs={(hasSurplus ? (['surplus', 'all', 'part'] as const) : (['all', 'part'] as const)).map(value => ({
                value,
                title: t.kinds[value],
              }))}
              onChange={setKind}
            />
          </Choice>
          {kind === 'part' && (
            <Field label={t.amount} error={errors.amount} hint={t.most(show(whole.data.amount))} required>
              {control => (
                <TextInput
                  {...control}
                  inputMode="decimal"
                  autoComplete="off"
                  value={amount}
                  onChange={text => setAmount(text.trim())}
                />
              )}
            </Field>
          )}
          {kind === 'part' && whole.data.fiat_worth !== '' && (
            <p className="flex flex-wrap items-center gap-2 text-[13px] text-ink-2">
              {t.fiat(show(whole.data.fiat_worth))}
              <Button size="small" onClick={() => setAmount(whole.data.fiat_worth)}>
                {t.useFiat}
              </Button>
            </p>
          )}
          <Choice label={t.way}>
            <Tabs<'address' | 'link'>
              look="box"
              label={t.way}
              value={way}
              tabs={(['address', 'link'] as const).map(value => ({ value, title: t.ways[value] }))}
              onChange={setWay}
            />
          </Choice>
          {!byLink && (
            <AddressField
              tokenId={whole.data.token_id}
              chainId={whole.data.network_id}
              network={whole.data.chain}
              hint={t.addressHint}
              value={address}
              error={errors.address}
              onChange={setAddress}
              onChecked={setChecked}
            />
          )}
          <Choice label={t.gasPayer}>
            <Tabs<'merchant' | 'payer'>
              look="box"
              label={t.gasPayer}
              value={gas_payer}
              tabs={gasPayers.map(value => ({ value, title: t.gasPayers[value] }))}
              onChange={setPayer}
            />
          </Choice>
          <Field label={t.reason} hint={t.reasonHint} optional={common.optional}>
            {control => (
              <TextInput {...control} maxLength={200} autoComplete="off" value={reason} onChange={setReason} />
            )}
          </Field>
          {cost && quotes && <Terms cost={cost} />}
        </>
      )}
    </ProofModal>
  )
}

const Choice = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div className="flex flex-col items-start gap-1.5">
    <span aria-hidden="true" className="text-[13px] font-medium text-ink-2">
      {label}
    </span>
    {children}
  </div>
)

/** What arrives and what it costs, or why the refund would be refused. */
function Terms({ cost }: { cost: Cost }) {
  const t = useMessages('refunds')
  return (
    <div aria-live="polite">
      <Facts
        rows={[
          [t.receives, <Amount key="receives" exact value={cost.receives} unit={cost.token} className="font-medium" />],
          [t.gas, <Amount key="gas" exact value={cost.gas} unit={cost.token} />],
          [t.taken, <Amount key="total" exact value={cost.total} unit={cost.token} />],
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
      {cost.refused !== '' && <p className="mt-2 text-[13px] text-bad">{cost.refused}</p>}
    </div>
  )
}
