import { type ReactNode, useId } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import type { useForm } from '../../kit/useForm.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'

interface Props<V extends object> {
  title: string
  text?: string
  /** The button's label. */
  verb: string
  form: ReturnType<typeof useForm<V>>
  onSend(values: V): Promise<unknown>
  onClose(): void
  children: ReactNode
}

export function FormModal<V extends object>({ title, text, verb, form, onSend, onClose, children }: Props<V>) {
  const common = useMessages('common')
  const id = useId()
  return (
    <Modal
      open
      keep
      title={title}
      text={text}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" form={id} look="primary" busy={form.busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form {...form.formProps(onSend)} id={id} className="flex flex-col gap-4">
        {children}
      </form>
    </Modal>
  )
}
