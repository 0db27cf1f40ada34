import type { Mark } from '@coffer/contract/codes.ts'
import { isText } from '@coffer/contract/validators.ts'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { showToast } from '../../lib/toast.ts'
import { Field } from '../../ui/controls/Field.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'

interface Props {
  trade_no: string
  as: Mark
  onClose(): void
}

/** Marks a payment as paid or invalid, with a reason. */
export default function MarkModal({ trade_no, as, onClose }: Props) {
  const t = useMessages('payments')
  const common = useMessages('common')
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string | null>(null)
  const ready = () => {
    setError(isText(reason) ? null : common.required)
    return isText(reason)
  }
  return (
    <ProofModal
      title={as === 'paid' ? t.markPaid : t.markInvalid}
      text={as === 'paid' ? t.markPaidText : t.markInvalidText}
      verb={as === 'paid' ? t.markPaid : t.markInvalid}
      danger={as === 'invalid'}
      action="mark-payment"
      ready={ready}
      onClose={onClose}
      onConfirm={async confirmed => {
        await api('POST /api/v1/transactions/mark', { body: { trade_no, as, reason: reason.trim(), ...confirmed } })
        await refresh('GET /api/v1/transactions/detail', 'GET /api/v1/transactions/list')
        showToast('success', t.marked)
        onClose()
      }}
    >
      <Field label={t.reason} hint={t.reasonHint} error={error} required>
        {control => (
          <TextInput
            {...control}
            maxLength={200}
            autoComplete="off"
            value={reason}
            onChange={text => {
              setReason(text)
              setError(null)
            }}
          />
        )}
      </Field>
    </ProofModal>
  )
}
