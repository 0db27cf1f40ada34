import { z } from 'zod'
import { idParams, labelled, operatorName, substantiveReasonBody } from '../kit/operator-parts.ts'
import { editingRoles, financeRoles, readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { decimalAmount, emptyObject, listOf, optionalText, paging, requiredText, unixSeconds } from '../kit/schemas.ts'
import { incidentSteps } from './steps.ts'

const steps = [...new Set(Object.values(incidentSteps).flat())]

const row = z.object({
  id: z.string(),
  kind: z.string(),
  chain: z.string(),
  chain_name: z.string(),
  created_time: unixSeconds,
  /** 0 while it is open. */
  closed_time: unixSeconds,
  /** Who is on it; empty: nobody. */
  who: z.string(),
  /** Kinds of what has the same cause. */
  with: z.array(z.string()),
  notes: z.int(),
})

/** What an incident found, by the name of the fact; amounts have a unit. */
const fact = z.object({
  name: z.enum([
    ...(['missing', 'ledger', 'found', 'reserved', 'more', 'addresses', 'wallet', 'nonce', 'reason', 'lacks'] as const),
    ...([
      'block',
      'range',
      'deposits',
      'transactions',
      'changes',
      'txid',
      'to',
      'treasury',
      'amount',
      'token',
      'logged',
      'received',
    ] as const),
    ...(['entries', 'payout', 'queued', 'node', 'was', 'callbacks', 'agreed', 'issuer', 'waiting', 'now'] as const),
    ...(['messages', 'receiver'] as const),
  ]),
  value: z.string(),
  unit: z.string(),
})

/** Incidents as pages: one per cause. */
/** A deposit that an incident concerns, and where it is. */
const deposit = {
  id: z.string(),
  mchid: z.string(),
  merchant: z.string(),
  trade_no: z.string(),
  out_trade_no: z.string(),
  title: z.string().describe('What was sold by a payment link or at the counter; empty for others'),
  amount: decimalAmount,
  token: z.string(),
  txid: z.string(),
  explorer: z.string(),
  block: z.int(),
}

export const incidentRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/incidents': {
    who: readingRoles,
    summary: 'List incidents, one per cause, newest first; also closed ones',
    query: z.strictObject({
      ...paging,
      state: z.enum(['open', 'closed']).optional(),
      text: optionalText(100).optional().describe('Part of the id, the kind, the network, what was found, or a note'),
    }),
    data: listOf(row),
  },
  'GET /api/operator/v1/incidents/:id': {
    who: readingRoles,
    summary: 'Read an incident with all that has the same cause: facts, what it stops, steps, who is on it, history',
    params: idParams,
    data: row.extend({
      parts: z.array(
        z.object({
          id: z.string(),
          kind: z.string(),
          created_time: unixSeconds,
          closed_time: unixSeconds,
          asset_id: z.string(),
          deposit_id: z.string(),
          facts: z.array(fact),
        }),
      ),
      /** What stands still by it now. */
      stops: z.array(z.object({ what: z.enum(['withdrawals', 'wallet', 'chain', 'token', 'behind']), of: z.string() })),
      steps: z.array(z.object({ step: z.enum(steps), who: z.string(), done_time: unixSeconds })),
      history: z.array(
        z.object({
          what: z.enum(['took', 'noted', 'ticked', 'unticked', 'closed', 'ended', 'changed']),
          who: z.string(),
          text: z.string(),
          created_time: unixSeconds,
        }),
      ),
      /** Whether it is closed here; others end with what is decided. */
      closes: z.boolean(),
      /**
       * The final block from which on reading again shows, or mends, what it found, and whether a preview has shown it;
       * null if unknown.
       */
      reread: z.object({ block: z.int(), apply: z.boolean() }).nullable(),
      now: unixSeconds,
    }),
  },
  'GET /api/operator/v1/incidents/:id/deposits': {
    who: readingRoles,
    summary:
      'Read the deposits that an incident left in doubt, and whether their transactions stand on the network now',
    params: idParams,
    data: z.object({
      list: z.array(
        z.object({
          ...deposit,
          state: z.enum(['doubted', 'undone', 'restored']),
          /** `unknown` while no quorum answers in time. */
          stands: z.enum(['yes', 'no', 'unknown']),
          /** What the merchant has of the token; an undo takes from it. */
          available: decimalAmount,
          /** Whether that is less than was credited: an undo is refused. */
          spent: z.boolean(),
          /** An unfinished request of an operator to undo it. */
          asked: z.array(operatorName),
        }),
      ),
    }),
  },
  'GET /api/operator/v1/incidents/:id/waiting': {
    who: readingRoles,
    summary: 'Read the deposits of a token that is not accepted which wait to be credited or given back',
    params: idParams,
    data: z.object({
      list: z.array(
        z.object({
          ...deposit,
          /** Who sent it; empty where it is not known, so that it cannot be given back. */
          from: z.string(),
          seen_time: unixSeconds,
          /** An unfinished decision, and who requested it. */
          asked: z.array(z.object({ what: z.enum(['credit', 'return']), who: z.array(operatorName) })),
        }),
      ),
    }),
  },
  'POST /api/operator/v1/incidents/:id/take': {
    who: editingRoles,
    object: 'incident',
    dialog: {
      button: { en: 'Assign to me', 'zh-CN': '由我处理' },
      text: {
        en: 'Others see that you work on this incident. Whoever takes it later replaces you.',
        'zh-CN': '其他运营人员会看到您正在处理此异常；之后接手的人将替代您。',
      },
      done: { en: 'Recorded', 'zh-CN': '已记录' },
      look: 'primary',
    },
    title: { en: 'Assigned to self', 'zh-CN': '认领异常' },
    summary: 'Say that you are on an incident',
    params: idParams,
    data: emptyObject,
  },
  'POST /api/operator/v1/incidents/:id/tick': {
    who: editingRoles,
    object: 'incident',
    dialog: null,
    title: { en: 'Checked off a step of the incident', 'zh-CN': '完成异常处理步骤' },
    summary: 'Mark a step of an incident as done, or not',
    params: idParams,
    body: z.strictObject({ step: z.enum(steps), done: z.boolean() }),
    data: emptyObject,
  },
  'POST /api/operator/v1/incidents/:id/note': {
    who: editingRoles,
    object: 'incident',
    dialog: {
      button: { en: 'Add note', 'zh-CN': '添加备注' },
      text: null,
    },
    title: { en: 'Added a note to the incident', 'zh-CN': '添加异常备注' },
    summary: 'Write a note for other operators',
    params: idParams,
    body: z.strictObject({
      text: labelled(requiredText(1_000), {
        label: { en: 'Note for other operators', 'zh-CN': '给其他运营人员的备注' },
      }),
    }),
    data: emptyObject,
  },
  'POST /api/operator/v1/incidents/:id/close': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Close the incident “{of}”', 'zh-CN': '关闭异常“{of}”' },
    object: 'incident',
    dialog: {
      button: { en: 'Close incident', 'zh-CN': '关闭异常' },
      text: {
        en: 'The incident leaves the list with all that has the same cause. A difference that persists is reported again within ten minutes.',
        'zh-CN': '该异常及同一原因的其他异常将一并关闭。若差异仍存在，十分钟内会再次报告。',
      },
    },
    title: { en: 'Closed the incident', 'zh-CN': '关闭异常' },
    command: {
      name: 'incident close',
      help: 'close an incident and what has the same cause; a difference that persists is reported again',
      done: 'Incident {id} is closed.',
      asks: 'Close the incident {object}? What it stopped is resumed by a command of its own.',
      failure: 'There is no open incident with this id. A halted chain is resumed with "chain resume".',
    },
    summary: 'Close an incident and what has the same cause',
    params: idParams,
    body: z.strictObject({
      reason: labelled(substantiveReasonBody.shape.reason, {
        label: { en: 'What was found and done', 'zh-CN': '查明的原因和处理方式' },
        isSubstantive: true,
        max: 200,
      }),
    }),
    data: z.object({ waits: z.boolean() }),
  },
})
