import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, Refused } from '../../api/index.ts'
import { apiQuery, refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Address, AddressField } from '../../kit/AddressField.tsx'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { check, type Errors } from '../../kit/rules.ts'
import { showToast, tellElsewhere } from '../../lib/toast.ts'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Facts } from '../../ui/data/Facts.tsx'
import type { Entry } from './columns.tsx'

const blank = {
  currency_id: '',
  address: '',
  label: '',
  memo: '',
  beneficiary: '',
  wallet: '',
  institution: '',
} as const
type Values = { [name in Exclude<keyof typeof blank, 'wallet'>]: string } & { wallet: Entry['wallet'] }

/** Adds an entry, or changes one; confirmed by a code. Network and address of an entry stay. */
export default function EntryModal({ entry, onClose }: { entry: Entry | undefined; onClose(): void }) {
  const t = useMessages('address-book')
  const common = useMessages('common')
  const [values, setValues] = useState<Values>(entry ?? blank)
  const [errors, setErrors] = useState<Errors<Values>>({})
  const [checked, setChecked] = useState({ text: '', shown: '' })
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const { data: book } = useQuery(apiQuery('GET /api/v1/address', { query: { pageSize: 1 } }))
  const set =
    <K extends keyof Values>(name: K) =>
    (value: Values[K]) => {
      setValues(before => ({ ...before, [name]: value }))
      setErrors(({ [name]: _gone, ...rest }) => rest)
    }
  const ready = () => {
    const found = check(values, {
      currency_id: id => id === '' && common.pleaseSelect,
      label: text => text.trim() === '' && common.required,
      address: text =>
        text.trim() === ''
          ? common.required
          : !entry && (checked.text !== text.trim() || checked.shown === '') && common.addressMismatch,
    })
    setErrors(found)
    return Object.keys(found).length === 0
  }
  const send = (confirmed: { proof: Parameters<Parameters<typeof ProofModal>[0]['onConfirm']>[0]['proof'] }) => {
    const { currency_id, address, memo, ...about } = values
    const body = { ...about, institution: about.wallet === 'hosted' ? about.institution : '', ...confirmed }
    return entry
      ? api('PUT /api/v1/address', {
          body: {
            id: entry.id,
            label: body.label,
            beneficiary: body.beneficiary,
            wallet: body.wallet,
            institution: body.institution,
            ...confirmed,
          },
        })
      : api('POST /api/v1/address', { body: { ...body, currency_id, address: address.trim(), memo: memo.trim() } })
  }
  const tellAtField = (error: unknown) => {
    if (error instanceof Refused && error.field !== undefined && error.field in values) {
      tellElsewhere(error.message)
      setErrors({ [error.field]: error.message })
    }
    throw error
  }
  return (
    <ProofModal
      title={entry ? t.editTitle : t.addTitle}
      text={entry ? t.editText : t.addText}
      verb={entry ? common.save : t.add}
      size="medium"
      action="address-book"
      ready={ready}
      onClose={onClose}
      onConfirm={async confirmed => {
        await send(confirmed).catch(tellAtField)
        await refresh('GET /api/v1/address')
        showToast('success', entry ? t.changed : t.addedToast)
        onClose()
      }}
    >
      {entry ? (
        <Facts
          rows={[
            [t.network, `${entry.chain} (${entry.net_work})`],
            [t.address, <Address key="address" value={entry.address} />],
          ]}
        />
      ) : (
        <>
          <Field label={t.network} error={errors.currency_id} required>
            {control => (
              <Select
                {...control}
                value={values.currency_id}
                placeholder={common.pleaseSelect}
                options={(currencies?.list ?? []).map(({ id, chain, net_work }) => ({
                  value: id,
                  label: `${chain} (${net_work})`,
                }))}
                onChange={set('currency_id')}
              />
            )}
          </Field>
          <AddressField
            chainId={values.currency_id}
            network={currencies?.list.find(each => each.id === values.currency_id)?.chain ?? ''}
            value={values.address}
            error={errors.address}
            onChange={set('address')}
            onChecked={setChecked}
          />
          {book?.memo_networks.includes(values.currency_id) && (
            <Field label={t.memo} hint={t.memoHint} error={errors.memo} optional={common.optional}>
              {control => <TextInput {...control} maxLength={128} value={values.memo} onChange={set('memo')} />}
            </Field>
          )}
        </>
      )}
      <Field label={t.label} hint={t.labelHint} error={errors.label} required>
        {control => (
          <TextInput {...control} maxLength={64} autoComplete="off" value={values.label} onChange={set('label')} />
        )}
      </Field>
      <fieldset className="flex flex-col gap-4 border-t border-line pt-4">
        <legend className="float-left w-full text-[13px] text-ink-3">{t.travelRule}</legend>
        <Field label={t.beneficiary} error={errors.beneficiary} optional={common.optional}>
          {control => (
            <TextInput
              {...control}
              maxLength={128}
              autoComplete="off"
              value={values.beneficiary}
              onChange={set('beneficiary')}
            />
          )}
        </Field>
        <Field label={t.wallet} optional={common.optional}>
          {control => (
            <Select<Entry['wallet']>
              {...control}
              value={values.wallet}
              placeholder={t.walletNone}
              options={(['hosted', 'self_hosted'] as const).map(value => ({ value, label: t.wallets[value] }))}
              onChange={set('wallet')}
            />
          )}
        </Field>
        {values.wallet === 'hosted' && (
          <Field label={t.institution} error={errors.institution} optional={common.optional}>
            {control => (
              <TextInput
                {...control}
                maxLength={128}
                autoComplete="off"
                value={values.institution}
                onChange={set('institution')}
              />
            )}
          </Field>
        )}
      </fieldset>
    </ProofModal>
  )
}
