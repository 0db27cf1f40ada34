import { basisPointsOf, feeBpsMax, percentText } from '@coffer/contract/basis-points.ts'
import { merchantStatus } from '@coffer/contract/codes.ts'
import type { OperatorBody, OperatorData } from '@coffer/contract/operator/index.ts'
import { riskLevels } from '@coffer/contract/operator/risk-levels.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Messages } from '../../../i18n/areas.ts'
import { formatCount } from '../../../i18n/format.ts'
import { language } from '../../../i18n/language.ts'
import { useMessages } from '../../../i18n/messages.ts'
import type { FormField } from '../../../kit/form/Fields.tsx'
import { Tabs } from '../../../ui/controls/Tabs.tsx'
import { wholeNumber } from '../../../ui/controls/wholeNumber.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { Facts } from '../../../ui/data/Facts.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { Action, bySecond, reason } from '../../kit/Action.tsx'
import { useRead } from '../../kit/api.ts'
import { Above, Link, LogLink, usePathId } from '../../kit/links.tsx'
import { Loaded, MerchantBadge, RiskBadge, RowsCard, Two } from '../../kit/Rows.tsx'
import { inWords, StakesText, together } from '../../kit/Together.tsx'
import type { ConsoleRouter } from '../../routes.ts'
import { Payments, Payouts, Sessions } from './Activity.tsx'
import { AskForDocuments, MerchantFile, RiskReason } from './MerchantFile.tsx'

type Detail = OperatorData<'GET /api/operator/v1/merchants/:id'>
type Terms = Omit<OperatorBody<'PUT /api/operator/v1/merchants/:id/terms'>, 'reason'>

const terms = [
  'fee_bps',
  'withdraw_fee_bps',
  'withdraw_single_max',
  'withdraw_day_max',
  'withdraw_approval_above',
] as const

/** Whether a term is a fee, in hundredths of a percent; others are in USDT. */
const isFee = (name: keyof Terms) => name.endsWith('bps')

/** A value for each of the terms. */
const ofTerms = <T,>(value: (name: keyof Terms) => T) =>
  Object.fromEntries(terms.map(name => [name, value(name)])) as Record<keyof Terms, T>

const termText = (t: Messages<'operator'>, name: keyof Terms, value: number) => {
  if (isFee(name)) return percentText(value)
  return name.endsWith('above') && value === 0 ? t.neverAsked : `${formatCount(value, language.get())} USDT`
}

/** A term of a merchant in words; null is that of the installation. */
const termOf = (t: Messages<'operator'>, { standard }: Detail, name: keyof Terms, value: number | null) =>
  value === null ? t.standard(termText(t, name, standard[name])) : termText(t, name, value)

const audits: readonly number[] = [merchantStatus.primary_audit, merchantStatus.advanced_audit]
/** Whether an application waits for a decision or was refused. */
const isReviewed = ({ status }: Detail) => [...audits, merchantStatus.failed_audit].includes(status)

const parts = ['overview', 'payments', 'account'] as const
type Part = (typeof parts)[number]

export default function Merchant() {
  const id = usePathId()
  const { part = 'overview' } = useSearch<ConsoleRouter, '/merchants/$id'>({ from: '/merchants/$id' })
  const navigate = useNavigate()
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/merchants/:id', { params: { id } })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <Above to="/merchants">{t.menu.merchants}</Above>
          <PageHeader
            title={data.name || data.mchid}
            text={
              <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
                <MerchantBadge status={data.status} frozen={data.frozen} />
                <RiskBadge level={data.risk_level} />
                <span className="break-all">{data.email}</span>
              </span>
            }
            actions={<Actions merchant={data} />}
          />
          <Tabs<Part>
            label={t.parts}
            value={part}
            tabs={parts.map(value => ({ value, title: t.partNames[value] }))}
            onChange={chosen =>
              void navigate({
                to: '.',
                search: { part: chosen === 'overview' ? undefined : chosen } as never,
                replace: true,
              })
            }
          >
            <div className="grid grid-cols-1 items-start gap-4 pt-4 lg:grid-cols-2 *:min-w-0">
              {part === 'overview' && <Overview merchant={data} />}
              {part === 'payments' && (
                <>
                  <div className="flex min-w-0 flex-col gap-4">
                    <Payments id={data.mchid} />
                  </div>
                  <Payouts id={data.mchid} />
                </>
              )}
              {part === 'account' && (
                <>
                  <AccountLog merchant={data} />
                  <Sessions id={data.mchid} />
                </>
              )}
            </div>
          </Tabs>
        </>
      )}
    </Loaded>
  )
}

/** Who the merchant is, what holds for it and what it has. */
function Overview({ merchant }: { merchant: Detail }) {
  const t = useMessages('operator')
  return (
    <>
      <div className="flex min-w-0 flex-col gap-4">
        {isReviewed(merchant) && <MerchantFile merchant={merchant} />}
        <Card title={t.profile}>
          <Profile merchant={merchant} />
        </Card>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <RowsCard
          title={t.balances}
          columns={[
            { title: t.token, cell: row => <Two first={row.token} second={row.chain} /> },
            { title: t.available, align: 'end', cell: row => <Amount value={row.available} /> },
            { title: t.reserved, align: 'end', cell: row => <Amount value={row.held} /> },
          ]}
          read={readOf(merchant)}
          list="balances"
          by={['chain', 'token']}
          empty={t.noBalance}
        />
        <Card title={t.terms} actions={<ChangeTerms merchant={merchant} />}>
          <Facts rows={terms.map(name => [t.termNames[name], termOf(t, merchant, name, merchant[name])])} />
        </Card>
        {!isReviewed(merchant) && <MerchantFile merchant={merchant} />}
      </div>
    </>
  )
}

/** What was done in the account, newest first. */
function AccountLog({ merchant }: { merchant: Detail }) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.accountLog}
      columns={[
        { title: t.time, cell: row => <Time seconds={row.created_time} /> },
        { title: t.what, cell: row => <Two first={t.accountEvent(row)} second={row.subject} /> },
        {
          title: t.origin,
          cell: row => (
            <Two
              first={row.ip || t.byOperator}
              second={[row.outcome !== 'done' && t.outcomes[row.outcome], row.reason, row.device]
                .filter(Boolean)
                .join(' · ')}
            />
          ),
        },
      ]}
      read={readOf(merchant)}
      list="log"
      by={['created_time', 'type', 'subject']}
      empty={t.noLog}
    />
  )
}

/** What was read already, as tables take it. */
const readOf = (data: Detail) => ({ data, error: null, refetch: () => {} })

function Profile({ merchant: row }: { merchant: Detail }) {
  const t = useMessages('operator')
  const s = useMessages('support')
  const joined = (...parts: string[]) => parts.filter(Boolean).join(', ')
  return (
    <Facts
      rows={[
        [t.number, <CopyText key="n" look="whole" value={row.mchid} />],
        ...(row.frozen ? [[s.toldFrozen, row.frozen_reason || s.toldNothing] as const] : []),
        [t.auditReason, row.audit_reason],
        [
          t.risk,
          <span key="r">
            {row.risk_level ? t.risks[row.risk_level] : t.notJudged}
            <RiskReason merchant={row} />
          </span>,
        ],
        [t.authenticator, row.authenticator ? t.bound : t.notBound],
        ...(row.removal_asked_by.length > 0 ? [[t.removalAsked, joined(...row.removal_asked_by)] as const] : []),
        [t.website, row.website],
        [t.phone, row.phone],
        [t.address, joined(row.street, row.city, row.country)],
        [t.socials, joined(row.telegram, row.twitter, row.facebook)],
        [t.timeZone, row.time_zone],
        [
          t.menu.orders,
          <Link key="o" to="/orders" search={{ text: row.mchid }}>
            {t.showAll}
          </Link>,
        ],
        [t.menu.log, <LogLink key="l" text={row.mchid} />],
        [t.registered, <Time key="t" seconds={row.created_time} />],
      ]}
    />
  )
}

function Actions({ merchant }: { merchant: Detail }) {
  const t = useMessages('operator')
  const s = useMessages('support')
  const { pleaseSelect } = useMessages('common')
  const { status } = merchant
  const params = { id: merchant.mchid }
  const of = merchant.name || merchant.mchid
  const [why, words] = [reason(t.reason), inWords(t)]
  const inAudit = audits.includes(status)
  const review = 'POST /api/operator/v1/merchants/:id/review'
  return (
    <>
      {isReviewed(merchant) && (
        <Action
          call={review}
          params={params}
          of={of}
          label={t.approve}
          text={t.approveText}
          look="primary"
          body={() => ({ decision: 'approve', reason: '' })}
          done={t.approved}
        />
      )}
      {status === merchantStatus.primary_audit && (
        <Action
          call={review}
          params={params}
          of={of}
          label={t.advance}
          text={t.advanceText}
          body={() => ({ decision: 'advance', reason: '' })}
        />
      )}
      {inAudit && (
        <Action
          call={review}
          params={params}
          of={of}
          label={t.refuse}
          text={t.refuseText}
          look="danger"
          {...why}
          body={given => ({ decision: 'refuse', ...given })}
          done={t.refusedDone}
        />
      )}
      <Action
        call="PUT /api/operator/v1/merchants/:id/risk"
        params={params}
        of={of}
        label={t.risk}
        text={
          <StakesText call="PUT /api/operator/v1/merchants/:id/risk" id={merchant.mchid}>
            {t.riskText}
          </StakesText>
        }
        initial={{ risk_level: merchant.risk_level as (typeof riskLevels)[number], ...words.initial }}
        fields={[
          {
            ...{ name: 'risk_level', label: t.risk, kind: 'choice', required: true, placeholder: pleaseSelect },
            options: riskLevels.map(level => ({ value: level, label: t.risks[level] })),
          },
          ...words.fields,
        ]}
        done={t.recorded}
        result={bySecond(t)}
      />
      <AskForDocuments id={merchant.mchid} />
      {merchant.frozen ? (
        <Action
          call="POST /api/operator/v1/merchants/:id/unfreeze"
          params={params}
          of={of}
          label={t.unfreeze}
          text={
            <StakesText call="POST /api/operator/v1/merchants/:id/unfreeze" id={merchant.mchid}>
              {t.unfreezeText}
            </StakesText>
          }
          look="danger"
          {...together(t)}
        />
      ) : (
        <Action
          call="POST /api/operator/v1/merchants/:id/freeze"
          params={params}
          of={of}
          label={t.freeze}
          text={t.freezeText}
          look="danger"
          initial={{ ...why.initial, show_reason: false }}
          fields={[...why.fields, { name: 'show_reason', kind: 'switch', label: s.tellFrozen, hint: s.tellFrozenHint }]}
        />
      )}
      {merchant.held && (
        <Action
          call="POST /api/operator/v1/merchants/:id/lift-hold"
          params={params}
          of={of}
          label={t.liftHold}
          text={
            <StakesText call="POST /api/operator/v1/merchants/:id/lift-hold" id={merchant.mchid}>
              {t.liftHoldText}
            </StakesText>
          }
          look="danger"
          {...together(t)}
        />
      )}
      {merchant.authenticator && (
        <Action
          call="POST /api/operator/v1/merchants/:id/remove-authenticator"
          params={params}
          of={of}
          label={t.removeAuthenticator}
          text={t.removeAuthenticatorText}
          look="danger"
          {...why}
          done={t.recorded}
          result={bySecond(t)}
        />
      )}
    </>
  )
}

function ChangeTerms({ merchant }: { merchant: Detail }) {
  const t = useMessages('operator')
  const words = inWords(t)
  const field = (name: keyof Terms, hint: string | false) => {
    const number = { kind: 'whole', min: 0, max: limitMax }
    const percent = {
      inputMode: 'decimal',
      rule: (text: string) => {
        const fee = entered(name, text) ?? 0
        return !(fee <= feeBpsMax) && t.feeAllowed(feeBpsMax / 100)
      },
    }
    return {
      ...{ name, label: t.termNames[name], hint, optional: true },
      ...(isFee(name) ? percent : number),
    } as FormField<Record<keyof Terms | 'reason', string>>
  }
  const changeOf = (name: keyof Terms, text: string) => {
    const [from, to] = [merchant[name], entered(name, text)]
    if (Number.isNaN(to)) return false
    return from === to
      ? termOf(t, merchant, name, from)
      : `${termOf(t, merchant, name, from)} → ${termOf(t, merchant, name, to)}`
  }
  return (
    <Action
      call="PUT /api/operator/v1/merchants/:id/terms"
      params={{ id: merchant.mchid }}
      of={merchant.name || merchant.mchid}
      label={t.change}
      text={
        <StakesText call="PUT /api/operator/v1/merchants/:id/terms" id={merchant.mchid}>
          {t.termsText}
        </StakesText>
      }
      initial={{ ...ofTerms(name => textOf(name, merchant[name])), ...words.initial }}
      fields={values => [...terms.map(name => field(name, changeOf(name, values[name]))), ...words.fields]}
      body={values => ({ ...ofTerms(name => entered(name, values[name])), reason: values.reason })}
      done={t.recorded}
      result={bySecond(t)}
    />
  )
}

/** What was entered, null for nothing. What is no number cannot be sent. */
const entered = (name: keyof Terms, text: string): number | null =>
  text.trim() === '' ? null : ((isFee(name) ? basisPointsOf(text) : wholeNumber(text)) ?? Number.NaN)

/** A term as it is entered. */
const textOf = (name: keyof Terms, value: number | null) =>
  value === null ? '' : isFee(name) ? percentText(value).replace('%', '') : String(value)

const limitMax = 1_000_000_000
