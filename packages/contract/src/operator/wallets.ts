import { z } from 'zod'
import { awaitsSecondOperator, idParams, labelled, reasonBody, substantiveReasonBody } from '../kit/operator-parts.ts'
import { financeRoles, readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { decimalAmount, emptyObject, integerBetween, unixSeconds } from '../kit/schemas.ts'

/** Hot wallets and sweepers. */
export const walletRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/wallets': {
    who: readingRoles,
    summary: 'Read the wallets of each chain: next nonce, transactions under way, what they wait for',
    data: z.object({
      list: z.array(
        z.object({
          chain_id: z.string(),
          chain: z.string(),
          role: z.string(),
          address: z.string(),
          next_nonce: z.int(),
          halted: z.string(),
          waits: z.string(),
          open: z.int(),
          /** Whether a transaction stays in no block. */
          stuck: z.boolean(),
          oldest_time: unixSeconds,
          /** Since when all that it has moves to the treasury; 0: it does not. */
          emptying_time: unixSeconds,
        }),
      ),
      /** To the treasury, from wallets that are being emptied, newest first. */
      moves: z.array(
        z.object({
          chain_id: z.string(),
          chain: z.string(),
          nonce: z.int(),
          amount: decimalAmount,
          token: z.string(),
          state: z.enum(['signing', 'sent', 'in_block', 'arrived', 'failed']),
          waits: z.string(),
          txid: z.string(),
          explorer: z.string(),
          created_time: unixSeconds,
        }),
      ),
      waiting: z.array(
        z.object({
          chain_id: z.string(),
          chain: z.string(),
          nonce: z.int(),
          waits: z.string(),
          since: unixSeconds,
          /** Another transaction has used the nonce: it can be abandoned. */
          taken: z.boolean(),
        }),
      ),
      sweeps: z.array(
        z.object({
          chain_id: z.string(),
          chain: z.string(),
          token: z.string(),
          unswept: decimalAmount,
          /** On addresses that the issuer of the token blocks. */
          blocked: decimalAmount,
          under_way: z.int(),
          failed: z.int(),
        }),
      ),
    }),
  },
  'POST /api/operator/v1/wallets/:id/halt': {
    who: financeRoles,
    fresh: true,
    object: 'wallet',
    dialog: {
      button: { en: 'Halt', 'zh-CN': '停用' },
      text: {
        en: 'Nothing is signed or broadcast from this wallet until it is resumed. Payments are still accepted.',
        'zh-CN': '恢复前不再从该钱包签名或广播任何交易，收款不受影响。',
      },
      look: 'danger',
    },
    title: { en: 'Halted the wallet', 'zh-CN': '停用钱包' },
    command: {
      name: 'wallet halt',
      reason: 'operator',
      done: 'The hot wallet of {id} is halted.',
      failure: 'This chain has no hot wallet, or it is halted already; see "wallet status".',
    },
    summary: 'Stop signing and broadcasting from the hot wallet of a chain',
    params: idParams,
    body: reasonBody,
    data: emptyObject,
  },
  'POST /api/operator/v1/wallets/:id/resume': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Resume the hot wallet of {of}', 'zh-CN': '恢复 {of} 热钱包' },
    object: 'wallet',
    dialog: {
      button: { en: 'Resume wallet', 'zh-CN': '恢复钱包' },
      text: {
        en: 'Signing continues with the next nonce. First find out what was sent, and move the funds if the key has leaked.',
        'zh-CN': '将从下一个 nonce 继续签名。请先查明发送过哪些交易；如果密钥已泄露，请先转移资金。',
      },
      look: 'danger',
    },
    title: { en: 'Resumed the wallet', 'zh-CN': '恢复钱包' },
    summary: 'Resume the halted hot wallet of a chain; above a limit another operator must ask for it, too',
    params: idParams,
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/wallets/:id/cancel': {
    who: financeRoles,
    fresh: true,
    object: 'wallet',
    dialog: {
      button: { en: 'Cancel nonce', 'zh-CN': '取消 nonce' },
      text: {
        en: 'A transaction that is not in a block yet is replaced by an empty transfer to the wallet itself. What it carries is void once that is final.',
        'zh-CN': '将尚未进入区块的交易替换为向钱包自身的空转账，确认后其中的付款作废。',
      },
      done: { en: 'Recorded', 'zh-CN': '已记录' },
      look: 'danger',
      leave: { en: 'Keep nonce', 'zh-CN': '暂不取消' },
    },
    title: { en: 'Canceled a nonce', 'zh-CN': '取消 nonce' },
    command: {
      name: 'wallet cancel',
      reason: 'cancelled by the operator',
      help: 'replace a transaction that is in no block by a transfer of nothing to the hot wallet itself',
      done: 'Nonce {nonce} of {id} is being cancelled. What it carries is void once the cancellation is final.',
      asks: 'Cancel nonce {nonce} of {id}? What it carries is not paid.',
      failure: 'There is no such transaction, or it is in a block or cancelled already.',
    },
    summary: 'Replace a transaction that is in no block by a transfer of nothing',
    params: idParams,
    body: z.strictObject({
      nonce: labelled(integerBetween(0, 999_999_999_999), { label: { en: 'Nonce', 'zh-CN': 'nonce 值' } }),
      ...reasonBody.shape,
    }),
    data: emptyObject,
  },
  'POST /api/operator/v1/wallets/:id/abandon': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Abandon a payout of {of}', 'zh-CN': '放弃 {of} 的一个 nonce' },
    object: 'wallet',
    dialog: {
      button: { en: 'Abandon', 'zh-CN': '放弃' },
      text: {
        en: 'What it carries counts as not paid, and can be paid again. Do it only if the transaction that used the nonce paid nothing of it.',
        'zh-CN': '其中的付款视为未支付，可再次支付。请先确认占用该 nonce 的交易没有支付其中任何一笔。',
      },
      look: 'danger',
    },
    title: { en: 'Abandoned a nonce', 'zh-CN': '放弃 nonce' },
    command: {
      name: 'wallet abandon',
      done: 'Nonce {nonce} of {id} has ended. Its withdrawals and refunds are abnormal: approve them to pay them again, or cancel them.',
      asks: 'End nonce {nonce} of {id}{stakes}? Do so only if the transaction that used it paid nothing of it: it may be paid again.',
      failure: 'No transaction of this nonce waits because another one has used it; see "wallet status".',
    },
    summary: 'End a transaction whose nonce another one has used, once you know that nothing of it was paid',
    params: idParams,
    body: substantiveReasonBody.extend({ nonce: integerBetween(0, 999_999_999_999) }),
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/wallets/:id/empty': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: {
      en: 'Move all of the hot wallet of {of} to the treasury',
      'zh-CN': '将 {of} 热钱包的全部余额转入资金库',
    },
    object: 'wallet',
    dialog: {
      button: { en: 'Move all to the treasury', 'zh-CN': '全部转入资金库' },
      text: {
        en: 'For when the key may have leaked. The wallet is halted, payouts not yet in a block are canceled, and everything it holds goes to the treasury named in the signer’s policy, and nowhere else, until the wallet is resumed.',
        'zh-CN':
          '用于密钥可能泄露的情况。钱包将停用，尚未上链的付款会被取消，全部余额只会转入签名策略指定的资金库，直到钱包恢复为止。',
      },
      look: 'danger',
      unread: {
        en: 'Nothing can be moved: the signer’s policy names no treasury for this network, or the signer does not answer.',
        'zh-CN': '无法转移：签名策略未指定该网络的资金库，或签名服务没有响应。',
      },
    },
    title: { en: 'Moved all funds of the wallet to the treasury', 'zh-CN': '将钱包余额转入资金库' },
    command: {
      name: 'wallet empty',
      done: 'All that the hot wallet of {id} has moves to the treasury; see "wallet status".',
      asks: 'Halt the hot wallet of {id}, and move all that it has to the treasury{stakes}?',
      failure: 'This chain has no hot wallet, or the policy of the signer names no treasury for it.',
    },
    summary: 'Halt the hot wallet of a chain, and move all that it has to the treasury, until it is resumed',
    params: idParams,
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/wallets/:id/sweep': {
    who: financeRoles,
    fresh: true,
    object: 'wallet',
    dialog: {
      button: { en: 'Sweep now', 'zh-CN': '立即归集' },
      text: {
        en: 'All deposits of this network move to the treasury or hot wallet within a minute, whatever they are worth. Gas is paid for each.',
        'zh-CN': '一分钟内将该网络的全部充值归集到资金库或热钱包，不论金额大小，每笔均需支付矿工费。',
      },
      done: { en: 'Sweep requested', 'zh-CN': '已提交归集' },
    },
    title: { en: 'Started a sweep', 'zh-CN': '发起归集' },
    command: {
      name: 'sweep now',
      done: 'The deposits of {id} will be swept within a minute; see "sweep status".',
      asks: 'Sweep every deposit of {id}, whatever the gas costs?',
    },
    summary: 'Sweep all deposits of a chain to its hot wallet, whatever they are worth',
    params: idParams,
    data: emptyObject,
  },
})
