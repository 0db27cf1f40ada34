import { type ReactNode, useState } from 'react'
import type { RouteKey } from '../../api/index.ts'
import { invalidateCalls } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import type { ProofView } from '../proof/ProofFields.tsx'
import { useForm } from '../useForm.ts'
import { buildFieldRules, Fields, type FormFields } from './Fields.tsx'
import { FormDialog, type FormDialogProps } from './FormDialog.tsx'

/** A fresh proof of identity, such as `useProof` makes for an action. */
export interface ActionProof<C> extends ProofView {
  /** Runs a submission with the proof; shows an error instead when it is incomplete or refused. */
  confirm(send: (confirmed: C) => Promise<unknown>): Promise<void>
}

interface Props<V extends object, A, C> extends FormDialogProps {
  /** Initial values by field; a field that is only here is sent and has no control. */
  initial?: V
  /** The fields, or a function of the values where some depend on others. */
  fields?: FormFields<V> | ((values: V) => FormFields<V>)
  /** Drawn below the fields and required with the submission, or a function of the values where some need none. */
  proof?: ActionProof<C> | ((values: V) => ActionProof<C> | undefined)
  /** Sends the form. Its errors show at the fields that they name, else as a toast. */
  call(values: V, confirmed: C): Promise<A>
  /** The calls to read again after success. */
  refreshes?: readonly (RouteKey & `GET ${string}`)[]
  /** Toast after success. */
  done?: string | ((answer: A) => string)
  /** Called after success, in place of `onClose`. */
  onDone?(answer: A): unknown
  /**
   * What is drawn in place of the form after success, such as a secret that is shown once; nothing closes the dialog.
   */
  result?(answer: A): ReactNode
  /** Called with the values that a rule refuses. */
  onIncomplete?(values: V): unknown
  /** Drawn below the fields. */
  note?: ReactNode
}

const none = {}

/**
 * A dialog for an action: text, fields, a proof where the action needs one, and a submission. `children` are drawn
 * above the fields. Cannot be sent twice, and moves the focus to the first field with an error.
 */
export function ActionForm<V extends object = object, A = unknown, C = object>(props: Props<V, A, C>) {
  const { initial = none as V, fields = [], proof: prover, call, refreshes = [], done, onDone, result, ...rest } = props
  const { onIncomplete, note, children, size = 'small', ...shown } = rest
  const { title, onClose } = shown
  const common = useMessages('common')
  const [drawn, setDrawn] = useState<ReactNode>(null)
  const fieldsOf = typeof fields === 'function' ? fields : () => fields
  const form = useForm<V>(initial, buildFieldRules(initial, fieldsOf, common), onIncomplete && { onIncomplete })
  const proofOf = (values: V) => (typeof prover === 'function' ? prover(values) : prover)
  const proof = proofOf(form.values)
  const send = (values: V) => {
    const run = async (confirmed: C) => {
      const answer = await call(values, confirmed)
      await invalidateCalls(...refreshes)
      if (done) showToast('success', typeof done === 'function' ? done(answer) : done)
      const node = result?.(answer)
      if (node !== undefined && node !== null) setDrawn(node)
      else if (onDone) await onDone(answer)
      else onClose()
    }
    return proof ? proof.confirm(run) : run({} as C)
  }
  if (drawn !== null)
    return (
      <Modal
        open
        keep
        size={size}
        title={title}
        onClose={onClose}
        actions={<Button onClick={onClose}>{common.close}</Button>}
      >
        {drawn}
      </Modal>
    )
  return (
    <FormDialog {...shown} size={size} form={form} onSend={send} proof={proof}>
      {children}
      <Fields form={form} fields={fieldsOf(form.values)} />
      {note}
    </FormDialog>
  )
}
