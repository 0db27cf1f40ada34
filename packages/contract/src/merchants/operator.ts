import { z } from 'zod'
import { workOrderLimits } from '../codes/work-orders.ts'
import { merchantStatus } from '../codes.ts'
import { feeBpsMax } from '../kit/basis-points.ts'
import { awaitsSecondOperator, idParams, labelled, reasonBody, substantiveReasonBody } from '../kit/operator-parts.ts'
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
    replica: true,
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
    dialog: {
      button: { en: 'Approve', 'zh-CN': '通过' },
      text: {
        en: 'The merchant can then receive payments and is notified by email. One person decides; the advanced audit is for requests that need a closer look.',
        'zh-CN': '通过后商户即可收款，系统会发送邮件通知。由一人审核即可；需要进一步核实的申请可先转入高级审核。',
      },
      done: { en: 'Approved', 'zh-CN': '已通过' },
      look: 'primary',
    },
    title: { en: 'Reviewed the application', 'zh-CN': '审核商户申请' },
    summary: 'Decide an opening: approve it, move it to the advanced audit, or refuse it with a reason',
    params: idParams,
    body: z.strictObject({
      decision: z.enum(['approve', 'advance', 'refuse']),
      reason: labelled(optionalText(200), { label: { en: 'Reason', 'zh-CN': '原因' } }),
    }),
    data: emptyObject,
  },
  'POST /api/operator/v1/merchants/:id/note': {
    who: editingRoles,
    object: 'merchant',
    dialog: {
      button: { en: 'Add note', 'zh-CN': '添加备注' },
      text: {
        en: 'Only operators see it, not the merchant. It is kept with your name.',
        'zh-CN': '仅运营人员可见，商户看不到。备注会署您的名字并保留。',
      },
    },
    title: { en: 'Added a note about the merchant', 'zh-CN': '添加商户备注' },
    summary: 'Add a note about a merchant, for operators',
    params: idParams,
    body: z.strictObject({ text: labelled(requiredText(1_000), { label: { en: 'Note', 'zh-CN': '备注' } }) }),
    data: emptyObject,
  },
  'POST /api/operator/v1/merchants/:id/documents': {
    who: supportRoles,
    object: 'merchant',
    dialog: {
      button: { en: 'Request documents', 'zh-CN': '要求补充资料' },
      text: {
        en: 'The merchant gets a work order with your question by email and notification, and answers with text and pictures.',
        'zh-CN': '商户将通过邮件和通知收到一张包含您问题的工单，并以文字和图片回复。',
      },
      done: { en: 'The merchant was asked', 'zh-CN': '已通知商户' },
    },
    title: { en: 'Requested documents', 'zh-CN': '要求补充资料' },
    summary: 'Ask a merchant for documents, in a work order that its mail and notification open',
    params: idParams,
    body: z.strictObject({
      text: labelled(workOrderMessage, {
        label: { en: 'Which documents, and what they must show', 'zh-CN': '需要哪些资料、资料须说明什么' },
        rows: 5,
        max: workOrderLimits.text,
      }),
    }),
    data: z.object({ number: z.string() }),
  },
  'PUT /api/operator/v1/merchants/:id/risk': {
    who: supportRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Change the risk level of {of}', 'zh-CN': '修改 {of} 的风险等级' },
    object: 'merchant',
    dialog: {
      button: { en: 'Set risk level', 'zh-CN': '设置风险等级' },
      text: {
        en: 'While the level is fail or abnormal, every withdrawal waits for an operator. The merchant does not see it.',
        'zh-CN': '等级为不合格或异常时，每笔提现均需运营人员审核。商户看不到此等级。',
      },
    },
    title: { en: 'Set the risk level', 'zh-CN': '设置风险等级' },
    command: {
      name: 'merchant risk',
      done: '{object} is evaluated anew.',
    },
    summary: 'Set the risk level; withdrawals wait for approval while it is fail or abnormal',
    params: idParams,
    body: z.strictObject({
      risk_level: labelled(riskLevel, { label: { en: 'Risk level', 'zh-CN': '风险等级' } }),
      ...substantiveReasonBody.shape,
    }),
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/merchants/:id/freeze': {
    who: supportRoles,
    fresh: true,
    object: 'merchant',
    dialog: {
      button: { en: 'Freeze', 'zh-CN': '冻结' },
      text: {
        en: 'All sessions end, API keys and sign-ins stop, and withdrawals are not sent. Deposits are still credited. The merchant is notified by email.',
        'zh-CN': '将结束全部会话，停用 API 密钥和登录，提现不再发送；充值仍会入账。商户会收到邮件。',
      },
      look: 'danger',
    },
    title: { en: 'Froze the merchant', 'zh-CN': '冻结商户' },
    command: {
      name: 'merchant freeze',
      reason: 'operator',
      done: '{object} is frozen.',
    },
    summary: 'Freeze an account: sessions, keys and sign-ins stop; `show_reason` lets the merchant read the reason',
    params: idParams,
    body: reasonBody.extend({
      show_reason: labelled(z.boolean().optional(), {
        label: { en: 'Show the reason to the merchant', 'zh-CN': '向商户展示原因' },
        hint: {
          en: 'In the email, on open pages and at sign-in. Leave it off where the law or an investigation forbids it.',
          'zh-CN': '展示在邮件、已打开的页面和登录页。法律或调查要求保密时请勿开启。',
        },
      }),
    }),
    data: emptyObject,
  },
  'POST /api/operator/v1/merchants/:id/unfreeze': {
    who: supportRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Unfreeze {of}', 'zh-CN': '解冻 {of}' },
    object: 'merchant',
    dialog: {
      button: { en: 'Unfreeze', 'zh-CN': '解冻' },
      text: {
        en: 'API keys work again, and the merchant can sign in again. The merchant is notified by email.',
        'zh-CN': 'API 密钥恢复可用，商户可重新登录，并会收到邮件。',
      },
      look: 'danger',
    },
    title: { en: 'Unfroze the merchant', 'zh-CN': '解冻商户' },
    command: {
      name: 'merchant unfreeze',
      done: '{object} is no longer frozen.',
      asks: 'Let {object} sign in and withdraw again?',
    },
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
    dialog: {
      button: { en: 'Change', 'zh-CN': '修改' },
      text: {
        en: 'Empty fields use the server’s default. New fees apply to payments first credited, and withdrawals requested, from now on.',
        'zh-CN': '留空则使用本服务的默认值。新费率仅适用于此后首次入账的收款和此后申请的提现。',
      },
    },
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
    dialog: {
      button: { en: 'Remove authenticator', 'zh-CN': '解绑身份验证器' },
      text: {
        en: 'Verify the merchant’s identity first. Another operator must do the same; the removal takes effect 24 hours later. The merchant is notified by email and can object.',
        'zh-CN': '请先核实申请人身份。需另一位运营人员执行相同操作，24 小时后解绑。商户会收到邮件并可提出异议。',
      },
      look: 'danger',
    },
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
    dialog: null,
    title: { en: 'Canceled the removal of the authenticator', 'zh-CN': '取消解绑身份验证器' },
    command: {
      name: 'merchant cancel-removal',
      done: '{object} is to keep its authenticator.',
    },
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
    dialog: {
      button: { en: 'Lift hold', 'zh-CN': '解除提现暂停' },
      text: {
        en: 'The merchant reported that somebody else used the account. Verify the merchant’s identity first: payments from the account are possible again at once.',
        'zh-CN': '该商户曾报告非本人登录。请先核实申请人身份，解除后可立即提现、退款和划转。',
      },
      look: 'danger',
    },
    title: { en: 'Lifted the hold', 'zh-CN': '解除提现暂停' },
    command: {
      name: 'merchant lift-hold',
      done: '{object} is free to withdraw.',
      asks: 'Did you verify that it is {object} who asks?',
    },
    summary: 'Allow withdrawals after a reported sign-in; verify who asks first',
    params: idParams,
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
})
