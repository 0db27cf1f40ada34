import type { RouteData } from '@coffer/contract'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import type { TransferReceiver } from './useTransferReceiver.ts'

export type TransferAsset = RouteData<'GET /api/v1/statistics/assets'>['list'][number]

interface Props {
  asset: TransferAsset
  receiver: TransferReceiver
  amount: string
  note: string
  onClose(): void
  onDone(): void
}

/** Shows what is transferred to whom, and confirms it by a code. */
export function ConfirmTransfer({ asset, receiver, amount, note, onClose, onDone }: Props) {
  const t = useMessages('transfers')
  // By the merchant ID that was shown: an email can pass to another account in between.
  const to = { account: receiver.mchid, token_id: asset.id }
  return (
    <ActionForm
      title={t.confirmTitle}
      text={t.confirmText}
      verb={t.send}
      proof={useProof('transfer', { data: () => ({ ...to, amount }) })}
      call={(_values, proof) =>
        api('POST /api/v1/account/internal-transfer', { body: { ...to, amount, note, ...proof } })
      }
      refreshes={['GET /api/v1/statistics/assets', 'GET /api/v1/account/internal-transfer']}
      done={t.sent}
      onDone={onDone}
      onClose={onClose}
    >
      <DetailList
        rows={[
          [t.amount, <Amount key="amount" exact value={amount} unit={`${asset.token} · ${asset.chain}`} />],
          [t.receiver, `${receiver.name} · ${receiver.mchid}`],
          ...(note === '' ? [] : [[t.note, note] as const]),
        ]}
      />
    </ActionForm>
  )
}
