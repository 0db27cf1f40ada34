import { z } from 'zod'
import { incidentRoutes } from '../incidents/operator.ts'
import { operatorName } from '../kit/operator-parts.ts'
import { readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes, type SecondOperatorRule } from '../kit/operator-route.ts'
import type { RouteDefinition } from '../kit/route.ts'
import { decimalAmount, id, integerTextBetween, unixSeconds } from '../kit/schemas.ts'
import { merchantRoutes } from '../merchants/operator.ts'
import { operationRoutes } from './operations.ts'
import { walletRoutes } from './wallets.ts'

/** The groups that have calls which two operators decide. */
const deciding = { ...merchantRoutes, ...operationRoutes, ...walletRoutes, ...incidentRoutes }

/** Calls that take two operators above a limit, where two can make them. */
export type TwoOperatorCall = {
  [K in keyof typeof deciding]: (typeof deciding)[K] extends { second: 'value' } ? K : never
}[keyof typeof deciding]
export const twoOperatorCalls = Object.entries<RouteDefinition & { second?: SecondOperatorRule }>(deciding).flatMap(
  ([key, { second }]) => (second === 'value' ? (key as TwoOperatorCall) : []),
)

/** What a decision concerns. */
const stakeFacts = ['missing', 'payouts', 'deposits', 'nonce', 'from', 'to', 'amount', 'cancels'] as const

const decision = z.object({
  call: z.enum(twoOperatorCalls),
  object: z.string(),
  /**
   * Kind of the incident, and names of the network and the merchant, that it is about; empty where it is about none.
   */
  incident: z.string(),
  chain: z.string(),
  merchant: z.string(),
  /** The body of the call without its reason: who agrees sends the same. */
  what: z.record(z.string(), z.unknown()),
  /** Of who requested it first. */
  reason: z.string(),
  /** Empty when it was not known. */
  value: decimalAmount,
  /** Operators who have requested it. */
  who: z.array(operatorName),
  asked_time: unixSeconds,
  ends_time: unixSeconds,
})

/** What needs a second operator, and what depends on it. */
export const decisionRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/decisions': {
    who: readingRoles,
    summary: 'List what an operator has asked for and another one must ask for, too; a request ends after 24 hours',
    data: z.object({ list: z.array(decision) }),
  },
  'GET /api/operator/v1/stakes': {
    who: readingRoles,
    summary:
      'Read what depends on such a call: its value, why something is stopped, which deposit it is, and whether it takes two operators',
    query: z.strictObject({
      call: z.enum(twoOperatorCalls),
      id,
      nonce: integerTextBetween(0, 999_999_999_999).optional(),
    }),
    data: z.object({
      /** In USDT; of terms it depends on what is set, and is that of the merchant’s balances here. */
      value: decimalAmount,
      /** Tokens without a price, for which the value is empty and it takes two. */
      unpriced: z.array(z.string()),
      two_above: decimalAmount,
      /** Whether another operator can make the call, or could within the last day. */
      others: z.boolean(),
      asked: z.array(decision),
      /** Why the wallet, chain or merchant is halted or frozen, or withdrawals are stopped. */
      stopped: z.string(),
      /** What is concerned, counts and amounts, such as what is missing; `unit` is empty for what is no amount. */
      facts: z.array(z.object({ name: z.enum(stakeFacts), value: z.string(), unit: z.string() })),
      /** The deposit in question. */
      deposit: z
        .object({
          mchid: z.string(),
          merchant: z.string(),
          trade_no: z.string(),
          amount: decimalAmount,
          token: z.string(),
          chain: z.string(),
          txid: z.string(),
          block: z.int(),
        })
        .nullable(),
    }),
  },
})
