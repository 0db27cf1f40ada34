import { z } from 'zod'
import { awaitsSecondOperator, idParams, labelled, reasonBody, substantiveReasonBody } from '../kit/operator-parts.ts'
import { financeRoles, readingRoles, supportRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { amount, emptyObject, integerBetween, unixSeconds } from '../kit/schemas.ts'

/** Why a replica of the database is not read. */
export const replicaProblems = ['behind', 'away', 'promoted', 'diverged', 'other'] as const

export const pausableQueues = ['withdrawals', 'callbacks', 'sweeps'] as const

const incident = z.object({
  id: z.string(),
  kind: z.string(),
  chain: z.string(),
  detail: z.record(z.string(), z.unknown()),
  created_time: unixSeconds,
})
export const failingNode = z.object({
  chain: z.string(),
  host: z.string(),
  failures: z.int(),
  time: unixSeconds,
  reason: z.string(),
})
const pause = z.object({ reason: z.string(), since: unixSeconds }).nullable()
/** A decision about a deposit holds for the amount that it was taken for. */
const ofAmount = substantiveReasonBody.extend({
  amount: amount.optional().describe('The amount as it was shown: refused if the deposit has another one now'),
})

/** Chains, nodes, deposits, tokens and queues. */
export const operationRoutes = defineOperatorRoutes({
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
      nodes: z.array(failingNode),
      incidents: z.array(incident),
    }),
  },
  'POST /api/operator/v1/chains/:id/resume': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Resume reading {of}', 'zh-CN': '恢复读取 {of} 网络' },
    object: 'chain',
    dialog: {
      button: { en: 'Resume network', 'zh-CN': '恢复网络' },
      text: {
        en: 'Reading continues from the last common block. Deposits still in doubt stay so.',
        'zh-CN': '从最后的共同区块继续读取，仍存疑的充值保持不变。',
      },
      look: 'danger',
    },
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
    dialog: {
      button: { en: 'Read again', 'zh-CN': '重新读取' },
      text: {
        en: 'Final blocks are read again up to {final}. A preview reports what differs as an incident and changes nothing.',
        'zh-CN': '重新读取最终区块，直至 {final}。预览只以异常形式列出差异，不做任何更改。',
      },
      done: { en: 'It will be read again', 'zh-CN': '已提交重新读取' },
    },
    title: { en: 'Requested a re-scan', 'zh-CN': '提交重新读取区块' },
    summary: 'Read final blocks again, and repair what differs if asked to',
    params: idParams,
    body: z.strictObject({
      block: labelled(integerBetween(0, 999_999_999_999), { label: { en: 'From block', 'zh-CN': '起始区块' } }),
      apply: labelled(z.boolean(), {
        label: { en: 'Differences', 'zh-CN': '差异处理' },
        no: { en: 'Only show them', 'zh-CN': '仅预览' },
        yes: { en: 'Correct them', 'zh-CN': '修正' },
      }),
    }),
    data: emptyObject,
  },
  'POST /api/operator/v1/deposits/:id/undo': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Undo deposit {of}', 'zh-CN': '撤销充值 {of}' },
    object: 'deposit',
    dialog: {
      button: { en: 'Undo deposit', 'zh-CN': '撤销充值' },
      text: {
        en: 'The credit of the deposit is reversed. The balance of the merchant becomes smaller.',
        'zh-CN': '将撤销该充值的入账，商户余额会相应减少。',
      },
      look: 'danger',
    },
    title: { en: 'Undid the deposit', 'zh-CN': '撤销充值' },
    command: {
      name: 'deposit undo',
      done: 'The credit of deposit {id} is reversed.',
      asks: 'Take back {object}?',
      failure: 'This deposit is not in doubt; "chain status" lists those that are.',
    },
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
    dialog: {
      button: { en: 'Credit', 'zh-CN': '入账' },
      text: {
        en: 'The merchant is credited in {token} and can withdraw it. It pays no order; the merchant may mark the order as paid.',
        'zh-CN': '将以 {token} 计入商户余额，商户可以提现。它不计入任何订单，商户可自行将订单标记为已支付。',
      },
    },
    title: { en: 'Credited the deposit', 'zh-CN': '将充值入账' },
    command: {
      name: 'deposit credit',
      done: 'Deposit {id} is credited.',
      asks: 'Credit {object}?',
      failure: 'This deposit does not wait for a decision; the incident about its token lists those that do.',
    },
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
    dialog: {
      button: { en: 'Return', 'zh-CN': '退回' },
      text: {
        en: 'The {token} goes back to the address that sent it, less the network fee, as soon as it is swept. An exchange or a contract may not pass it on to the payer: then credit it, and let the merchant pay it back.',
        'zh-CN':
          '归集后，{token} 将扣除网络手续费退回付款地址。如付款地址属于交易所或合约，付款人可能收不到退款：请改为入账，由商户退还。',
      },
      look: 'danger',
    },
    title: { en: 'Returned the deposit', 'zh-CN': '退回充值' },
    command: {
      name: 'deposit return',
      done: 'Deposit {id} is given back to its sender.',
      asks: 'Give {object} back to its sender, less the gas?',
      failure: 'This deposit does not wait for a decision; the incident about its token lists those that do.',
    },
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
    dialog: {
      button: { en: 'Release token', 'zh-CN': '恢复代币' },
      text: {
        en: 'Deposits of {token} on hold are credited as its logs say, without a comparison.',
        'zh-CN': '{token} 待核对的充值将按日志金额直接入账，不再核对。',
      },
      look: 'danger',
    },
    title: { en: 'Released the token', 'zh-CN': '恢复代币' },
    command: {
      name: 'token release',
      done: '{id} counts again.',
      asks: 'Credit the held deposits of {id} as their logs say{stakes}?',
      failure: 'This token is not on hold; "chain status" names those that are, such as eth:USDT.',
    },
    summary: 'Let a token on hold count again: its held deposits are credited as their logs say',
    params: idParams,
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/assets/:id/refuse': {
    who: financeRoles,
    fresh: true,
    object: 'asset',
    dialog: {
      button: { en: 'Refuse token', 'zh-CN': '拒绝代币' },
      text: {
        en: 'Deposits of {token} on hold are dropped, and further transfers of it are ignored. It can be released later.',
        'zh-CN': '{token} 待核对的充值将作废，此后的转账不再识别。之后仍可恢复。',
      },
      look: 'danger',
    },
    title: { en: 'Refused the token', 'zh-CN': '拒绝代币' },
    command: {
      name: 'token refuse',
      done: '{id} is refused.',
      asks: 'Drop the held deposits of {id}, and ignore its transfers from now on?',
      failure: 'This token is not on hold; "chain status" names those that are, such as eth:USDT.',
    },
    summary: 'Refuse a token on hold: its held deposits are dropped, and further transfers are ignored',
    params: idParams,
    body: reasonBody,
    data: emptyObject,
  },
  'GET /api/operator/v1/queues': {
    who: readingRoles,
    summary:
      'Read age and failures of each queue, of the jobs of this server and of the price sources, and who does what',
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
      servers: z.array(
        z.object({
          name: z.string(),
          started_time: unixSeconds,
          /** Jobs that it does for all, each with its network where it has one. */
          work: z.array(z.object({ name: z.string(), chain: z.string() })),
          /** Networks that it follows. */
          chains: z.array(z.string()),
          /** Networks from whose wallets it sends, and since when. */
          wallets: z.array(z.object({ chain: z.string(), since: unixSeconds })),
        }),
      ),
      /** The newest backups that were noted; `checked_time` is 0 for one that was not restored for a check. */
      backups: z.array(
        z.object({ name: z.string(), bytes: z.number(), made_time: unixSeconds, checked_time: unixSeconds }),
      ),
      /** The replica that this server reads, if it has one. */
      replicas: z.array(
        z.object({
          problem: z.enum(replicaProblems).nullable(),
          /** The last error, if it does not answer. */
          reason: z.string(),
          lag_seconds: z.number(),
          lag_bytes: z.number(),
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
    dialog: {
      button: { en: 'Pause', 'zh-CN': '暂停' },
      text: null,
      look: 'danger',
    },
    title: { en: 'Paused the queue', 'zh-CN': '暂停队列' },
    command: {
      name: 'queue pause',
      help: 'pause a queue: what is under way ends, nothing new begins; deposits are credited in any case',
      done: 'The {id} are paused.',
    },
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
    dialog: {
      button: { en: 'Resume', 'zh-CN': '恢复' },
      text: { en: '{queue} continue at once, the oldest first.', 'zh-CN': '{queue}队列将立即继续，最早的优先。' },
    },
    title: { en: 'Resumed the queue', 'zh-CN': '恢复队列' },
    summary: 'Resume a paused queue; withdrawals that miss money take two operators',
    params: z.strictObject({ id: z.enum(pausableQueues) }),
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/callbacks/:id/resend': {
    who: supportRoles,
    object: 'callback',
    dialog: {
      button: { en: 'Resend', 'zh-CN': '重发' },
      text: {
        en: 'One attempt is made now, to {url}. The id stays the same, so the receiver can detect the repetition.',
        'zh-CN': '立即向 {url} 发送一次。编号不变，接收方可据此去重。',
      },
      done: { en: 'It is sent again', 'zh-CN': '已重新发送' },
    },
    title: { en: 'Sent the callback again', 'zh-CN': '重新发送回调' },
    command: {
      name: 'callback resend',
      done: 'Callback {id} will be sent again.',
    },
    summary: 'Send a callback again',
    params: idParams,
    data: emptyObject,
  },
})
