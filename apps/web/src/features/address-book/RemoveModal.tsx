import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Address } from '../../kit/AddressField.tsx'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { showToast } from '../../lib/toast.ts'
import { Facts } from '../../ui/data/Facts.tsx'
import type { Entry } from './columns.tsx'

/** Removes an entry, confirmed by a code. */
export default function RemoveModal({ entry, onClose }: { entry: Entry; onClose(): void }) {
  const t = useMessages('address-book')
  return (
    <ProofModal
      title={t.removeTitle}
      text={t.removeText}
      verb={t.remove}
      danger
      action="address-book"
      onClose={onClose}
      onConfirm={async confirmed => {
        await api('DELETE /api/v1/address', { body: { id: entry.id, ...confirmed } })
        await refresh('GET /api/v1/address')
        showToast('success', t.removed)
        onClose()
      }}
    >
      <Facts
        rows={[
          [t.label, entry.label],
          [t.network, entry.chain],
          [t.address, <Address key="address" value={entry.address} />],
        ]}
      />
    </ProofModal>
  )
}
