import type { PaymentMark } from '@coffer/contract/codes.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'

interface Props {
  trade_no: string
  as: PaymentMark
  onClose(): void
}

/** Marks a payment as paid or invalid, with a reason. */
export default function MarkModal({ trade_no, as, onClose }: Props) {
  const t = useMessages('payment-details')
  const verb = as === 'paid' ? t.markPaid : t.markInvalid
  return (
    <ActionForm
      title={verb}
      text={as === 'paid' ? t.markPaidText : t.markInvalidText}
      verb={verb}
      danger={as === 'invalid'}
      initial={{ reason: '' }}
      fields={[
        {
          name: 'reason',
          label: t.reason,
          hint: t.reasonHint,
          required: true,
          maxLength: 200,
          autoComplete: 'off',
        },
      ]}
      proof={useProof('mark-payment')}
      call={({ reason }, proof) =>
        api('POST /api/v1/transactions/mark', { body: { trade_no, as, reason: reason.trim(), ...proof } })
      }
      refreshes={['GET /api/v1/transactions/detail', 'GET /api/v1/transactions/list']}
      done={t.marked}
      onClose={onClose}
    />
  )
}
