import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { withNote } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { AddressView } from '../../kit/AddressView.tsx'
import { BackToAssets } from '../../kit/BackToAssets.tsx'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useSubmit } from '../../kit/useSubmit.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { May } from '../../ui/controls/May.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { ErrorState } from '../../ui/feedback/States.tsx'
import { AddressList, type FixedAddress } from './AddressList.tsx'

type Opened = RouteData<'POST /api/v1/account/fixed-address'>

/** Fixed addresses: open a chain, and list the addresses of the merchant and of its applications. */
export default function FixedAddr() {
  const t = useMessages('ledger')
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const [shown, setShown] = useState<Opened>()
  const [labelled, setLabelled] = useState<FixedAddress>()
  return (
    <>
      <BackToAssets />
      <PageHeader
        title={t.fixedTitle}
        text={t.fixedText}
        actions={
          <Link to="/property/recharge" look="secondary">
            {t.recharge}
          </Link>
        }
      />
      <div className="flex flex-col gap-4">
        <May call="POST /api/v1/account/fixed-address">
          <OpenChain onOpened={setShown} />
        </May>
        <AddressList onShow={setShown} onLabel={setLabelled} />
      </div>
      {shown && (
        <Modal open size="medium" title={t.addressOn(shown.chain)} onClose={() => setShown(undefined)}>
          <AddressView
            address={shown}
            confirmations={currencies?.list.find(({ id }) => id === shown.currency_id)?.confirmations}
          />
        </Modal>
      )}
      {labelled && <LabelModal address={labelled} onClose={() => setLabelled(undefined)} />}
    </>
  )
}

/** Chooses a chain, and opens it or shows the address that it has. */
function OpenChain({ onOpened }: { onOpened(address: Opened): void }) {
  const t = useMessages('ledger')
  const common = useMessages('common')
  const currencies = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const [chosen, setChosen] = useState('')
  const [label, setLabel] = useState('')
  const open = useSubmit('POST /api/v1/account/fixed-address', { refreshes: ['GET /api/v1/account/fixed-address'] })
  const chains = currencies.data?.list
  const submit = () =>
    open.mutate(
      { body: { currency_id: chosen, label } },
      {
        onSuccess: address => {
          onOpened(address)
          setLabel('')
        },
      },
    )
  return (
    <Card title={t.getAddress}>
      {currencies.error && !chains ? (
        <ErrorState error={currencies.error} onRetry={() => void currencies.refetch()} />
      ) : (
        <form
          className="flex flex-wrap items-start gap-3"
          onSubmit={event => {
            event.preventDefault()
            if (chosen) submit()
          }}
        >
          <Field label={t.chooseChain} hint={t.chooseChainHint} className="w-full sm:max-w-sm">
            {control => (
              <Select
                {...control}
                value={chosen}
                placeholder={common.pleaseSelect}
                options={(chains ?? []).map(({ id, chain, net_work }) => ({
                  value: id,
                  label: withNote(chain, net_work),
                }))}
                onChange={setChosen}
              />
            )}
          </Field>
          <Field label={t.label} optional={common.optional} className="w-full sm:max-w-56">
            {control => <TextInput {...control} maxLength={64} autoComplete="off" value={label} onChange={setLabel} />}
          </Field>
          <Button type="submit" look="primary" className="sm:mt-[26px]" disabled={!chosen} busy={open.isPending}>
            {t.open}
          </Button>
        </form>
      )}
    </Card>
  )
}

/** Changes the label of an address, which only the merchant sees. */
function LabelModal({ address, onClose }: { address: FixedAddress; onClose(): void }) {
  const t = useMessages('ledger')
  const common = useMessages('common')
  return (
    <ActionForm
      title={t.editLabel}
      text={t.labelHint}
      verb={common.save}
      initial={{ label: address.label }}
      fields={[{ name: 'label', label: t.label, maxLength: 64, autoComplete: 'off' }]}
      call={({ label }) => api('PUT /api/v1/account/fixed-address', { body: { id: address.id, label } })}
      refreshes={['GET /api/v1/account/fixed-address']}
      done={t.labelSaved}
      onClose={onClose}
    />
  )
}
