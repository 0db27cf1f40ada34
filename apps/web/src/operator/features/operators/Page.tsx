import { type OperatorRole, operatorRoleNames } from '@coffer/contract/kit/operator-roles.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { LogLink } from '../../kit/links.tsx'
import { Rows, TwoLineCell } from '../../kit/Rows.tsx'
import { AlertWebhooks } from './AlertWebhooks.tsx'
import { MyAlerts } from './MyAlerts.tsx'
import { MyDevices } from './MyDevices.tsx'
import { MyPasskeys } from './MyPasskeys.tsx'

/** What became of an action that another owner may have to ask for, too. */
function useOutcome() {
  const t = useMessages('operator')
  return (done: string) =>
    ({ waits }: { waits: boolean }) => <p className="text-sm">{waits ? t.ownerNeeded : done}</p>
}

function useRoleField() {
  const t = useMessages('operator')
  const { pleaseSelect, pair } = useMessages('common')
  const options = operatorRoleNames.map(role => ({ value: role, label: pair(t.roles[role], t.roleTexts[role]) }))
  return {
    ...({ name: 'role', kind: 'choice', required: true } as const),
    label: t.role,
    options,
    placeholder: pleaseSelect,
  }
}

export default function Operators() {
  const t = useMessages('operator')
  const roleField = useRoleField()
  const outcome = useOutcome()
  return (
    <>
      <PageHeader
        title={t.menu.operators}
        text={t.operatorsText}
        actions={
          <ActionButton
            call="POST /api/operator/v1/operators"
            label={t.addOperator}
            text={t.addOperatorText}
            look="primary"
            size="medium"
            initial={{ email: '', role: '' as OperatorRole }}
            fields={[{ name: 'email', label: t.email, required: true, maxLength: 254 }, roleField]}
            body={({ email, role }) => ({ email: email.trim(), role })}
            result={outcome(t.linkSent)}
          />
        }
      />
      <Card flush>
        <Rows
          title={t.menu.operators}
          columns={[
            {
              title: t.email,
              sticky: 'start',
              cell: row => <TwoLineCell first={<LogLink text={row.email}>{row.email}</LogLink>} second={null} />,
            },
            { title: t.role, className: 'whitespace-nowrap', cell: row => t.roles[row.role] },
            {
              title: t.state,
              cell: row => (
                <Badge kind={row.active ? 'success' : 'processing'}>{row.active ? t.active : t.invited}</Badge>
              ),
            },
            { title: t.lastSeen, cell: row => <Time seconds={row.last_seen} /> },
          ]}
          rowActions={row => <RowActions operator={row} />}
          read={useRead('GET /api/operator/v1/operators', {})}
          empty={t.noLog}
        />
      </Card>
      <MyPasskeys />
      <MyAlerts />
      <MyDevices />
      <AlertWebhooks />
    </>
  )
}

type Operator = OperatorData<'GET /api/operator/v1/operators'>['list'][number]

function RowActions({ operator: { id, email, role } }: { operator: Operator }) {
  const t = useMessages('operator')
  const roleField = useRoleField()
  const outcome = useOutcome()
  const target = { params: { id }, of: email }
  return (
    <span className="inline-flex gap-2">
      <ActionButton
        call="PUT /api/operator/v1/operators/:id"
        {...target}
        label={t.changeRole}
        text={t.changeRoleText(email)}
        initial={{ role }}
        fields={[roleField]}
        result={outcome(t.saved)}
      />
      <ActionButton
        call="POST /api/operator/v1/operators/:id/link"
        {...target}
        label={t.newLink}
        text={t.newLinkText(email)}
        result={outcome(t.linkSent)}
      />
      <ActionButton
        call="DELETE /api/operator/v1/operators/:id"
        {...target}
        label={t.remove}
        text={t.removeText(email)}
        look="danger"
        result={outcome(t.removed)}
      />
    </span>
  )
}
