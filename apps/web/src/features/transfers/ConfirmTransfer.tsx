import type { Data } from '@coffer/contract'
import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { showToast } from '../../lib/toast.ts'
import { Facts } from '../../ui/data/Facts.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import type { Receiver } from './useReceiver.ts'

export type Asset = Data<'GET /api/v1/statistics/assets'>['list'][number]

interface Props {
  asset: Asset
  receiver: Receiver
  amount: string
  note: string
  onClose(): void
  onDone(): void
}

/** Shows what is transferred to whom, and confirms it by a code. */
export function ConfirmTransfer({ asset, receiver, amount, note, onClose, onDone }: Props) {
  const t = useMessages('transfers')
  return (
    <ProofModal
      title={t.confirmTitle}
      text={t.confirmText}
      verb={t.send}
      action="transfer"
      data={() => ({ account: receiver.mchid, token_id: asset.id, amount })}
      onClose={onClose}
      onConfirm={async confirmed => {
        // By the merchant ID that was shown: an email can pass to another account in between.
        const body = { account: receiver.mchid, token_id: asset.id, amount, note, ...confirmed }
        await api('POST /api/v1/account/internal-transfer', { body })
        await refresh('GET /api/v1/statistics/assets', 'GET /api/v1/account/internal-transfer')
        showToast('success', t.sent)
        onDone()
      }}
    >
      <Facts
        rows={[
          [t.amount, <Amount key="amount" exact value={amount} unit={`${asset.token} · ${asset.chain}`} />],
          [t.receiver, `${receiver.name} · ${receiver.mchid}`],
          ...(note === '' ? [] : [[t.note, note] as const]),
        ]}
      />
    </ProofModal>
  )
}
