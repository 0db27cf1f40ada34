import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { withNote } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { AddressField, WholeAddress } from '../../kit/AddressField.tsx'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import type { FormFields } from '../../kit/form/Fields.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { DetailList } from '../../ui/data/DetailList.tsx'
import type { AddressBookRow } from './columns.tsx'

type Values = Pick<
  AddressBookRow,
  'currency_id' | 'address' | 'label' | 'memo' | 'beneficiary' | 'wallet' | 'institution'
>
const blank: Values = {
  currency_id: '',
  address: '',
  label: '',
  memo: '',
  beneficiary: '',
  wallet: '',
  institution: '',
}

/** Adds an entry, or changes one; confirmed by a code. Network and address of an entry stay. */
export default function EntryModal({ entry, onClose }: { entry: AddressBookRow | undefined; onClose(): void }) {
  const t = useMessages('address-book')
  const common = useMessages('common')
  const { currency_id, address, label, memo, beneficiary, wallet, institution } = entry ?? blank
  const initial: Values = { currency_id, address, label, memo, beneficiary, wallet, institution }
  return (
    <ActionForm
      title={entry ? t.editTitle : t.addTitle}
      text={entry ? t.editText : t.addText}
      verb={entry ? common.save : t.add}
      size="medium"
      initial={initial}
      fields={useFields(entry === undefined)}
      proof={useProof('address-book')}
      call={(values, proof) => {
        const { currency_id, address, memo, ...about } = values
        const body = { ...about, institution: about.wallet === 'hosted' ? about.institution : '', ...proof }
        return entry
          ? api('PUT /api/v1/address', { body: { id: entry.id, ...body } })
          : api('POST /api/v1/address', { body: { ...body, currency_id, address: address.trim(), memo: memo.trim() } })
      }}
      refreshes={['GET /api/v1/address']}
      done={entry ? t.changed : t.addedToast}
      onClose={onClose}
    >
      {entry && (
        <DetailList
          rows={[
            [t.network, withNote(entry.chain, entry.net_work)],
            [t.address, <WholeAddress key="address" value={entry.address} />],
          ]}
        />
      )}
    </ActionForm>
  )
}

/** The fields of an entry; a new one has a network and an address. */
function useFields(isNew: boolean): (values: Values) => FormFields<Values> {
  const t = useMessages('address-book')
  const common = useMessages('common')
  const [checked, setChecked] = useState({ text: '', shown: '' })
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const { data: book } = useQuery(apiQuery('GET /api/v1/address', { query: { pageSize: 1 } }))
  const text = { maxLength: 128, autoComplete: 'off', optional: true } as const
  const travelRule = { title: t.travelRule, look: 'note' } as const
  return ({ currency_id, wallet }) => [
    isNew && {
      name: 'currency_id',
      kind: 'choice',
      label: t.network,
      required: true,
      placeholder: common.pleaseSelect,
      options: (currencies?.list ?? []).map(({ id, chain, net_work }) => ({
        value: id,
        label: withNote(chain, net_work),
      })),
      rule: id => id === '' && common.pleaseSelect,
    },
    isNew && {
      name: 'address',
      rule: value =>
        value.trim() === ''
          ? common.required
          : (checked.text !== value.trim() || checked.shown === '') && common.addressMismatch,
      draw: props => (
        <AddressField
          {...props}
          chainId={currency_id}
          network={currencies?.list.find(each => each.id === currency_id)?.chain ?? ''}
          onChecked={setChecked}
        />
      ),
    },
    isNew &&
      book?.memo_networks.includes(currency_id) === true && {
        name: 'memo',
        label: t.memo,
        hint: t.memoHint,
        optional: true,
        maxLength: 128,
      },
    { name: 'label', label: t.label, hint: t.labelHint, required: true, maxLength: 64, autoComplete: 'off' },
    { ...text, name: 'beneficiary', label: t.beneficiary, group: travelRule },
    {
      name: 'wallet',
      kind: 'choice',
      label: t.wallet,
      optional: true,
      placeholder: t.walletNone,
      options: (['hosted', 'self_hosted'] as const).map(value => ({ value, label: t.wallets[value] })),
      group: travelRule,
    },
    wallet === 'hosted' && { ...text, name: 'institution', label: t.institution, group: travelRule },
  ]
}
