import type { Data } from '@coffer/contract'
import { fiats } from '@coffer/contract/codes.ts'
import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextArea, TextInput } from '../../ui/controls/TextInput.tsx'

type Details = Data<'GET /api/v1/account/billing'>['details']

/** Name, address and tax number of invoices, and the currency of the books. */
export function DetailsForm({ details }: { details: Details }) {
  const t = useMessages('billing')
  const common = useMessages('common')
  const form = useForm<Details>(details, {})
  const { values, errors, set } = form
  const send = async ({ fiat, ...rest }: Details) => {
    await api('PUT /api/v1/account/billing', { body: { ...rest, fiat: fiat as (typeof fiats)[number] } })
    await refresh('GET /api/v1/account/billing', 'GET /api/v1/account/stream')
    showToast('success', t.saved)
  }
  return (
    <form {...form.formProps(send)} className="flex flex-col gap-4">
      <p className="text-[13px] text-ink-3">{t.detailsNote}</p>
      <Field label={t.name} error={errors.name}>
        {control => <TextInput {...control} maxLength={128} value={values.name} onChange={set('name')} />}
      </Field>
      <Field label={t.address} error={errors.address}>
        {control => <TextArea {...control} rows={3} maxLength={500} value={values.address} onChange={set('address')} />}
      </Field>
      <Field label={t.taxNumber} error={errors.tax_number}>
        {control => <TextInput {...control} maxLength={64} value={values.tax_number} onChange={set('tax_number')} />}
      </Field>
      <Field label={t.fiat} hint={t.fiatNote} error={errors.fiat}>
        {control => (
          <Select
            {...control}
            value={values.fiat}
            options={fiats.map(value => ({ value, label: value }))}
            onChange={set('fiat')}
          />
        )}
      </Field>
      <Button type="submit" look="primary" busy={form.busy} className="self-start">
        {common.save}
      </Button>
    </form>
  )
}
