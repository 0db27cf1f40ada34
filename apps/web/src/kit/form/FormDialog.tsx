import { type ReactNode, useId } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Drawer, Modal } from '../../ui/feedback/Modal.tsx'
import { ProofFields, type ProofView } from '../proof/ProofFields.tsx'
import type { Form } from '../useForm.ts'

export interface FormDialogProps {
  title: string
  text?: ReactNode
  /** The label of the button that submits. */
  verb: string
  /** Whether the button has the colour of danger. */
  danger?: boolean
  /** The label of the button that leaves things as they are, in place of “Cancel” where something is cancelled. */
  leave?: string | undefined
  size?: 'small' | 'medium'
  onClose(): void
  children?: ReactNode
}

interface Props<V extends object> extends FormDialogProps {
  form: Form<V>
  onSend(values: V): Promise<unknown>
  /** Required with the submission. It stays in view above the buttons while the form scrolls. */
  proof?: ProofView | false | undefined
  /** Opens it at the end edge of the window. */
  drawer?: boolean
}

/** It covers the padding of the dialog below it. Windows of little height have no room for it and the fields. */
const proofClass =
  'sticky -bottom-5 z-10 -mx-1 -mb-5 bg-surface px-1 pb-5 not-first:border-t not-first:border-line not-first:pt-4 [@media(max-height:480px)]:static'

/** Fields are scrolled clear of it when they get the focus. */
const aboveProofClass = '[&>:not([data-proof])_:is(input,select,textarea,button)]:scroll-mb-52'

/** A dialog around a form, with buttons that cancel and submit. A press outside does not close it. */
export function FormDialog<V extends object>(props: Props<V>) {
  const { title, text, verb, danger, leave, size = 'medium', form, onSend, onClose, drawer, proof, children } = props
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
          <Button onClick={onClose}>{leave ?? common.cancel}</Button>
          <Button type="submit" form={id} look={danger ? 'danger' : 'primary'} busy={form.busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        {...form.formProps(onSend)}
        id={id}
        className={cx('flex flex-col', drawer ? 'gap-5' : 'gap-4', proof && aboveProofClass)}
      >
        {children}
        {proof && (
          <div data-proof className={proofClass}>
            <ProofFields proof={proof} />
          </div>
        )}
      </form>
    </Shape>
  )
}
