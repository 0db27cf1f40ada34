import { errors } from '@coffer/contract/errors.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { subjectText } from '@coffer/contract/labels/account-event.ts'
import { accountEventLabels } from '@coffer/contract/labels.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { pickMerchantTerms } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { auditPage } from '../../kit/audit.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import {
  cancelAuthenticatorRemoval,
  confirmAuthenticatorRemoval,
  readAuthenticatorRemoval,
  requestAuthenticatorRemoval,
} from '../identity/factors/remove-authenticator.ts'
import { readBalances } from '../ledger/store.ts'
import { findMerchants, type Merchant, merchantByMchid } from '../merchants/store.ts'
import { getStandardTerms } from '../merchants/terms.ts'
import { freezeMerchant } from '../onboarding/freeze-merchant.ts'
import { addMerchantNote, askForDocuments, readMerchantFile } from '../onboarding/merchant-file.ts'
import { advanceMerchantReview, approveMerchant, refuseMerchant } from '../onboarding/review-merchant.ts'
import { defineConsoleHandlers } from './context.ts'

/** Returns a merchant by its number. Throws Refusal('merchant_not_exist'). */
export async function requireMerchant({ pool }: Pick<Deps, 'pool'>, mchid: string): Promise<Merchant> {
  const merchant = await merchantByMchid(pool, mchid.toUpperCase())
  if (!merchant) throw new Refusal('merchant_not_exist')
  return merchant
}

const present = ({ mchid, email, name, status, risk_level, frozen, created_at }: Merchant) => ({
  mchid,
  email,
  name,
  status,
  risk_level,
  frozen,
  created_time: created_at,
})

/** Entries of the merchant's log that its page shows. */
const logLength = 20

async function detail(deps: Deps, merchant: Merchant, language: Language) {
  const { pool } = deps
  const { address, socials } = merchant
  const [balances, log, removal, entries] = await Promise.all([
    readBalances(pool, merchant.id),
    auditPage(pool, merchant.id, { limit: logLength, offset: 0 }),
    readAuthenticatorRemoval(pool, merchant.id),
    readMerchantFile(pool, merchant.id),
  ])
  return {
    ...present(merchant),
    audit_reason: merchant.audit_reason,
    website: merchant.website,
    phone: merchant.phone && `+${merchant.area_code} ${merchant.phone}`,
    country: address.country ?? '',
    city: address.city ?? '',
    street: address.street ?? '',
    telegram: socials.telegram ?? '',
    twitter: socials.twitter ?? '',
    facebook: socials.facebook ?? '',
    time_zone: merchant.time_zone,
    authenticator: merchant.authenticator_secret !== null,
    held: merchant.held_at > 0,
    frozen_reason: merchant.frozen_reason,
    entries,
    removal_asked_by: [removal?.requested_by, removal?.confirmed_by].filter(who => who != null),
    ...pickMerchantTerms(merchant),
    standard: getStandardTerms(deps),
    balances: balances.map(({ token, chain, available, held, decimals }) => ({
      token,
      chain,
      available: formatDecimal(available, decimals),
      held: formatDecimal(held, decimals),
    })),
    log: log.map(({ type, outcome, reason, subject, ip, device, created_at }) => ({
      type,
      outcome,
      reason: reason && errors[reason][language],
      subject: subjectText(accountEventLabels[language], { type, subject }),
      ip,
      device,
      created_time: created_at,
    })),
  }
}

export const merchantHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/merchants': ({ deps, query }) =>
    pageAnswer(findMerchants(deps.pool, null, query, pageOf(query)), present),

  'GET /api/operator/v1/merchants/:id': async ({ deps, params, language }) =>
    detail(deps, await requireMerchant(deps, params.id), language),

  'POST /api/operator/v1/merchants/:id/review': async ({ deps, params, body, operator: { email: who } }) => {
    const { id: merchantId } = await requireMerchant(deps, params.id)
    const { decision, reason } = body
    if (decision === 'approve') await approveMerchant(deps, { merchantId, who })
    else if (decision === 'advance') await advanceMerchantReview(deps, { merchantId, who })
    else if (reason.trim() === '') throw new Refusal('text_needed', { field: 'reason' })
    else await refuseMerchant(deps, { merchantId, who, reason })
    return {}
  },

  'POST /api/operator/v1/merchants/:id/note': async ({ deps, params, body, operator }) =>
    toEmptyAnswer(
      addMerchantNote(deps, { merchantId: (await requireMerchant(deps, params.id)).id, who: operator.email, ...body }),
    ),

  'POST /api/operator/v1/merchants/:id/documents': async ({ deps, params, body, operator }) => ({
    number: await askForDocuments(deps, {
      merchantId: (await requireMerchant(deps, params.id)).id,
      who: operator.email,
      ...body,
    }),
  }),

  'POST /api/operator/v1/merchants/:id/freeze': async ({ deps, params, body, operator: { email: who } }) =>
    toEmptyAnswer(freezeMerchant(deps, { merchantId: (await requireMerchant(deps, params.id)).id, who, ...body })),

  'POST /api/operator/v1/merchants/:id/remove-authenticator': async ({ deps, params, operator }) => {
    const requested = { merchantId: (await requireMerchant(deps, params.id)).id, by: operator }
    const pending = await readAuthenticatorRemoval(deps.pool, requested.merchantId)
    await (pending ? confirmAuthenticatorRemoval(deps, requested) : requestAuthenticatorRemoval(deps, requested))
    return { waits: !pending }
  },

  'POST /api/operator/v1/merchants/:id/cancel-removal': async ({ deps, params, operator }) =>
    toEmptyAnswer(
      cancelAuthenticatorRemoval(deps, { merchantId: (await requireMerchant(deps, params.id)).id, by: operator }),
    ),
})
