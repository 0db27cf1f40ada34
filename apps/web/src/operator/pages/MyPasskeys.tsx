import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { createPasskey, hasPasskeys } from '../../kit/passkey.ts'
import { Card } from '../../ui/data/Card.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { CopyText, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Action } from '../Action.tsx'
import { api, useRead } from '../api.ts'
import { tellFailure } from '../passkeys.ts'
import { Rows } from '../Rows.tsx'
import { useTexts } from '../texts.ts'

type Row = OperatorData<'GET /api/operator/v1/passkeys'>['list'][number]

/** The passkeys of the operator who is signed in. */
export function MyPasskeys() {
  const t = useTexts()
  const read = useRead('GET /api/operator/v1/passkeys', {})
  const possible = hasPasskeys() && read.data?.available === true
  const columns: Column<Row>[] = [
    { key: 'name', title: t.passkeyName, sticky: 'start', cell: row => <span className="break-all">{row.name}</span> },
    {
      key: 'state',
      title: t.state,
      cell: row => <Badge kind={row.blocked ? 'error' : 'success'}>{row.blocked ? t.passkeyBlocked : t.active}</Badge>,
    },
    { key: 'added', title: t.passkeyAdded, cell: row => <Time seconds={row.created_time} /> },
    { key: 'used', title: t.passkeyUsed, cell: row => <Time seconds={row.last_used} /> },
    {
      key: 'key',
      title: t.passkeyKey,
      cell: row => row.signer_key && <CopyText look="whole" value={row.signer_key} />,
    },
    {
      key: 'actions',
      title: t.actions,
      align: 'end',
      cell: ({ id, name }) => (
        <Action
          call="DELETE /api/operator/v1/passkeys/:id"
          label={t.remove}
          text={t.removePasskeyText(name)}
          look="danger"
          done={t.removed}
          run={() => api('DELETE /api/operator/v1/passkeys/:id', { params: { id } }).then(() => null)}
        />
      ),
    },
  ]
  return (
    <Card
      flush
      title={t.myPasskeys}
      className="mt-4"
      actions={
        possible && (
          <Action
            call="POST /api/operator/v1/passkeys"
            label={t.addPasskey}
            text={t.addPasskeyText}
            fields={[{ name: 'name', label: t.passkeyName, max: 64 }]}
            done={t.saved}
            run={async ({ name = '' }) => {
              const passkey = await tellFailure(async () =>
                createPasskey(await api('GET /api/operator/v1/passkeys/new', {})),
              )
              await api('POST /api/operator/v1/passkeys', { body: { name: name.trim(), passkey } })
              return null
            }}
          />
        )
      }
    >
      {read.data && !possible && <p className="px-5 pt-3 text-[13px] text-ink-2">{t.passkeysNotHere}</p>}
      <Rows
        caption={t.myPasskeys}
        columns={columns}
        read={read}
        rows={read.data?.list}
        rowKey={row => row.id}
        empty={t.noPasskeys}
      />
    </Card>
  )
}
