import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { type OperatorRole, operatorRoleNames } from '@coffer/contract/operator/roles.ts'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { type Column, Table } from '../../ui/data/Table.tsx'
import { CopyText, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Action, type ActionField } from '../Action.tsx'
import { api, useRead } from '../api.ts'
import { useTexts } from '../texts.ts'
import { MyPasskeys } from './MyPasskeys.tsx'

type Row = OperatorData<'GET /api/operator/v1/operators'>['list'][number]

const OnceShown = ({ link, text }: { link: string; text: string }) => (
  <div className="flex flex-col gap-3 text-sm">
    <p className="text-ink-2">{text}</p>
    <p className="font-mono text-[13px]">
      <CopyText look="whole" value={link} />
    </p>
  </div>
)

export default function Operators() {
  const t = useTexts()
  const { data, error, refetch } = useRead('GET /api/operator/v1/operators', {})
  const roleField = (value?: OperatorRole): ActionField => ({
    name: 'role',
    label: t.role,
    kind: 'choice',
    options: operatorRoleNames.map(role => ({ value: role, label: `${t.roles[role]}: ${t.roleTexts[role]}` })),
    ...(value && { value }),
  })
  const columns: Column<Row>[] = [
    {
      key: 'email',
      title: t.email,
      sticky: 'start',
      cell: row => <span className="block min-w-40 break-all">{row.email}</span>,
    },
    { key: 'role', title: t.role, className: 'whitespace-nowrap', cell: row => t.roles[row.role] },
    {
      key: 'state',
      title: t.state,
      cell: row => <Badge kind={row.active ? 'success' : 'processing'}>{row.active ? t.active : t.invited}</Badge>,
    },
    { key: 'seen', title: t.lastSeen, cell: row => <Time seconds={row.last_seen} /> },
    {
      key: 'actions',
      title: t.actions,
      align: 'end',
      cell: ({ id, email, role }) => (
        <span className="inline-flex gap-2">
          <Action
            call="PUT /api/operator/v1/operators/:id"
            label={t.changeRole}
            text={t.changeRoleText(email)}
            fields={[roleField(role)]}
            done={t.saved}
            run={({ role: next }) =>
              api('PUT /api/operator/v1/operators/:id', {
                params: { id },
                body: { role: next as OperatorRole },
              }).then(() => null)
            }
          />
          <Action
            call="POST /api/operator/v1/operators/:id/link"
            label={t.newLink}
            text={t.newLinkText(email)}
            done={t.saved}
            run={async () => {
              const { link } = await api('POST /api/operator/v1/operators/:id/link', { params: { id } })
              return <OnceShown link={link} text={t.linkText} />
            }}
          />
          <Action
            call="DELETE /api/operator/v1/operators/:id"
            label={t.remove}
            text={t.removeText(email)}
            look="danger"
            done={t.removed}
            run={() => api('DELETE /api/operator/v1/operators/:id', { params: { id } }).then(() => null)}
          />
        </span>
      ),
    },
  ]
  return (
    <>
      <PageHeader
        title={t.menu.operators}
        text={t.operatorsText}
        actions={
          <Action
            call="POST /api/operator/v1/operators"
            label={t.addOperator}
            text={t.addOperatorText}
            look="primary"
            size="medium"
            fields={[{ name: 'email', label: t.email, max: 254 }, roleField()]}
            done={t.saved}
            run={async ({ email = '', role }) => {
              const body = { email: email.trim(), role: role as OperatorRole }
              const { link } = await api('POST /api/operator/v1/operators', { body })
              return <OnceShown link={link} text={t.linkText} />
            }}
          />
        }
      />
      <Card flush>
        <Table
          caption={t.menu.operators}
          columns={columns}
          rows={data?.list}
          rowKey={row => row.id}
          error={error}
          onRetry={() => void refetch()}
          skeletonRows={3}
        />
      </Card>
      <MyPasskeys />
    </>
  )
}
