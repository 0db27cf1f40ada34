import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { WholeAddress } from '../../kit/AddressField.tsx'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { DetailList } from '../../ui/data/DetailList.tsx'
import type { AddressBookRow } from './columns.tsx'

/** Removes an entry, confirmed by a code. */
export default function RemoveModal({ entry, onClose }: { entry: AddressBookRow; onClose(): void }) {
  const t = useMessages('address-book')
  return (
    <ActionForm
      title={t.removeTitle}
      text={t.removeText}
      verb={t.remove}
      danger
      proof={useProof('address-book')}
      call={(_values, proof) => api('DELETE /api/v1/address', { body: { id: entry.id, ...proof } })}
      refreshes={['GET /api/v1/address']}
      done={t.removed}
      onClose={onClose}
    >
      <DetailList
        rows={[
          [t.label, entry.label],
          [t.network, entry.chain],
          [t.address, <WholeAddress key="address" value={entry.address} />],
        ]}
      />
    </ActionForm>
  )
}
