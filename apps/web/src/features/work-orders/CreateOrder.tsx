import {
  type WorkOrderSubject,
  type WorkOrderType,
  workOrderLimits,
  workOrderTypes,
} from '@coffer/contract/work-order-codes.ts'
import { useId } from 'react'
import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextArea, TextInput } from '../../ui/controls/TextInput.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { Pictures } from './Pictures.tsx'

interface Props {
  about: { kind: WorkOrderSubject; id: string } | undefined
  onClose(): void
  onCreated(number: string): void
}

/** The form of a new work order. */
export default function CreateOrder({ about, onClose, onCreated }: Props) {
  const t = useMessages('work-orders')
  const common = useMessages('common')
  const id = useId()
  const form = useForm(
    { type: (about?.kind ?? 'other') as WorkOrderType, theme: '', description: '', pictures: [] as string[] },
    {
      theme: text => text.trim() === '' && t.themeNeeded,
      description: text => text.trim() === '' && t.textNeeded,
    },
  )
  const { values, errors, set } = form
  const send = async () => {
    const body = { ...values, ...(about && { about }) }
    const { number } = await api('POST /api/v1/work-order', { body })
    await refresh('GET /api/v1/work-order/list')
    showToast('success', t.sent)
    onCreated(number)
  }
  return (
    <Modal
      open
      keep
      title={t.create}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" form={id} look="primary" busy={form.busy}>
            {t.send}
          </Button>
        </>
      }
    >
      <form {...form.formProps(send)} id={id} className="flex flex-col gap-4">
        {about && (
          <p className="rounded-lg bg-sunken px-3 py-2 text-[13px] break-all text-ink-2">
            {t.about}: {t.types[about.kind]} {about.id}
          </p>
        )}
        <Field label={t.type}>
          {control => (
            <Select
              {...control}
              value={values.type}
              options={workOrderTypes.map(value => ({ value, label: t.types[value] }))}
              onChange={set('type')}
            />
          )}
        </Field>
        <Field label={t.theme} error={errors.theme} required>
          {control => (
            <TextInput {...control} maxLength={workOrderLimits.theme} value={values.theme} onChange={set('theme')} />
          )}
        </Field>
        <Field label={t.description} error={errors.description} required>
          {control => (
            <TextArea
              {...control}
              rows={5}
              maxLength={workOrderLimits.text}
              value={values.description}
              onChange={set('description')}
            />
          )}
        </Field>
        <Pictures value={values.pictures} onChange={set('pictures')} />
      </form>
    </Modal>
  )
}
