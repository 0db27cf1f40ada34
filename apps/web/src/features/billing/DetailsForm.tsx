import type { RouteData } from '@coffer/contract'
import { fiats } from '@coffer/contract/codes.ts'
import { api } from '../../api/index.ts'
import { invalidateCalls } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Fields } from '../../kit/form/Fields.tsx'
import { useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'

type Details = RouteData<'GET /api/v1/account/billing'>['details']

/** Name, address and tax number of invoices, and the currency of the books. */
export function DetailsForm({ details }: { details: Details }) {
  const t = useMessages('billing')
  const common = useMessages('common')
  const form = useForm<Details>(details, {})
  const send = async ({ fiat, ...rest }: Details) => {
    await api('PUT /api/v1/account/billing', { body: { ...rest, fiat: fiat as (typeof fiats)[number] } })
    await invalidateCalls('GET /api/v1/account/billing', 'GET /api/v1/account/stream')
    showToast('success', t.saved)
  }
  return (
    <form {...form.formProps(send)} className="flex flex-col gap-4">
      <p className="text-[13px] text-ink-3">{t.detailsNote}</p>
      <Fields
        form={form}
        fields={[
          { name: 'name', label: t.name, maxLength: 128 },
          { name: 'address', kind: 'area', label: t.address, maxLength: 500 },
          { name: 'tax_number', label: t.taxNumber, maxLength: 64 },
          {
            name: 'fiat',
            kind: 'choice',
            label: t.fiat,
            hint: t.fiatNote,
            options: fiats.map(value => ({ value, label: value })),
          },
        ]}
      />
      <Button call="PUT /api/v1/account/billing" type="submit" look="primary" busy={form.busy} className="self-start">
        {common.save}
      </Button>
    </form>
  )
}
