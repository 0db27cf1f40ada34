import { z } from 'zod'
import { merchantStatus } from '../codes.ts'
import { feeBpsMax } from '../kit/basis-points.ts'
import { awaitsSecondOperator, idParams, reasonBody, substantiveReasonBody } from '../kit/operator-parts.ts'
import { editingRoles, financeRoles, readingRoles, supportRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import {
  codeFilter,
  decimalAmount,
  emptyObject,
  integerBetween,
  listOf,
  optionalText,
  paging,
  requiredText,
  unixSeconds,
} from '../kit/schemas.ts'
import { workOrderMessage } from '../work-orders/routes.ts'
import { merchantLogEntryTypes, merchantRecordFields } from './entries.ts'
import { riskLevels } from './risk-levels.ts'
import { type MerchantTermName, mapMerchantTerms, merchantLimitMax } from './terms.ts'

const riskLevel = z.enum(riskLevels)

const merchant = z.object({
  mchid: z.string(),
  email: z.string(),
  name: z.string(),
  status: z.int().describe('See merchantStatus'),
  risk_level: z.union([riskLevel, z.literal('')]),
  frozen: z.boolean(),
  created_time: unixSeconds,
})
const limit = integerBetween(0, merchantLimitMax).nullable()
/** Null: that of the installation. Fees are in hundredths of a percent, limits in whole USDT. */
const terms = {
  fee_bps: integerBetween(0, feeBpsMax).nullable(),
  withdraw_fee_bps: integerBetween(0, feeBpsMax).nullable(),
  withdraw_single_max: limit,
  withdraw_day_max: limit,
  withdraw_approval_above: limit,
} satisfies Record<MerchantTermName, z.ZodType>

export const merchantRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/merchants': {
    who: readingRoles,
    summary: 'Find merchants by number, email or name, newest first',
    query: z.strictObject({ ...paging, text: optionalText(100).optional(), status: codeFilter(merchantStatus) }),
    data: listOf(merchant),
  },
  'GET /api/operator/v1/merchants/:id': {
    who: readingRoles,
    summary: 'Read a merchant',
    params: idParams,
    data: merchant.extend({
      audit_reason: z.string(),
      website: z.string(),
      phone: z.string(),
      country: z.string(),
      city: z.string(),
      street: z.string(),
      telegram: z.string(),
      twitter: z.string(),
      facebook: z.string(),
      time_zone: z.string(),
      authenticator: z.boolean(),
      /** Who requested the removal of the authenticator, while a second operator is missing. */
      removal_asked_by: z.array(z.string()),
      /** Whether the merchant reported a foreign sign-in, which holds withdrawals. */
      held: z.boolean(),
      /** What a frozen merchant reads at the sign-in; empty: nothing. */
      frozen_reason: z.string(),
      /** What happened between operators and the merchant, newest first, at most 100. */
      entries: z.array(
        z.object({
          what: z.enum(merchantLogEntryTypes),
          /** Empty: the merchant, or nobody who was signed in. */
          who: z.string(),
          text: z.string(),
          /** What an application or a risk level changed. */
          changes: z.array(z.object({ fact: z.enum(merchantRecordFields), from: z.string(), to: z.string() })),
          /** The work order in which documents were requested. */
          work_order: z.string(),
          created_time: unixSeconds,
        }),
      ),
      ...terms,
      /** What holds where the merchant's own terms are null. */
      standard: z.object(mapMerchantTerms(() => z.int())),
      balances: z.array(
        z.object({ token: z.string(), chain: z.string(), available: decimalAmount, held: decimalAmount }),
      ),
      log: z.array(
        z.object({
          type: z.string(),
          outcome: z.enum(['done', 'refused']),
          reason: z.string(),
          subject: z.string(),
          ip: z.string(),
          device: z.string(),
          created_time: unixSeconds,
        }),
      ),
    }),
  },
  'POST /api/operator/v1/merchants/:id/review': {
    who: supportRoles,
    fresh: true,
    object: 'merchant',
    title: { en: 'Reviewed the application', 'zh-CN': '审核商户申请' },
    summary: 'Decide an opening: approve it, move it to the advanced audit, or refuse it with a reason',
    params: idParams,
    body: z.strictObject({ decision: z.enum(['approve', 'advance', 'refuse']), reason: optionalText(200) }),
    data: emptyObject,
  },
  'POST /api/operator/v1/merchants/:id/note': {
    who: editingRoles,
    object: 'merchant',
    title: { en: 'Added a note about the merchant', 'zh-CN': '添加商户备注' },
    summary: 'Add a note about a merchant, for operators',
    params: idParams,
    body: z.strictObject({ text: requiredText(1_000) }),
    data: emptyObject,
  },
  'POST /api/operator/v1/merchants/:id/documents': {
    who: supportRoles,
    object: 'merchant',
    title: { en: 'Requested documents', 'zh-CN': '要求补充资料' },
    summary: 'Ask a merchant for documents, in a work order that its mail and notification open',
    params: idParams,
    body: z.strictObject({ text: workOrderMessage }),
    data: z.object({ number: z.string() }),
  },
  'PUT /api/operator/v1/merchants/:id/risk': {
    who: supportRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Change the risk level of {of}', 'zh-CN': '修改 {of} 的风险等级' },
    object: 'merchant',
    title: { en: 'Set the risk level', 'zh-CN': '设置风险等级' },
    summary: 'Set the risk level; withdrawals wait for approval while it is fail or abnormal',
    params: idParams,
    body: substantiveReasonBody.extend({ risk_level: riskLevel }),
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/merchants/:id/freeze': {
    who: supportRoles,
    fresh: true,
    object: 'merchant',
    title: { en: 'Froze the merchant', 'zh-CN': '冻结商户' },
    summary: 'Freeze an account: sessions, keys and sign-ins stop; `show_reason` lets the merchant read the reason',
    params: idParams,
    body: reasonBody.extend({ show_reason: z.boolean().optional() }),
    data: emptyObject,
  },
  'POST /api/operator/v1/merchants/:id/unfreeze': {
    who: supportRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Unfreeze {of}', 'zh-CN': '解冻 {of}' },
    object: 'merchant',
    title: { en: 'Unfroze the merchant', 'zh-CN': '解冻商户' },
    summary: 'Lift a freeze',
    params: idParams,
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
  'PUT /api/operator/v1/merchants/:id/terms': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Change the terms of {of}', 'zh-CN': '修改 {of} 的费率与限额' },
    object: 'merchant',
    title: { en: 'Changed fees and limits', 'zh-CN': '修改费率与限额' },
    summary:
      'Set fees and limits of a merchant; null for those of the installation; raised limits above a limit take two operators',
    params: idParams,
    body: substantiveReasonBody.extend(terms),
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/merchants/:id/remove-authenticator': {
    who: supportRoles,
    fresh: true,
    second: 'always',
    object: 'merchant',
    title: { en: 'Removal of the authenticator', 'zh-CN': '解绑身份验证器' },
    summary: 'Remove a lost authenticator; takes two operators',
    params: idParams,
    body: reasonBody,
    data: z.object({ waits: z.boolean() }),
  },
  'POST /api/operator/v1/merchants/:id/cancel-removal': {
    who: supportRoles,
    fresh: true,
    object: 'merchant',
    title: { en: 'Canceled the removal of the authenticator', 'zh-CN': '取消解绑身份验证器' },
    summary: 'Cancel the removal of an authenticator',
    params: idParams,
    data: emptyObject,
  },
  'POST /api/operator/v1/merchants/:id/lift-hold': {
    who: supportRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Lift the hold of {of}', 'zh-CN': '解除 {of} 的提现暂停' },
    object: 'merchant',
    title: { en: 'Lifted the hold', 'zh-CN': '解除提现暂停' },
    summary: 'Allow withdrawals after a reported sign-in; verify who asks first',
    params: idParams,
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
})
