import { createHash } from 'node:crypto'
import {
  type BlockId,
  type BlockRef,
  bnbSmartChain,
  type Chain,
  type ChainDefinition,
  defineSandboxChain,
  ethereum,
  type Transfer,
} from '@coffer/chains'
import type { BlockEvent } from '@coffer/chains/follower.ts'
import { codeNameOf, type ParsedBody, paymentStatus } from '@coffer/contract'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type pg from 'pg'
import { syncChains } from '../domains/chains/sync-chains.ts'
import { applyBlocks } from '../domains/deposits/apply-blocks.ts'
import { createPayment } from '../domains/payments/create-payment.ts'
import type { Order } from '../domains/payments/present-order.ts'
import { Refusal } from '../kit/refusal.ts'
import type { Prices } from '../outside/prices/prices.ts'
import { type TestDeps, withDeps } from './deps.ts'
import { testApplication, testMerchant } from './merchants.ts'

/** USDT and USDC with 6 decimals, credited after 3 blocks. */
export const eth: ChainDefinition = defineSandboxChain(ethereum, {
  chainId: 31337,
  confirmations: 3,
  blockTime: 12,
  tokens: [
    { symbol: 'USDT', contract: '0xdac17f958d2ee523a2206206994597c13d831ec7', decimals: 6 },
    { symbol: 'USDC', contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6 },
  ],
})

/** USDT with 18 decimals, credited after 2 blocks. */
export const bsc: ChainDefinition = defineSandboxChain(bnbSmartChain, {
  chainId: 31338,
  confirmations: 2,
  blockTime: 3,
  tokens: [{ symbol: 'USDT', contract: '0x55d398326f99059ff775485246999027b3197955', decimals: 18 }],
})

/** Returns the address at an index; it has no known key. */
export const addressAt = (_kind: string, index: number) =>
  `0x${createHash('sha256').update(`address ${index}`).digest('hex').slice(0, 40)}`

/** Prices in dollars from a table. */
export function fixedPrices(table: Record<string, string>, clock: () => number): Prices {
  return {
    quote: async symbol => {
      const price = table[symbol]
      if (price === undefined) throw new Refusal('price_unavailable')
      return { price, source: 'test', time: clock() }
    },
    sources: [],
    since: 0,
    refresh: async () => {},
    stop: async () => {},
  }
}

/** A transfer from a payer. `token` null is the native coin; by default, it is the chain's USDT. */
export type TestTransfer = {
  to: string
  amount: bigint
  token?: string | null
  txid?: string
  ordinal?: number
  logIndex?: number
}

/** A chain as the follower reports it: creates blocks, applies them and reorgs them. */
export class TestChain {
  readonly definition: ChainDefinition
  readonly #deps: TestDeps
  readonly #blocks: BlockRef[] = []
  readonly #transfers = new Map<number, Transfer[]>()
  #count = 0
  #fork = 0

  constructor(deps: TestDeps, definition: ChainDefinition) {
    this.#deps = deps
    this.definition = definition
  }

  get tip(): BlockRef | undefined {
    return this.#blocks.at(-1)
  }

  /** Creates the next block with these transfers, without applying it. */
  next(sent: readonly TestTransfer[] = [], time = this.#deps.clock()): BlockEvent {
    const number = (this.tip?.number ?? 99) + 1
    const block = {
      number,
      hash: hashOf(this.definition.id, number, this.#fork),
      parentHash: this.tip?.hash ?? '0x0',
      time,
    }
    this.#blocks.push(block)
    const transfers = sent.map((each, index) => this.#transfer(each, block, index))
    this.#transfers.set(number, transfers)
    const final = number - this.definition.confirmations + 1
    const settled = { settled: this.#transfers.get(final) ?? [], settledFrom: final }
    const { parentHash } = block
    return { type: 'block', from: number, parentHash, block, transfers, final, ...settled, asOf: 10_000 }
  }

  /** The next blocks, made by `next`, as a range of confirmed blocks that is read at once. */
  range(events: readonly BlockEvent[]): BlockEvent {
    const first = events[0]!
    const last = events.at(-1)!
    const transfers = events.flatMap(each => each.transfers)
    const settled = { settled: transfers, settledFrom: first.from, final: last.block.number }
    return { ...last, from: first.from, parentHash: first.parentHash, transfers, ...settled }
  }

  /** Creates a block and applies it; returns the event. */
  async add(sent: readonly TestTransfer[] = [], time?: number): Promise<BlockEvent> {
    const event = this.next(sent, time)
    await applyBlocks(this.#deps, { chainId: this.definition.id, event })
    return event
  }

  /** Adds empty blocks until deposits in the last block are final. */
  async confirm(): Promise<void> {
    for (let i = 1; i < this.definition.confirmations; i++) await this.add()
  }

  /** Drops the last blocks; later ones have other hashes. Returns the common ancestor and the dropped blocks. */
  reorg(depth: number): { ancestor: BlockId; dropped: BlockId[] } {
    this.#fork++
    const dropped = this.#blocks.splice(-depth)
    return { ancestor: this.tip!, dropped: dropped.reverse() }
  }

  #transfer(sent: TestTransfer, block: BlockRef, index: number): Transfer {
    const { token = this.definition.tokens[0]!.contract, to, amount } = sent
    return {
      chain: this.definition.id,
      txid: sent.txid ?? hashOf(this.definition.id, this.#count++, 'tx'),
      blockNumber: block.number,
      blockHash: block.hash,
      blockTime: block.time,
      logIndex: sent.logIndex ?? index,
      ordinal: sent.ordinal ?? 0,
      token,
      from: '0x7777777777777777777777777777777777777777',
      to: to.toLowerCase(),
      amount,
    }
  }
}

const hashOf = (...parts: unknown[]) => `0x${createHash('sha256').update(parts.join(' ')).digest('hex')}`

type OrderBody = ParsedBody<'POST /api/v1/pay/orders'>

/** Returns a function that creates payments of an application, by default of 10 USDT. */
export function payments(deps: TestDeps, of: { merchantId: string; appid: string }) {
  let count = 0
  return (order: Partial<OrderBody>, by = of): Promise<Order> =>
    createPayment(deps, {
      ...by,
      order: {
        out_trade_no: `order-${++count}`,
        amount: '10',
        currency: 'USDT',
        token: 'USDT',
        subject: '',
        attach: '',
        return_url: '',
        expires_in: 1800,
        ...order,
      },
    })
}

/** Reads the payments, deposits, callbacks and balances of a merchant. */
export const moneyOf = (owner: pg.Pool, mine: string) => ({
  payment: async (tradeNo: string) => {
    const row = await firstRow(owner, 'select * from payments where trade_no = $1', [tradeNo])
    return { ...row, state: codeNameOf(paymentStatus, row.status) }
  },
  deposits: (tradeNo: string) =>
    rowsOf(owner, 'select * from deposits where trade_no = $1 order by seen_at, id', [tradeNo]),
  callbacks: async (tradeNo: string): Promise<string[]> =>
    (await rowsOf(owner, 'select event from callbacks where trade_no = $1 order by seq', [tradeNo])).map(
      row => row.event,
    ),
  balance: async (assetId: string, merchantId = mine): Promise<string> =>
    (await firstRow(owner, 'select balance from ledger_accounts where id = $1', [`${merchantId}/available/${assetId}`]))
      ?.balance ?? '0',
})

/** A base fee of 2 gwei and a tip of 1. */
const gwei = 1_000_000_000n
const fees = async () => ({ baseFee: 2n * gwei, maxFeePerGas: 5n * gwei, maxPriorityFeePerGas: gwei })

/** Creates two chains and a merchant with an application and a notify URL, with helpers for tests. */
export async function moneyWorld(scope: Scope, given: Parameters<typeof withDeps>[1] = {}) {
  const definitions = [eth, bsc]
  const base = await withDeps(scope, {
    addressAt,
    chains: new Map(
      definitions.map(definition => [
        definition.id,
        { definition, fees, isSignedBy: async () => false } as unknown as Chain,
      ]),
    ),
    ...given,
  })
  const deps: typeof base = given.prices
    ? base
    : { ...base, prices: fixedPrices({ USDT: '1', USDC: '1', ETH: '2500', EUR: '1.1', CNY: '0.14' }, base.clock) }
  await syncChains(deps)
  const merchant = await testMerchant(deps)
  const { appid } = await testApplication(deps, merchant.id, {
    name: 'Corner shop',
    notify_url: 'https://shop.example/notify',
  })
  const chains = { eth: new TestChain(deps, eth), bsc: new TestChain(deps, bsc) }
  await chains.eth.add()
  await chains.bsc.add()
  const create = payments(deps, { merchantId: merchant.id, appid })

  /** Creates a payment, by default of 10 USDT on eth. Its address is in the stored form. */
  const pay = async (order: Partial<OrderBody> = {}, by?: { merchantId: string; appid: string }): Promise<Order> => {
    const made = await create({ chain: eth.id, ...order }, by)
    return { ...made, address: made.address.toLowerCase() }
  }

  return {
    deps,
    owner: deps.owner as pg.Pool,
    merchant,
    appid,
    ...chains,
    pay,
    ...moneyOf(deps.owner, merchant.id),
  }
}

export type MoneyWorld = Awaited<ReturnType<typeof moneyWorld>>

// biome-ignore lint/suspicious/noExplicitAny: a row has the shape its SQL says
export const rowsOf = async (pool: pg.Pool, sql: string, values: unknown[] = []): Promise<any[]> =>
  (await pool.query(sql, values)).rows
export const firstRow = async (pool: pg.Pool, sql: string, values: unknown[] = []) =>
  (await rowsOf(pool, sql, values))[0]
