import { z } from 'zod'
import { readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { decimalAmount, unixSeconds } from '../kit/schemas.ts'
import { failingNode, pausableQueues } from './operations.ts'

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

/** What needs a person today, and where the money is. */
export const todayRoutes = defineOperatorRoutes({
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
      nodes: z.array(failingNode),
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
})
