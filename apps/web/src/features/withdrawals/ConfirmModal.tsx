import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Address } from '../../kit/AddressField.tsx'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { showToast } from '../../lib/toast.ts'
import { Facts } from '../../ui/data/Facts.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import type { Quote } from './quote.ts'

interface Props {
  quote: Quote
  /** As the chain writes it. */
  address: string
  remark: string
  onClose(): void
}

/** Shows what is sent, and to whom, in full, and asks for the proof. The quote that was shown is the one that is sent. */
export default function ConfirmModal({ quote, address, remark, onClose }: Props) {
  const t = useMessages('withdrawals')
  const navigate = useNavigate()
  const { token, token_id, amount } = quote
  return (
    <ProofModal
      title={t.confirmTitle}
      text={t.confirmText}
      verb={t.confirmVerb}
      action="withdrawal"
      data={() => ({ token_id, address, amount })}
      passkeyOnly={quote.outcome === 'factor'}
      onClose={onClose}
      onConfirm={async confirmed => {
        const body = { token_id, address, amount, quote: quote.quote, remark: remark.trim(), ...confirmed }
        const { id } = await api('POST /api/v1/account/withdrawal', { body })
        void refresh(
          'GET /api/v1/account/withdrawal-list',
          'GET /api/v1/statistics/assets',
          'GET /api/v1/statistics/overview',
        )
        showToast('success', t.requested)
        await navigate({ to: '/record/withdrawal', search: { id } })
      }}
    >
      <Facts
        rows={[
          [t.asset, `${token} · ${quote.chain}`],
          [t.address, <Address key="address" value={address} />],
          [t.amount, <Amount exact key="amount" value={amount} unit={token} />],
          [t.fee, <Amount exact key="fee" value={quote.fee} unit={token} />],
          [t.gas, <Amount exact key="gas" value={quote.gas} unit={token} />],
          [t.receives, <Amount exact key="receives" value={quote.receives} unit={token} className="font-semibold" />],
        ]}
      />
      {quote.outcome === 'approval' && <p className="text-[13px] text-ink-2">{t.needsApproval}</p>}
    </ProofModal>
  )
}
