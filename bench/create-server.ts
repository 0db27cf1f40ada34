/**
 * One server of `create`, in a process of its own: `node bench/create-server.ts <database url> ours|bare`. Ours runs
 * its jobs. `bare` looks up the key and inserts the same rows as ours with plain pg behind Fastify, in one statement.
 * Prints its URL once it listens.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineSandboxChain, ethereum } from '@coffer/chains'
import { readConfig } from '@coffer/server/config.ts'
import { WatchedAddressSet } from '@coffer/server/domains/deposits/watched-address-set.ts'
import { startLive } from '@coffer/server/kit/live.ts'
import { connectionPoolSizes, makeLog, makePool } from '@coffer/server/make-deps.ts'
import { makePrices } from '@coffer/server/outside/prices/prices.ts'
import { makeApp, startJobs } from '@coffer/server/serve.ts'
import { Keys } from '@coffer/server/signer/keys.ts'
import { cacheRecentAddresses, createWatchOnlyDeriver } from '@coffer/server/signer/watch.ts'
import { makeTestDeps } from '@coffer/server/testing/deps.ts'
import fastify from 'fastify'

/** The chain of orders with chain and token. */
export const chain = defineSandboxChain(ethereum, {
  chainId: 31_337,
  confirmations: 3,
  blockTime: 12,
  tokens: [{ symbol: 'USDT', contract: '0xdac17f958d2ee523a2206206994597c13d831ec7', decimals: 6 }],
})

/** Seconds now. */
export const clock = () => Math.floor(Date.now() / 1_000)

/**
 * Columns of each table, with the text of their values: $1 merchant, $2 trade_no, $3 appid, $4 order number, $5 now, $6
 * address.
 */
const plain: [table: string, columns: string, values: string][] = [
  [
    'payments',
    `merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, token_rates, tolerance_permille,
     mixed_payment, payment_mode, created_at, expire_at, events, asset_id, chain_id, fixed_asset_id, address, amount`,
    `$1, $2, $3, $4, '', 1, 10000000, '{"USDT": {"price": "1", "source": "test", "time": 1748858400}}', 0, true, 1, $5::bigint,
     $5::bigint + 1800, 1, asset, chain, asset, $6::text, case when asset is null then 0 else 10000000 end`,
  ],
  ['payment_terms', 'merchant_id, term, created_at, trade_no', `$1, 'w:' || $4, $5::bigint, $2`],
  [
    'payment_history',
    'merchant_id, trade_no, seq, status, exception, event, created_at',
    `$1, $2, 1, 1, 'none', 'created', $5::bigint`,
  ],
  [
    'statistics_changes',
    'merchant_id, appid, at, created_num, payment_created_at, status_to',
    '$1, $3, $5::bigint, 1, $5::bigint, 1',
  ],
]
const leased: typeof plain = [
  [
    'payment_history',
    'merchant_id, trade_no, seq, status, exception, event, created_at',
    `$1, $2, 2, 1, 'none', 'asset_chosen', $5::bigint`,
  ],
  [
    'deposit_addresses',
    'chain_kind, address, key_index, merchant_id, purpose, leased_for, trade_no, free_at, created_at',
    `'evm', $6::text, $7::int, $1, 'lease', 'token', $2, $5::bigint + 7776000, $5::bigint`,
  ],
  ['address_leases', 'chain_kind, address, since, merchant_id, trade_no', `'evm', $6::text, $5::bigint, $1, $2`],
]

const types = '$1::text, $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::int'
/** Pause of the stand-in for a follower, which derives addresses before they are given out (ms). */
const blockMs = 400

async function ours(url: string): Promise<string> {
  const log = makeLog(readConfig({ COFFER_LOG: 'silent' }))
  const pool = makePool(url, log)
  const jobs = makePool(url, log, connectionPoolSizes.jobs)
  const xpub = new Keys(new Uint8Array(64).fill(7)).xpub('evm')
  const addressAt = cacheRecentAddresses(createWatchOnlyDeriver('evm', xpub), 20_000)
  const deps = makeTestDeps({
    pool,
    pools: { jobs, chains: jobs, probes: jobs },
    live: startLive(url, log),
    clock,
    prices: makePrices(pool, clock, [], log),
    addressAt: (_kind, index) => addressAt(index),
    config: { mode: 'sandbox' },
  })
  const app = await makeApp(deps)
  startJobs(deps)
  const book = new WatchedAddressSet(deps, 'evm')
  await book.refresh()
  void (async () => {
    for (;;) {
      await sleep(blockMs)
      await book.refresh()
    }
  })()
  return app.listen({ host: '127.0.0.1', port: 0 })
}

const keyLookup = `select merchant_id, appid from applications where key_hash = $1`

async function bare(url: string): Promise<string> {
  const pool = makePool(url, makeLog(readConfig({ COFFER_LOG: 'silent' })))
  const insertText = (tables: typeof plain, given: string) =>
    `with used as (select ${types}), ${tables
      .map(
        ([table, columns, texts], i) =>
          `t${i} as (insert into ${table} (${columns}) select ${texts} from (select ${given}) given)`,
      )
      .join(', ')} select 1`
  const texts = {
    plain: insertText(plain, 'null::text as asset, null::text as chain'),
    leased: insertText([...plain, ...leased], `'${chain.id}:USDT' as asset, '${chain.id}' as chain`),
  }
  let count = 0
  const app = fastify()
  app.post('/', async request => {
    const order = request.body as { out_trade_no: string; token?: string }
    const key = createHash('sha256').update(String(request.headers.authorization).slice('Bearer '.length)).digest()
    const { rows } = await pool.query({ name: 'key', text: keyLookup, values: [key] })
    const { merchant_id, appid } = rows[0]
    const tradeNo = createHash('sha256').update(order.out_trade_no).digest('hex').slice(0, 32)
    const address = order.token ? `0x${tradeNo}` : null
    const values = [merchant_id, tradeNo, appid, order.out_trade_no, clock(), address, 100_000_000 + ++count]
    const name = order.token ? 'leased' : 'plain'
    await pool.query({ name, text: texts[name], values })
    return { trade_no: tradeNo }
  })
  return app.listen({ host: '127.0.0.1', port: 0 })
}

if (import.meta.main) {
  const [url = '', kind] = process.argv.slice(2)
  console.log(await (kind === 'ours' ? ours(url) : bare(url)))
}
