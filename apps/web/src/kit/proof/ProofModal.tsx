import type { ProofAction } from '@coffer/contract/codes.ts'
import { type ReactNode, useId } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { useForm } from '../useForm.ts'
import { ProofFields } from './ProofFields.tsx'
import { type Proof, useProof } from './useProof.ts'

interface Props {
  title: string
  text: string
  /** The button's label. */
  verb: string
  danger?: boolean
  size?: 'small' | 'medium'
  action: ProofAction
  /** See `useProof`. */
  data?: () => Record<string, string>
  passkeyOnly?: boolean
  onClose(): void
  /** Performs the action; its errors are shown. */
  onConfirm(body: { proof: Proof }): Promise<unknown>
  children?: ReactNode
  /** Validates `children`; false prevents the submission. */
  ready?: () => boolean
}

/** Confirms an action that requires a fresh proof. */
export function ProofModal({
  title,
  text,
  verb,
  danger,
  size = 'small',
  action,
  onClose,
  onConfirm,
  children,
  ready,
  ...more
}: Props) {
  const common = useMessages('common')
  const id = useId()
  const proof = useProof(action, more)
  const form = useForm({}, {})
  const send = async () => {
    if (ready?.() ?? true) await proof.confirm(onConfirm)
  }
  return (
    <Modal
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
      <form {...form.formProps(send)} id={id} className="flex flex-col gap-4">
        {children}
        <ProofFields proof={proof} />
      </form>
    </Modal>
  )
}
