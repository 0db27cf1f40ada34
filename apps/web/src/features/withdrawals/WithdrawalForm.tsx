import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type RouteData } from '../../api/index.ts'
import { apiQuery, suppressRefusalToast } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { AddressField } from '../../kit/AddressField.tsx'
import { Fields } from '../../kit/form/Fields.tsx'
import { useDraft } from '../../kit/useDraft.ts'
import { useForm } from '../../kit/useForm.ts'
import { useIsAccountHeld } from '../../kit/useIsAccountHeld.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { useCell } from '../../lib/useCell.ts'
import { useDebouncedValue } from '../../lib/useDebouncedValue.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { describeAmountError, parseTypedAmount } from '../../ui/controls/typedAmount.ts'
import { Card } from '../../ui/data/Card.tsx'
import { QuoteCard } from './QuoteCard.tsx'
import { formatQuoteRefusal } from './quote.ts'

const ConfirmModal = lazyComponent(() => import('./ConfirmModal.tsx'))

type Asset = RouteData<'GET /api/v1/statistics/assets'>['list'][number]

const typingMs = 350
/** How often (ms) the quote is renewed; the server honours one for 120 s. */
const renewMs = 45_000

interface Props {
  assets: readonly Asset[]
  /** Empty before the choice. */
  assetId: string
  onAsset(id: string): void
}

/** A withdrawal being entered, with its quote. */
export function useWithdrawal(assets: readonly Asset[], assetId: string) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const asset = assets.find(each => each.id === assetId)
  const [confirming, setConfirming] = useState(false)
  const [checked, setChecked] = useState({ text: '', shown: '' })
  const form = useForm(
    { token_id: '', address: '', amount: '', remark: '' },
    {
      token_id: () => !asset && common.pleaseSelect,
      address: text =>
        text.trim() === ''
          ? common.required
          : (checked.text !== text.trim() || !checked.shown) && common.addressMismatch,
      amount: text => describeAmountError(text, common.amounts),
    },
  )
  const draft = useDraft('withdrawal', form)
  const { values } = form
  const entered = parseTypedAmount(values.amount) ?? undefined
  const amount = useDebouncedValue(entered, typingMs)
  const isSettled = entered !== undefined && amount === entered
  const address = checked.text === values.address.trim() && checked.shown ? checked.shown : undefined
  const of = { query: { token_id: assetId, ...(amount && { amount }), ...(address && { address }) } }
  const quote = useQuery({
    ...apiQuery('GET /api/v1/account/cost', of),
    queryFn: () => suppressRefusalToast(api('GET /api/v1/account/cost', of)),
    enabled: asset !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
  })
  const data = quote.data?.token_id === assetId ? quote.data : undefined
  const current = data !== undefined && isSettled && !quote.isPlaceholderData
  const failure = quote.error
  const refusal = current
    ? formatQuoteRefusal(data, t)
    : failure?.name === 'RequestRefused' && isSettled
      ? failure.message
      : ''
  return {
    asset,
    assetId,
    form,
    quote,
    data,
    /** The destination as the chain writes it, once it is checked. */
    address,
    setChecked,
    /** Whether an amount has been entered. */
    hasAmount: amount !== undefined,
    /** Whether the quote is of what stands in the form. */
    current,
    refusal,
    /** Whether the quote of the amount is still to come. */
    quoting: entered !== undefined && !current && !failure,
    draft,
    confirming,
    setConfirming,
    submit: form.formProps(async () => setConfirming(current && refusal === '')),
  }
}

type Withdrawal = ReturnType<typeof useWithdrawal>

/** The fields of a withdrawal: whom, how much, and a remark. */
export function WithdrawalFields({ withdrawal }: { withdrawal: Withdrawal }) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const { asset, assetId, form, data, refusal, setChecked, draft } = withdrawal
  const money = (text: string) => `${formatAmount(text, inLanguage)} ${asset?.token ?? ''}`
  const isPossible = data && Number(data.maximum) > 0
  // The error takes the place of the hint with the range.
  const isOfRange = isPossible && ['amount_too_small', 'insufficient_balance'].includes(data.refused)
  const why = isOfRange && refusal ? t.withRange(refusal, money(data.minimum), money(data.maximum)) : refusal
  return (
    <>
      {draft.restored && (
        <p role="status" className="flex flex-wrap items-center justify-between gap-2 text-[13px] text-ink-2">
          {common.draftRestored}
          <Button size="small" onClick={draft.clear}>
            {common.clearDraft}
          </Button>
        </p>
      )}
      <Fields
        form={{ ...form, errors: { ...form.errors, amount: form.errors.amount ?? why } }}
        fields={[
          {
            name: 'address',
            draw: props => (
              <AddressField
                {...props}
                tokenId={assetId}
                chainId={asset?.currency_id ?? ''}
                network={asset?.chain ?? ''}
                onChecked={setChecked}
              />
            ),
          },
          {
            name: 'amount',
            kind: 'amount',
            label: t.amount,
            hint:
              data &&
              (isPossible ? t.range(money(data.minimum), money(data.maximum)) : t.nothingPossible(money(data.minimum))),
            required: true,
            max: {
              title: t.max,
              label: data && t.maxOf(money(data.maximum)),
              value: isPossible ? data.maximum : undefined,
            },
          },
          { name: 'remark', label: t.remark, hint: t.remarkHint, optional: true, maxLength: 200 },
        ]}
      />
    </>
  )
}

/** The dialog that shows what is sent and asks for the proof. */
export function WithdrawalConfirmation({ withdrawal }: { withdrawal: Withdrawal }) {
  const { asset, data, address, form, quote, confirming, setConfirming, draft } = withdrawal
  if (!confirming || !data || !asset || !address) return null
  return (
    <ConfirmModal
      quote={data}
      address={address}
      remark={form.values.remark}
      onSent={draft.drop}
      onClose={() => {
        setConfirming(false)
        void quote.refetch()
      }}
    />
  )
}

export function WithdrawalForm({ assets, assetId, onAsset }: Props) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const withdrawal = useWithdrawal(assets, assetId)
  const { asset, form, quoting, submit } = withdrawal
  const { errors, set } = form
  const isHeld = useIsAccountHeld()
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_400px]">
      <Card>
        <form {...submit} aria-label={t.title} className="flex flex-col gap-5">
          <Field label={t.asset} error={errors.token_id ?? (assetId && !asset ? t.noAsset : null)} required>
            {control => (
              <Select
                {...control}
                value={assetId}
                placeholder={common.pleaseSelect}
                options={assets.map(({ id, token, chain, balance }) => ({
                  value: id,
                  label: t.assetOption(token, chain, formatAmount(balance, inLanguage)),
                }))}
                onChange={next => {
                  set('token_id')(next)
                  onAsset(next)
                }}
              />
            )}
          </Field>
          <WithdrawalFields withdrawal={withdrawal} />
          <div className="flex justify-end border-t border-line pt-5">
            <Button type="submit" look="primary" disabled={quoting || isHeld}>
              {t.review}
            </Button>
          </div>
        </form>
      </Card>
      <QuoteCard {...withdrawal} />
      <WithdrawalConfirmation withdrawal={withdrawal} />
    </div>
  )
}
