import {
  type WorkOrderSubject,
  type WorkOrderType,
  workOrderLimits,
  workOrderTypes,
} from '@coffer/contract/codes/work-orders.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { MerchantPictures } from './Pictures.tsx'

interface Props {
  about: { kind: WorkOrderSubject; id: string } | undefined
  onClose(): void
  onCreated(number: string): void
}

/** The form of a new work order. */
export default function CreateOrder({ about, onClose, onCreated }: Props) {
  const t = useMessages('work-orders')
  const type: WorkOrderType = about?.kind ?? 'other'
  const pictures: string[] = []
  return (
    <ActionForm
      title={t.create}
      verb={t.send}
      size="medium"
      initial={{ type, theme: '', description: '', pictures }}
      fields={[
        {
          name: 'type',
          kind: 'choice',
          label: t.type,
          options: workOrderTypes.map(value => ({ value, label: t.types[value] })),
        },
        {
          name: 'theme',
          label: t.theme,
          required: true,
          maxLength: workOrderLimits.theme,
          rule: text => text.trim() === '' && t.themeNeeded,
        },
        {
          name: 'description',
          kind: 'area',
          label: t.description,
          required: true,
          rows: 5,
          maxLength: workOrderLimits.text,
          rule: text => text.trim() === '' && t.textNeeded,
        },
        { name: 'pictures', draw: props => <MerchantPictures {...props} /> },
      ]}
      call={values => api('POST /api/v1/work-order', { body: { ...values, ...(about && { about }) } })}
      refreshes={['GET /api/v1/work-order/list']}
      done={t.sent}
      onDone={({ number }) => onCreated(number)}
      onClose={onClose}
    >
      {about && (
        <p className="rounded-lg bg-sunken px-3 py-2 text-[13px] break-all text-ink-2">
          {t.about}: {t.types[about.kind]} {about.id}
        </p>
      )}
    </ActionForm>
  )
}
