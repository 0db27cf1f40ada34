import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { canUsePasskeys, createPasskey, handlePasskeyFailure } from '../../../kit/passkey.ts'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { api, useRead } from '../../kit/api.ts'
import { HealthStatus, RowsCard } from '../../kit/Rows.tsx'

type Row = OperatorData<'GET /api/operator/v1/passkeys'>['list'][number]

/** The passkeys of the operator who is signed in. */
export function MyPasskeys() {
  const t = useMessages('operator')
  const words = useMessages('identity')
  const read = useRead('GET /api/operator/v1/passkeys', {})
  const possible = canUsePasskeys() && read.data?.available === true
  return (
    <RowsCard
      title={t.myPasskeys}
      className="mt-4"
      actions={possible && <AddPasskey />}
      columns={[
        { title: words.passkeyName, sticky: 'start', cell: row => <span className="break-all">{row.name}</span> },
        {
          title: t.state,
          cell: row => <PasskeyState of={row} />,
        },
        { title: words.passkeyAdded, cell: row => <Time seconds={row.created_time} /> },
        { title: words.passkeyUsed, cell: row => <Time seconds={row.last_used} /> },
        { title: t.passkeyKey, cell: row => row.signer_key && <CopyText look="whole" value={row.signer_key} /> },
      ]}
      rowActions={({ id, name }) => (
        <ActionButton call="DELETE /api/operator/v1/passkeys/:id" params={{ id }} facts={{ name }} />
      )}
      read={read}
      empty={t.noPasskeys}
    >
      {read.data && !possible && <p className="px-5 pt-3 text-[13px] text-ink-2">{words.passkeysNotHere}</p>}
    </RowsCard>
  )
}

function PasskeyState({ of: { blocked, host } }: { of: Row }) {
  const t = useMessages('operator')
  const words = useMessages('identity')
  if (blocked || host === undefined)
    return <HealthStatus bad={blocked} text={blocked ? words.passkeyBlocked : t.active} />
  return <HealthStatus bad text={words.passkeyElsewhere} note={words.passkeyElsewhereText(host)} />
}

function AddPasskey() {
  const call = 'POST /api/operator/v1/passkeys'
  const { label } = useMessages('dialogs')[call].fields.name
  const sign = async ({ name }: { name: string }) => {
    const options = await api('GET /api/operator/v1/passkeys/new', {})
    const passkey = await createPasskey(options).catch(handlePasskeyFailure())
    return { name: name.trim(), passkey }
  }
  return (
    <ActionButton
      call={call}
      form={{
        initial: { name: '' },
        fields: [{ name: 'name', label, required: true, maxLength: 64 }],
        body: sign,
      }}
    />
  )
}
