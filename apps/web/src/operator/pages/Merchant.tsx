import { merchantStatus } from '@coffer/contract/codes.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { riskLevels } from '@coffer/contract/operator/merchants.ts'
import { Card } from '../../ui/data/Card.tsx'
import { Facts } from '../../ui/data/Facts.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Amount, CopyText, Time } from '../../ui/data/Values.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Action, type ActionField } from '../Action.tsx'
import { api, useRead } from '../api.ts'
import { A } from '../place.tsx'
import { MerchantState, Rows, Two } from '../Rows.tsx'
import { useTexts } from '../texts.ts'

type Detail = OperatorData<'GET /api/operator/v1/merchants/:id'>

const terms = [
  'fee_permille',
  'withdraw_fee_permille',
  'withdraw_single_max',
  'withdraw_day_max',
  'withdraw_approval_above',
] as const

export function Merchant({ id }: { id: string }) {
  const t = useTexts()
  const read = useRead('GET /api/operator/v1/merchants/:id', { params: { id } })
  const { data } = read
  if (read.error && !data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!data) return <Skeleton className="h-96 w-full rounded-lg" />
  const log: Column<Detail['log'][number]>[] = [
    { key: 'time', title: t.time, cell: row => <Time seconds={row.created_time} /> },
    {
      key: 'type',
      title: t.what,
      cell: row => <Two first={t.accountEvents[row.type] ?? row.type} second={row.subject} />,
    },
    { key: 'outcome', title: t.outcome, cell: row => <Two first={t.outcomes[row.outcome]} second={row.reason} /> },
    { key: 'from', title: t.origin, cell: row => <Two first={row.ip || t.byOperator} second={row.device} /> },
  ]
  const balances: Column<Detail['balances'][number]>[] = [
    { key: 'token', title: t.token, cell: row => <Two first={row.token} second={row.chain} /> },
    { key: 'available', title: t.available, align: 'end', cell: row => <Amount value={row.available} /> },
    { key: 'held', title: t.reserved, align: 'end', cell: row => <Amount value={row.held} /> },
  ]
  return (
    <>
      <p className="mb-2 text-[13px]">
        <A to="/merchants">{t.menu.merchants}</A>
      </p>
      <PageHeader title={data.name || data.mchid} text={data.email} actions={<Actions merchant={data} />} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Card title={t.profile}>
          <Facts
            rows={[
              [t.number, <CopyText key="n" look="whole" value={data.mchid} />],
              [t.state, <MerchantState key="s" status={data.status} frozen={data.frozen} />],
              [t.auditReason, data.audit_reason],
              [t.risk, data.risk_level ? t.risks[data.risk_level] : t.notJudged],
              [t.authenticator, data.authenticator ? t.bound : t.notBound],
              ...(data.removal_asked_by.length > 0
                ? [[t.removalAsked, data.removal_asked_by.join(', ')] as const]
                : []),
              [t.website, data.website],
              [t.phone, data.phone],
              [t.address, [data.street, data.city, data.country].filter(Boolean).join(', ')],
              [t.socials, [data.telegram, data.twitter, data.facebook].filter(Boolean).join(', ')],
              [t.timeZone, data.time_zone],
              [
                t.menu.orders,
                <A key="o" to={`/orders?text=${data.mchid}`}>
                  {t.showAll}
                </A>,
              ],
              [t.registered, <Time key="t" seconds={data.created_time} />],
            ]}
          />
        </Card>
        <Card title={t.terms} actions={<ChangeTerms merchant={data} />}>
          <Facts
            rows={terms.map(name => [
              t.termNames[name],
              data[name] === null ? t.standard(t.termValue(name, data.standard[name])) : t.termValue(name, data[name]),
            ])}
          />
        </Card>
        <Card title={t.balances} flush>
          <Rows
            caption={t.balances}
            columns={balances}
            read={read}
            rows={data.balances}
            rowKey={row => `${row.chain} ${row.token}`}
            empty={t.noBalance}
          />
        </Card>
        <Card title={t.accountLog} flush>
          <Rows
            caption={t.accountLog}
            columns={log}
            read={read}
            rows={data.log}
            rowKey={row => `${row.created_time} ${row.type} ${row.subject}`}
            empty={t.noLog}
          />
        </Card>
      </div>
    </>
  )
}

function Actions({ merchant }: { merchant: Detail }) {
  const t = useTexts()
  const params = { id: merchant.mchid }
  const reason: ActionField = { name: 'reason', label: t.reason, kind: 'area' }
  const review = (decision: 'approve' | 'advance' | 'refuse', given = '') =>
    api('POST /api/operator/v1/merchants/:id/review', { params, body: { decision, reason: given } }).then(() => null)
  const inAudit = [merchantStatus.primary_audit, merchantStatus.advanced_audit].some(code => code === merchant.status)
  const key = 'POST /api/operator/v1/merchants/:id/review'
  return (
    <>
      {merchant.status !== merchantStatus.approved && (
        <Action
          call={key}
          label={t.approve}
          text={t.approveText}
          look="primary"
          done={t.approved}
          run={() => review('approve')}
        />
      )}
      {merchant.status === merchantStatus.primary_audit && (
        <Action call={key} label={t.advance} text={t.advanceText} done={t.saved} run={() => review('advance')} />
      )}
      {inAudit && (
        <Action
          call={key}
          label={t.refuse}
          text={t.refuseText}
          look="danger"
          fields={[reason]}
          done={t.refusedDone}
          run={values => review('refuse', values.reason)}
        />
      )}
      <Action
        call="PUT /api/operator/v1/merchants/:id/risk"
        label={t.risk}
        text={t.riskText}
        fields={[
          {
            name: 'risk_level',
            label: t.risk,
            kind: 'choice',
            value: merchant.risk_level,
            options: riskLevels.map(level => ({ value: level, label: t.risks[level] })),
          },
          reason,
        ]}
        done={t.saved}
        run={({ risk_level, reason: given = '' }) =>
          api('PUT /api/operator/v1/merchants/:id/risk', {
            params,
            body: { risk_level: risk_level as (typeof riskLevels)[number], reason: given },
          }).then(() => null)
        }
      />
      {merchant.frozen ? (
        <Action
          call="POST /api/operator/v1/merchants/:id/unfreeze"
          label={t.unfreeze}
          text={t.unfreezeText}
          fields={[reason]}
          done={t.saved}
          run={({ reason: given = '' }) =>
            api('POST /api/operator/v1/merchants/:id/unfreeze', { params, body: { reason: given } }).then(() => null)
          }
        />
      ) : (
        <Action
          call="POST /api/operator/v1/merchants/:id/freeze"
          label={t.freeze}
          text={t.freezeText}
          look="danger"
          fields={[reason]}
          done={t.saved}
          run={({ reason: given = '' }) =>
            api('POST /api/operator/v1/merchants/:id/freeze', { params, body: { reason: given } }).then(() => null)
          }
        />
      )}
      {merchant.authenticator && (
        <Action
          call="POST /api/operator/v1/merchants/:id/remove-authenticator"
          label={t.removeAuthenticator}
          text={t.removeAuthenticatorText}
          look="danger"
          fields={[reason]}
          done={t.recorded}
          run={async ({ reason: given = '' }) => {
            const body = { reason: given }
            const { waits } = await api('POST /api/operator/v1/merchants/:id/remove-authenticator', { params, body })
            return waits ? <p className="text-sm">{t.secondNeeded}</p> : null
          }}
        />
      )}
    </>
  )
}

function ChangeTerms({ merchant }: { merchant: Detail }) {
  const t = useTexts()
  const number = (text = '') => (text.trim() === '' ? null : Number(text))
  return (
    <Action
      call="PUT /api/operator/v1/merchants/:id/terms"
      label={t.change}
      text={t.termsText}
      fields={terms.map(name => ({
        name,
        label: t.termNames[name],
        optional: true,
        max: 10,
        value: merchant[name] === null ? '' : String(merchant[name]),
      }))}
      done={t.saved}
      run={values =>
        api('PUT /api/operator/v1/merchants/:id/terms', {
          params: { id: merchant.mchid },
          body: {
            fee_permille: number(values.fee_permille),
            withdraw_fee_permille: number(values.withdraw_fee_permille),
            withdraw_single_max: number(values.withdraw_single_max),
            withdraw_day_max: number(values.withdraw_day_max),
            withdraw_approval_above: number(values.withdraw_approval_above),
          },
        }).then(() => null)
      }
    />
  )
}
