import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { WholeAddress } from '../../kit/AddressField.tsx'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { formatApprovalReason, type WithdrawalQuote } from './quote.ts'

interface Props {
  quote: WithdrawalQuote
  /** As the chain writes it. */
  address: string
  remark: string
  onSent(): void
  onClose(): void
}

/**
 * Shows what is sent, and to whom, in full, and asks for the proof. The quote that was shown is the one that is sent.
 */
export default function ConfirmModal({ quote, address, remark, onSent, onClose }: Props) {
  const t = useMessages('withdrawals')
  const navigate = useNavigate()
  const { token, token_id, amount } = quote
  return (
    <ActionForm
      title={t.confirmTitle}
      text={t.confirmText}
      verb={t.confirmVerb}
      proof={useProof('withdrawal', {
        data: () => ({ token_id, address, amount }),
        passkeyOnly: quote.outcome === 'factor',
      })}
      call={(_values, proof) => {
        const body = { token_id, address, amount, quote: quote.quote, remark: remark.trim(), ...proof }
        return api('POST /api/v1/account/withdrawal', { body })
      }}
      refreshes={[
        'GET /api/v1/account/withdrawal-list',
        'GET /api/v1/statistics/assets',
        'GET /api/v1/statistics/overview',
      ]}
      done={t.requested}
      onDone={({ id }) => {
        onSent()
        return navigate({ to: '/record/withdrawal', search: { id } })
      }}
      onClose={onClose}
    >
      <DetailList
        rows={[
          [t.asset, `${token} · ${quote.chain}`],
          [t.address, <WholeAddress key="address" value={address} />],
          [t.amount, <Amount exact key="amount" value={amount} unit={token} />],
          [t.fee, <Amount exact key="fee" value={quote.fee} unit={token} />],
          [t.gas, <Amount exact key="gas" value={quote.gas} unit={token} />],
          [t.receives, <Amount exact key="receives" value={quote.receives} unit={token} className="font-semibold" />],
        ]}
      />
      {quote.outcome === 'approval' && <p className="text-[13px] text-ink-2">{formatApprovalReason(quote, t)}</p>}
    </ActionForm>
  )
}
