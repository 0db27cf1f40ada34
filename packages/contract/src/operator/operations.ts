import { z } from 'zod'
import { awaitsSecondOperator, idParams, reasonBody, substantiveReasonBody } from '../kit/operator-parts.ts'
import { financeRoles, readingRoles, supportRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { amount, decimalAmount, emptyObject, integerBetween, unixSeconds } from '../kit/schemas.ts'

export const pausableQueues = ['withdrawals', 'callbacks', 'sweeps'] as const

const incident = z.object({
  id: z.string(),
  kind: z.string(),
  chain: z.string(),
  detail: z.record(z.string(), z.unknown()),
  created_time: unixSeconds,
})
const node = z.object({ chain: z.string(), host: z.string(), failures: z.int(), time: unixSeconds, reason: z.string() })
const pause = z.object({ reason: z.string(), since: unixSeconds }).nullable()
const liquidity = z.object({
  chain: z.string(),
  chain_id: z.string(),
  address: z.string(),
  token: z.string(),
  /** On the hot wallet; empty while no node answers. */
  balance: decimalAmount,
  /** Held for withdrawals and refunds that are not final. */
  reserved: decimalAmount,
  /** Available to merchants. */
  owed: decimalAmount,
  /** Credited and still on deposit addresses. */
  unswept: decimalAmount,
  /**
   * Credited, on deposit addresses that the issuer of the token blocks: it cannot be moved, and counts for nothing
   * here.
   */
  blocked: decimalAmount,
  /** What wallet, treasury and deposit addresses hold, in USDT by the last price. */
  value_usdt: decimalAmount,
  /** On the treasury; empty where there is none, or no node answers. */
  treasury: decimalAmount,
  /** What the treasury has of what the hot wallet lacks for what is reserved; 0 if nothing. */
  from_treasury: decimalAmount,
  /**
   * `missing`: the last comparison found less than the ledger has; `uncovered`: wallet, treasury and deposit addresses
   * hold less than is available to merchants; `short`: the wallet holds less than is reserved; `unknown`: not compared
   * lately.
   */
  state: z.enum(['covered', 'short', 'uncovered', 'missing', 'unknown']),
})
const ofAsset = { asset_id: z.string(), chain_id: z.string(), chain: z.string(), token: z.string() }
/** A decision about a deposit holds for the amount that it was taken for. */
const ofAmount = substantiveReasonBody.extend({
  amount: amount.optional().describe('The amount as it was shown: refused if the deposit has another one now'),
})

/** Chains, nodes, deposits, tokens and queues, and what needs a person today. */
export const operationRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/today': {
    who: readingRoles,
    summary: 'Read what needs a person, and money in and out since midnight UTC',
    data: z.object({
      openings: z.int(),
      withdrawals: z.int(),
      withdrawals_usdt: decimalAmount,
      /** Of the oldest; 0 if there is none. */
      withdrawals_since: unixSeconds,
      /** Refunds that are in doubt. */
      refunds: z.int(),
      refunds_usdt: decimalAmount,
      refunds_since: unixSeconds,
      work_orders: z.int(),
      work_orders_since: unixSeconds,
      second_approvals: z.int(),
      incidents: z.int(),
      incidents_since: unixSeconds,
      /** The newest of them; the amount is empty where there is none. */
      open: z.array(
        z.object({
          id: z.string(),
          kind: z.string(),
          chain: z.string(),
          since: unixSeconds,
          /** The first amount of its facts, and the name of that fact; empty without one. */
          amount: decimalAmount,
          token: z.string(),
          fact: z.string(),
        }),
      ),
      /** `since` is 0 where it is not known. */
      chains: z.array(z.object({ id: z.string(), name: z.string(), why: z.string(), since: unixSeconds })),
      nodes: z.array(node),
      wallets: z.int(),
      wallets_since: unixSeconds,
      /** Payouts without a transaction. */
      unsent: z.int(),
      unsent_usdt: decimalAmount,
      unsent_since: unixSeconds,
      dead_letters: z.int(),
      /** Price sources that do not answer, and when each last did: 0 if never. */
      silent_prices: z.array(z.object({ source: z.string(), time: unixSeconds })),
      paused: z.array(z.object({ queue: z.enum(pausableQueues), reason: z.string(), since: unixSeconds })),
      /** Of authenticators, requested by an operator: `confirmed_by` is empty while a second one must agree. */
      removals: z.array(
        z.object({
          mchid: z.string(),
          name: z.string(),
          requested_by: z.string(),
          requested_time: unixSeconds,
          confirmed_by: z.string(),
          due_time: unixSeconds,
        }),
      ),
      in_usdt: decimalAmount,
      out_usdt: decimalAmount,
      since: unixSeconds,
      /** Of the whole day before. */
      in_usdt_before: decimalAmount,
      out_usdt_before: decimalAmount,
    }),
  },
  'GET /api/operator/v1/accounted': {
    who: readingRoles,
    summary: 'Read whether all money is accounted for, by the last comparison of each asset with its network',
    data: z.object({
      state: z.enum(['accounted', 'missing', 'doubted', 'unknown']),
      /** `incident` is empty once it was closed. */
      missing: z.array(
        z.object({
          ...ofAsset,
          missing: decimalAmount,
          since: unixSeconds,
          stopped: z.boolean(),
          incident: z.string(),
        }),
      ),
      /** Credited from blocks that a deep reorg dropped, and not decided. */
      doubted: z.array(z.object({ ...ofAsset, amount: decimalAmount, since: unixSeconds, incident: z.string() })),
      /**
       * Not compared for half an hour, or its network is not read or a wallet of it is halted. The time is 0 for never.
       */
      unknown: z.array(z.object({ ...ofAsset, compared_time: unixSeconds, why: z.enum(['old', 'unread', 'wallet']) })),
      compared_time: unixSeconds.describe('Of the asset that was compared longest ago'),
      /** How much waits for a person under each entry of the menu. */
      waiting: z.object({ incidents: z.int(), merchants: z.int(), withdrawals: z.int(), orders: z.int() }),
      stopped: z.boolean().describe('Whether withdrawals are stopped, be it on one network or of one asset'),
      now: unixSeconds,
    }),
  },
  'GET /api/operator/v1/liquidity': {
    who: readingRoles,
    summary: 'Read what wallets and deposit addresses hold of each asset, beside what is reserved and owed',
    data: z.object({
      list: z.array(liquidity),
      /** Sums in USDT: on wallets, treasuries and deposit addresses, and owed to merchants. */
      held_usdt: decimalAmount,
      owed_usdt: decimalAmount,
    }),
  },
  'GET /api/operator/v1/exposure': {
    who: readingRoles,
    summary: 'Read what who took over the server could take, by the policy of the signer as it stands, in dollars',
    data: z.object({
      chains: z.array(z.object({ chain: z.string(), payouts: decimalAmount, fees: decimalAmount })),
      per_day: decimalAmount.describe('Of all chains in 24 hours; empty while the signer does not answer'),
      in_all: decimalAmount.describe(
        'What hot wallets and, without a treasury, deposit addresses have of the assets that may leave; empty while no node reports it',
      ),
      uncounted: z
        .array(z.object({ chain: z.string(), asset: z.string() }))
        .describe('Assets without a worth in the policy'),
      remedies: z
        .array(z.enum(['passkeys', 'treasury', 'onlyTo', 'allChains', 'vault']))
        .describe('What would lower it'),
    }),
  },
  'GET /api/operator/v1/chains': {
    who: readingRoles,
    summary: 'Read how far each chain is read, its failing nodes and open incidents',
    data: z.object({
      list: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          enabled: z.boolean(),
          read: z.int().nullable(),
          head: z.int(),
          final: z.int(),
          read_time: unixSeconds,
          /** halted, unreachable, behind, stalled, or empty. */
          delay: z.string(),
          halted: z.string(),
        }),
      ),
      nodes: z.array(node),
      incidents: z.array(incident),
    }),
  },
  'POST /api/operator/v1/chains/:id/resume': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Resume reading {of}', 'zh-CN': '恢复读取 {of} 网络' },
    object: 'chain',
    title: { en: 'Resumed the network', 'zh-CN': '恢复网络' },
    summary: 'Resume a chain that a deep reorg has halted, from the last common block',
    params: idParams,
    body: substantiveReasonBody,
    data: awaitsSecondOperator.extend({ number: z.int(), hash: z.string() }),
  },
  'POST /api/operator/v1/chains/:id/reread': {
    who: financeRoles,
    fresh: true,
    object: 'chain',
    title: { en: 'Requested a re-scan', 'zh-CN': '提交重新读取区块' },
    summary: 'Read final blocks again, and repair what differs if asked to',
    params: idParams,
    body: z.strictObject({ block: integerBetween(0, 999_999_999_999), apply: z.boolean() }),
    data: emptyObject,
  },
  'POST /api/operator/v1/deposits/:id/undo': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Undo deposit {of}', 'zh-CN': '撤销充值 {of}' },
    object: 'deposit',
    title: { en: 'Undid the deposit', 'zh-CN': '撤销充值' },
    summary: 'Reverse a credit that a deep reorg left in doubt; above a limit another operator must ask for it, too',
    params: idParams,
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/deposits/:id/credit': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Credit deposit {of}', 'zh-CN': '入账充值 {of}' },
    object: 'deposit',
    title: { en: 'Credited the deposit', 'zh-CN': '将充值入账' },
    summary: 'Credit a deposit of a token that is not accepted, in that token; it pays no order',
    params: idParams,
    body: ofAmount,
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/deposits/:id/return': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Return deposit {of}', 'zh-CN': '退回充值 {of}' },
    object: 'deposit',
    title: { en: 'Returned the deposit', 'zh-CN': '退回充值' },
    summary: 'Give a deposit of a token that is not accepted back to its sender, less the gas of the payout',
    params: idParams,
    body: ofAmount,
    data: awaitsSecondOperator.extend({
      withdrawal: z.string().describe('Its number; empty while another operator must agree'),
    }),
  },
  'POST /api/operator/v1/assets/:id/release': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Release the token {of}', 'zh-CN': '恢复代币 {of}' },
    object: 'asset',
    title: { en: 'Released the token', 'zh-CN': '恢复代币' },
    summary: 'Let a token on hold count again: its held deposits are credited as their logs say',
    params: idParams,
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/assets/:id/refuse': {
    who: financeRoles,
    fresh: true,
    object: 'asset',
    title: { en: 'Refused the token', 'zh-CN': '拒绝代币' },
    summary: 'Refuse a token on hold: its held deposits are dropped, and further transfers are ignored',
    params: idParams,
    body: reasonBody,
    data: emptyObject,
  },
  'GET /api/operator/v1/queues': {
    who: readingRoles,
    summary: 'Read age and failures of each queue, of the jobs of this server and of the price sources',
    data: z.object({
      queues: z.array(
        z.object({ queue: z.enum(pausableQueues), waiting: z.int(), oldest_time: unixSeconds, failed: z.int(), pause }),
      ),
      jobs: z.array(
        z.object({
          name: z.string(),
          /** Of its network, if it works for one. */
          chain: z.string(),
          every_seconds: z.int(),
          /** 0 before the first run. */
          ended_time: unixSeconds,
          failures: z.int(),
          error: z.string(),
        }),
      ),
      prices: z.array(z.object({ source: z.string(), time: unixSeconds, silent: z.boolean() })),
      dead_letters: z.array(
        z.object({
          id: z.string(),
          mchid: z.string(),
          merchant: z.string(),
          trade_no: z.string(),
          out_trade_no: z.string(),
          title: z.string(),
          event: z.string(),
          url: z.string(),
          attempts: z.int(),
          result: z.string(),
          created_time: unixSeconds,
        }),
      ),
      now: unixSeconds,
    }),
  },
  'POST /api/operator/v1/queues/:id/pause': {
    who: financeRoles,
    fresh: true,
    object: 'queue',
    title: { en: 'Paused the queue', 'zh-CN': '暂停队列' },
    summary: 'Pause a queue: what is under way ends, nothing new begins',
    params: z.strictObject({ id: z.enum(pausableQueues) }),
    body: reasonBody,
    data: emptyObject,
  },
  'POST /api/operator/v1/queues/:id/resume': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Resume {of}', 'zh-CN': '恢复{of}' },
    object: 'queue',
    title: { en: 'Resumed the queue', 'zh-CN': '恢复队列' },
    summary: 'Resume a paused queue; withdrawals that miss money take two operators',
    params: z.strictObject({ id: z.enum(pausableQueues) }),
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/callbacks/:id/resend': {
    who: supportRoles,
    object: 'callback',
    title: { en: 'Sent the callback again', 'zh-CN': '重新发送回调' },
    summary: 'Send a callback again',
    params: idParams,
    data: emptyObject,
  },
})
