import { z } from 'zod'
import { awaitsSecondOperator, idParams, reasonBody, substantiveReasonBody } from '../kit/operator-parts.ts'
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
    title: { en: 'Halted the wallet', 'zh-CN': '停用钱包' },
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
    title: { en: 'Canceled a nonce', 'zh-CN': '取消 nonce' },
    summary: 'Replace a transaction that is in no block by a transfer of nothing',
    params: idParams,
    body: reasonBody.extend({ nonce: integerBetween(0, 999_999_999_999) }),
    data: emptyObject,
  },
  'POST /api/operator/v1/wallets/:id/abandon': {
    who: financeRoles,
    fresh: true,
    second: 'value',
    question: { en: 'Abandon a payout of {of}', 'zh-CN': '放弃 {of} 的一个 nonce' },
    object: 'wallet',
    title: { en: 'Abandoned a nonce', 'zh-CN': '放弃 nonce' },
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
    title: { en: 'Moved all funds of the wallet to the treasury', 'zh-CN': '将钱包余额转入资金库' },
    summary: 'Halt the hot wallet of a chain, and move all that it has to the treasury, until it is resumed',
    params: idParams,
    body: substantiveReasonBody,
    data: awaitsSecondOperator,
  },
  'POST /api/operator/v1/wallets/:id/sweep': {
    who: financeRoles,
    fresh: true,
    object: 'wallet',
    title: { en: 'Started a sweep', 'zh-CN': '发起归集' },
    summary: 'Sweep all deposits of a chain to its hot wallet, whatever they are worth',
    params: idParams,
    data: emptyObject,
  },
})
