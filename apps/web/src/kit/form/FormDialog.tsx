import { type ReactNode, useId } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Drawer, Modal } from '../../ui/feedback/Modal.tsx'
import type { Form } from '../useForm.ts'

export interface FormDialogProps {
  title: string
  text?: ReactNode
  /** The label of the button that submits. */
  verb: string
  /** Whether the button has the colour of danger. */
  danger?: boolean
  size?: 'small' | 'medium'
  onClose(): void
  children?: ReactNode
}

interface Props<V extends object> extends FormDialogProps {
  form: Form<V>
  onSend(values: V): Promise<unknown>
  /** Opens it at the end edge of the window. */
  drawer?: boolean
}

/** A dialog around a form, with buttons that cancel and submit. A press outside does not close it. */
export function FormDialog<V extends object>(props: Props<V>) {
  const { title, text, verb, danger, size = 'medium', form, onSend, onClose, drawer, children } = props
  const common = useMessages('common')
  const id = useId()
  const Shape = drawer ? Drawer : Modal
  return (
    <Shape
      open
      keep
      size={size}
      title={title}
      text={text}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" form={id} look={danger ? 'danger' : 'primary'} busy={form.busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form {...form.formProps(onSend)} id={id} className={`flex flex-col ${drawer ? 'gap-5' : 'gap-4'}`}>
        {children}
      </form>
    </Shape>
  )
}
