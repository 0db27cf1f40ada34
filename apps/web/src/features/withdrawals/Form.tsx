import { formatAmount } from '@coffer/contract/format-amount.ts'
import { isAmount } from '@coffer/contract/validators.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Data } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { AddressField } from '../../kit/AddressField.tsx'
import { useForm } from '../../kit/useForm.ts'
import { useCell } from '../../lib/useCell.ts'
import { useSettled } from '../../lib/useSettled.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { QuoteCard } from './QuoteCard.tsx'
import { refusalText } from './quote.ts'

const ConfirmModal = lazy(() => import('./ConfirmModal.tsx'))

type Asset = Data<'GET /api/v1/statistics/assets'>['list'][number]

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
  const inLanguage = useCell(language)
  const asset = assets.find(each => each.id === assetId)
  const [confirming, setConfirming] = useState(false)
  const [address, setAddress] = useState({ text: '', shown: '' })
  const form = useForm(
    { token_id: '', address: '', amount: '', remark: '' },
    {
      token_id: () => !asset && common.pleaseSelect,
      address: text =>
        text.trim() === ''
          ? common.required
          : address.text !== text.trim() || !address.shown
            ? common.addressMismatch
            : null,
      amount: text => !isAmount(text) && common.validaValue,
    },
  )
  const { values, errors, set } = form
  const amount = useSettled(isAmount(values.amount) ? values.amount : undefined, typingMs)
  const destination = address.text === values.address.trim() && address.shown ? address.shown : undefined
  const quote = useQuery({
    ...apiQuery('GET /api/v1/account/cost', {
      query: { token_id: assetId, ...(amount && { amount }), ...(destination && { address: destination }) },
    }),
    enabled: asset !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
  })
  const data = quote.data?.token_id === assetId ? quote.data : undefined
  const money = (text: string) => `${formatAmount(text, inLanguage)} ${asset?.token ?? ''}`
  const possible = data && Number(data.maximum) > 0
  const current = data !== undefined && amount === values.amount && !quote.isPlaceholderData
  const refusal = current ? refusalText(data, t) : ''
  return {
    asset,
    assetId,
    form,
    quote,
    data,
    /** Whether an amount has been entered. */
    asked: amount !== undefined,
    /** Whether the quote is of what stands in the form. */
    current,
    refusal,
    submit: form.formProps(async () => setConfirming(refusal === '')),
    fields: (
      <>
        <AddressField
          tokenId={assetId}
          chainId={asset?.currency_id ?? ''}
          network={asset?.chain ?? ''}
          value={values.address}
          error={errors.address}
          onChange={set('address')}
          onChecked={setAddress}
        />
        <Field
          label={t.amount}
          error={errors.amount ?? refusal}
          hint={
            data &&
            (possible ? t.range(money(data.minimum), money(data.maximum)) : t.nothingPossible(money(data.minimum)))
          }
          required
        >
          {control => (
            <div className="flex gap-2">
              <TextInput
                {...control}
                inputMode="decimal"
                autoComplete="off"
                maxLength={40}
                className="num"
                value={values.amount}
                onChange={text => set('amount')(text.trim())}
              />
              <Button
                disabled={!possible}
                aria-label={data && t.maxOf(money(data.maximum))}
                onClick={() => data && set('amount')(data.maximum)}
              >
                {t.max}
              </Button>
            </div>
          )}
        </Field>
        <Field label={t.remark} hint={t.remarkHint} optional={common.optional}>
          {control => <TextInput {...control} maxLength={200} value={values.remark} onChange={set('remark')} />}
        </Field>
      </>
    ),
    confirmation: confirming && data && asset && destination && (
      <Suspense fallback={null}>
        <ConfirmModal
          quote={data}
          address={destination}
          remark={values.remark}
          onClose={() => {
            setConfirming(false)
            void quote.refetch()
          }}
        />
      </Suspense>
    ),
  }
}

export function Form({ assets, assetId, onAsset }: Props) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const { asset, form, quote, data, asked, current, submit, fields, confirmation } = useWithdrawal(assets, assetId)
  const { errors, set } = form
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_400px]">
      <Card>
        <form {...submit} aria-label={t.title} className="flex max-w-2xl flex-col gap-5">
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
          {fields}
          <div className="flex justify-end border-t border-line pt-5">
            <Button type="submit" look="primary" disabled={!current}>
              {t.review}
            </Button>
          </div>
        </form>
      </Card>
      <QuoteCard quote={data} asked={asked} stale={!current} error={quote.error} onRetry={() => void quote.refetch()} />
      {confirmation}
    </div>
  )
}
