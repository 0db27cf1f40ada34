import { operatorRoleNames } from '@coffer/contract/kit/operator-roles.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { NoValue, Time } from '../../../ui/data/Values.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { LogLink } from '../../kit/links.tsx'
import { Rows, TwoLineCell } from '../../kit/Rows.tsx'
import { AlertWebhooks } from './AlertWebhooks.tsx'
import { MyAlerts } from './MyAlerts.tsx'
import { MyDevices } from './MyDevices.tsx'
import { MyPasskeys } from './MyPasskeys.tsx'

/** The roles to choose from, each with what it may do. */
function useRoleOptions() {
  const t = useMessages('operator')
  const { pair } = useMessages('common')
  return operatorRoleNames.map(role => ({ value: role, label: pair(t.roles[role], t.roleTexts[role]) }))
}

export default function Operators() {
  const t = useMessages('operator')
  const roles = useRoleOptions()
  return (
    <>
      <PageHeader
        title={t.menu.operators}
        text={t.operatorsText}
        actions={
          <ActionButton call="POST /api/operator/v1/operators" size="medium" additions={{ role: { options: roles } }} />
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
            { title: t.invitedBy, cell: row => row.invited_by || <NoValue /> },
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
  const options = useRoleOptions()
  const target = { params: { id }, of: email, facts: { email } }
  return (
    <span className="inline-flex gap-2">
      <ActionButton
        call="PUT /api/operator/v1/operators/:id"
        {...target}
        additions={{ role: { initial: role, options } }}
      />
      <ActionButton call="POST /api/operator/v1/operators/:id/link" {...target} />
      <ActionButton call="DELETE /api/operator/v1/operators/:id" {...target} />
    </span>
  )
}
