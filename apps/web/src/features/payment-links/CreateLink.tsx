import { applicationStatus, fiats } from '@coffer/contract/codes.ts'
import { compareDecimals } from '@coffer/contract/decimal.ts'
import { isAmount, isText } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/index.ts'
import { apiQuery, refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import type { PaymentLink } from './columns.tsx'

const currencies = ['USDT', ...fiats]
const daySeconds = 86_400
const form = 'create-link'

/** Creates a payment link. */
export default function CreateLink({ onDone, onClose }: { onDone(link: PaymentLink): void; onClose(): void }) {
  const t = useMessages('payment-links')
  const common = useMessages('common')
  const applications = useQuery(apiQuery('GET /api/v1/user/secret-key/select', {})).data?.list ?? []
  const isAmountOrEmpty = (value: string) => value !== '' && !isAmount(value) && common.validaValue
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
  const { values, errors, set, busy, formProps } = useForm(blank, {
    title: title => !isText(title) && common.required,
    amount: isAmountOrEmpty,
    min_amount: isAmountOrEmpty,
    max_amount: (max, { min_amount: min }) =>
      isAmountOrEmpty(max) || (isAmount(max) && isAmount(min) && compareDecimals(max, min) < 0 && t.reversed),
  })
  const send = async () => {
    const { kind, days, appid, min_amount, max_amount, ...rest } = values
    const range = rest.amount === '' ? { min_amount, max_amount } : {}
    const expire_time = days === '0' ? 0 : Math.floor(Date.now() / 1000) + Number(days) * daySeconds
    const body = { ...rest, ...range, once: kind === 'one', expire_time, ...(appid && { appid }) }
    const link = await api('POST /api/v1/payment-link', { body })
    await refresh('GET /api/v1/payment-link')
    showToast('success', t.created)
    onDone(link)
  }
  const amountField = (name: 'amount' | 'min_amount' | 'max_amount', label: string, hint?: string) => (
    <Field label={label} error={errors[name]} optional={common.optional} {...(hint && { hint })}>
      {control => (
        <TextInput {...control} inputMode="decimal" autoComplete="off" value={values[name]} onChange={set(name)} />
      )}
    </Field>
  )
  return (
    <Modal
      open
      keep
      title={t.createTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form={form} busy={busy}>
            {t.create}
          </Button>
        </>
      }
    >
      <form id={form} {...formProps(send)} className="flex flex-col gap-4">
        <Field label={t.name} hint={t.nameHint} error={errors.title} required>
          {control => (
            <TextInput {...control} maxLength={100} autoComplete="off" value={values.title} onChange={set('title')} />
          )}
        </Field>
        <div className="grid grid-cols-2 gap-4">
          {amountField('amount', t.amount, t.amountHint)}
          <Field label={t.currency} error={errors.currency}>
            {control => (
              <Select
                {...control}
                value={values.currency}
                options={currencies.map(value => ({ value, label: value }))}
                onChange={set('currency')}
              />
            )}
          </Field>
          {values.amount === '' && amountField('min_amount', t.min)}
          {values.amount === '' && amountField('max_amount', t.max)}
          {(
            [
              ['kind', t.kind, t.kinds],
              ['days', t.expires, t.lives],
            ] as const
          ).map(([name, label, options]) => (
            <Field key={name} label={label}>
              {control => (
                <Select
                  {...control}
                  value={values[name]}
                  options={Object.entries(options).map(([value, text]) => ({ value, label: text }))}
                  onChange={set(name)}
                />
              )}
            </Field>
          ))}
        </div>
        <Field label={t.application} error={errors.appid}>
          {control => (
            <Select
              {...control}
              value={values.appid}
              placeholder={t.ownApplication}
              options={applications
                .filter(({ status, name }) => status === applicationStatus.enabled && name.toLowerCase() !== 'collect')
                .map(({ appid, name }) => ({ value: appid, label: name }))}
              onChange={set('appid')}
            />
          )}
        </Field>
      </form>
    </Modal>
  )
}
