import { merchantStatus, withdrawalStatus } from '@coffer/contract/codes.ts'
import type { AlertName } from '@coffer/contract/events.ts'
import { isUrgent } from '@coffer/contract/incidents/steps.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import { type AlertKind, formatDecisionObject, formatDecisionQuestion } from '@coffer/contract/operator/names.ts'
import type { Deps } from '../../deps.ts'
import { readOptionalChainAssets } from '../chains/assets.ts'
import { readAuthenticatorRemoval } from '../identity/factors/remove-authenticator.ts'
import { quoteMerchantName } from '../merchants/mails.ts'
import { merchantByMchid } from '../merchants/store.ts'
import { findOpenDecision } from '../operators/decide-together.ts'
import { readAnyRefund } from '../refunds/store.ts'
import { readAnyWithdrawal } from '../withdrawals/list.ts'
import { type OperatorAlert, renderIncidentTexts, renderInLanguages, toEndedAlert } from './alert-mails.ts'
import { chainName } from './chain-name.ts'
import { readIncidentFacts } from './incident-facts.ts'
import { readIncidentEntries, readIncidentParts } from './incident-store.ts'

const { auditing, abnormal } = withdrawalStatus
const { primary_audit, advanced_audit } = merchantStatus

type Maker = (deps: Deps, object: string) => Promise<OperatorAlert | undefined>

const labels = {
  merchant: { en: 'Merchant', 'zh-CN': '商户' },
  amount: { en: 'Amount', 'zh-CN': '金额' },
  stake: { en: 'At stake', 'zh-CN': '涉及金额' },
  askedBy: { en: 'Requested by', 'zh-CN': '申请人' },
  reason: { en: 'Reason', 'zh-CN': '原因' },
}

interface Decision {
  /** The page below the URL of the console. */
  page: string
  what: Record<Language, string>
  /** Stands in the subject, such as an amount. */
  short: string
  facts: readonly (readonly [keyof typeof labels, string])[]
}

/** Returns the alert about something that a person has to decide. */
const decision = ({ config }: Deps, { page, what, short, facts }: Decision): OperatorAlert => ({
  urgent: false,
  link: `${config.operatorUrl}${page}`,
  texts: renderInLanguages(language => ({
    subject: short ? `${what[language]} (${short})` : what[language],
    lines: [
      what[language],
      ...facts.flatMap(([name, value]) => (value ? [`${labels[name][language]}: ${value}`] : [])),
    ],
  })),
})

/** A merchant's name as no line, link or words of ours: anybody may have registered. Empty if there is none. */
const quoted = (name: string) => name.trim() && quoteMerchantName({ name, email: '' })

const named = ({ name, mchid }: { name: string; mchid: string }) => (name.trim() ? `${quoted(name)} (${mchid})` : mchid)

interface Payout {
  mchid: string
  name: string
  token: string
  decimals: number
  chain: string
}

function payout(
  deps: Deps,
  of: Payout & { amount: bigint },
  page: string,
  what: Record<Language, string>,
): OperatorAlert {
  const amount = `${formatDecimal(of.amount, of.decimals)} ${of.token}`
  const facts = [['amount', `${amount}, ${of.chain}`] as const, ['merchant', named(of)] as const]
  return decision(deps, { page, what, short: amount, facts })
}

type Parts = Awaited<ReturnType<typeof readIncidentParts>>

async function incidentAlert(deps: Deps, id: string, parts: Parts): Promise<OperatorAlert | undefined> {
  const [lead] = parts
  if (!lead) return undefined
  const facts = await readIncidentFacts(deps, lead, await readOptionalChainAssets(deps.pool, lead.chain_id))
  return {
    urgent: parts.some(each => isUrgent(each.kind)),
    link: `${deps.config.operatorUrl}/incidents/${encodeURIComponent(id)}`,
    texts: renderIncidentTexts({ kind: lead.kind, chain: chainName(deps, lead.chain_id), facts }),
  }
}

/** Returns the alert that says that an incident is over; undefined while it is not. */
async function makeEndAlert(deps: Deps, id: string): Promise<OperatorAlert | undefined> {
  const parts = await readIncidentParts(deps.pool, id)
  if (parts.some(each => each.resolved_at === 0)) return undefined
  const closed = (await readIncidentEntries(deps.pool, id)).findLast(each => each.what === 'closed')
  const alert = await incidentAlert(deps, id, parts)
  return alert && toEndedAlert(alert, closed)
}

/** What an alert is about. */
export const kindOfAlert = (name: AlertName): AlertKind =>
  name === 'alert_incident_ended' ? 'incident' : (name.slice('alert_'.length) as AlertKind)

/** How each alert is made; undefined once nobody has to act on it. */
export const alertMakers: Record<AlertName, Maker> = {
  alert_incident_ended: makeEndAlert,
  async alert_incident(deps, id) {
    const parts = await readIncidentParts(deps.pool, id)
    return parts.every(each => each.resolved_at !== 0) ? undefined : incidentAlert(deps, id, parts)
  },
  async alert_withdrawal(deps, id) {
    const found = await readAnyWithdrawal(deps.pool, id)
    if (!found || (found.status !== auditing && found.status !== abnormal)) return undefined
    const what = { en: 'A withdrawal needs a decision', 'zh-CN': '有提现待审核' }
    return payout(deps, { ...found, chain: found.definition.name }, `/withdrawals/${id}`, what)
  },
  async alert_refund(deps, id) {
    const found = await readAnyRefund(deps.pool, id)
    if (found?.status !== abnormal) return undefined
    const { token, decimals, definition } = found
    const what = { en: 'A refund needs a decision', 'zh-CN': '有退款待处理' }
    const of = { ...found, token: token ?? '', decimals: decimals ?? 0, chain: definition?.name ?? '' }
    return payout(deps, { ...of, amount: found.receives }, `/refunds/${id}`, what)
  },
  async alert_opening(deps, mchid) {
    const found = await merchantByMchid(deps.pool, mchid)
    if (found?.status !== primary_audit && found?.status !== advanced_audit) return undefined
    const what = { en: 'A merchant has requested permission', 'zh-CN': '有商户申请开通' }
    const facts = [['merchant', named(found)] as const]
    return decision(deps, { page: `/merchants/${mchid}`, what, short: quoted(found.name), facts })
  },
  async alert_removal(deps, mchid) {
    const found = await merchantByMchid(deps.pool, mchid)
    const pending = found && (await readAuthenticatorRemoval(deps.pool, found.id))
    if (!pending || pending.confirmed_by !== null) return undefined
    const what = {
      en: 'The removal of an authenticator needs a second person',
      'zh-CN': '解绑身份验证器待双人复核',
    }
    const facts = [['merchant', named(found)] as const, ['askedBy', pending.requested_by] as const]
    return decision(deps, { page: `/merchants/${mchid}`, what, short: quoted(found.name), facts })
  },
  async alert_decision(deps, object) {
    const found = await findOpenDecision(deps, object)
    if (!found) return undefined
    const { call, value, who, reason } = found
    const stake = value && `${value} USDT`
    const { question } = operatorRoutes[call]
    const about = { ...found, merchant: quoted(found.merchant) }
    const name = renderInLanguages(language => ({
      subject: formatDecisionQuestion(question[language], formatDecisionObject(about, language)),
      lines: [],
    }))
    const what = {
      en: `${name.en.subject}: needs a second person`,
      'zh-CN': `待双人复核：${name['zh-CN'].subject}`,
    }
    const facts = [['stake', stake] as const, ['askedBy', who] as const, ['reason', reason] as const]
    return decision(deps, { page: '/', what, short: stake, facts })
  },
}
