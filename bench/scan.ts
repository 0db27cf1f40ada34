import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { EvmChain } from '@coffer/chains/evm/chain.ts'
import { paymentStatus } from '@coffer/contract'
import { startPostgres } from '@coffer/local/postgres.ts'
import { follow } from '@coffer/server/domains/deposits/follow.ts'
import { catchUp } from '@coffer/server/testing/followed.ts'
import { addressAt, eth, type MoneyWorld, moneyWorld } from '@coffer/server/testing/money.ts'
import { type Figure, median, scope } from './figure.ts'
import { rawSpeed } from './raw.ts'
import { makeScanChain, type ScanChain } from './scan-chain.ts'

const watched = 100_000
/** Transfers per block. */
const perBlock = 1_000
/** Blocks per measurement: the node takes half a second for what it is asked about each. */
const blocks = 40
/** Blocks per request, as the follower chooses for blocks of this size. */
const range = 4

/**
 * Blocks credited per second from a local node, compared with only reading and parsing the same answers. Also follows `long`
 * blocks without any of our transfers to see whether memory grows.
 */
export async function scan(long: number): Promise<Figure[]> {
  return [
    ...(await credited(0)),
    ...(await credited(perBlock / 10, 0.35)),
    ...(await credited(perBlock)),
    await memory(long),
  ]
}

/** `matches` transfers of each block are to watched addresses; `least` is the required ratio to the baseline. */
async function credited(matches: number, least?: number): Promise<Figure[]> {
  const here = scope()
  try {
    const chain = await makeScanChain(here, {
      blocks,
      perBlock,
      confirmations: eth.confirmations,
      receiver: (block, i) => {
        // Spread matches evenly over the block.
        const [ours, next] = [i, i + 1].map(each => Math.floor((each * matches) / perBlock))
        return ours === next ? stranger(block * perBlock + i) : addressAt('evm', block * matches + ours!)
      },
    })
    // The first run of each only warms up.
    const first = scope()
    await caughtUp(first, chain, matches).finally(first.end)
    const { speed: ours, world } = await caughtUp(here, chain, matches)
    const raw = Math.max(await rawSpeed(chain, range), await rawSpeed(chain, range))
    const what = `blocks of ${perBlock} transfers, ${(matches / perBlock) * 100} % ours`
    const ratio = ours / raw
    const speed = {
      what: `${what}, caught up`,
      value: `${ours.toFixed(1)} /s`,
      comparison: `${ratio.toFixed(2)} of the same blocks and receipts read and parsed as JSON (${raw.toFixed(1)} /s)`,
    }
    if (matches === 0) return [speed]
    const latest = await atTip(world, chain, matches)
    return [
      least ? { ...speed, comparison: `${speed.comparison}; at least ${least}`, holds: ratio >= least } : speed,
      {
        what: `${what}, credited at the tip`,
        value: `${median(latest).toFixed(0)} ms`,
        comparison: `after the last confirmation, median; slowest ${Math.max(...latest).toFixed(0)} ms; at most 100`,
        holds: median(latest) <= 100,
      },
    ]
  } finally {
    await here.end()
  }
}

/** Follows all blocks with a new database. Returns the blocks per second and the database. */
async function caughtUp(here: ReturnType<typeof scope>, chain: ScanChain, matches: number) {
  const world = await makeWorld(here, chain)
  const started = performance.now()
  await catchUp(world.deps, new EvmChain(eth, { endpoints: [{ url: chain.url }] }))
  const speed = (blocks / (performance.now() - started)) * 1000
  const { rows } = await world.owner.query(
    `select count(*)::int as n from deposits d join payments p using (merchant_id, trade_no)
     where d.state = 'credited' and p.status = ${paymentStatus.paid}`,
  )
  if (rows[0].n !== blocks * matches) throw new Error(`${rows[0].n} payments were credited, not ${blocks * matches}`)
  return { speed, world }
}

/** Follows as the server does. Returns the times (ms) from a block's last confirmation to its credits. */
async function atTip({ deps, owner }: MoneyWorld, chain: ScanChain, matches: number): Promise<number[]> {
  const stop = new AbortController()
  const following = follow(deps, [new EvmChain(eth, { endpoints: [{ url: chain.url }] })], stop.signal)
  const credits = async () =>
    (await owner.query(`select count(*)::int as n from deposits where state = 'credited'`)).rows[0].n
  const times: number[] = []
  for (let nth = 1; nth <= 5; nth++) {
    const before: number = await credits()
    await chain.addBlock()
    await sleep(2_000)
    if ((await credits()) !== before) throw new Error('credited before it was confirmed')
    await chain.mine(1)
    const started = performance.now()
    while ((await credits()) < before + matches) await sleep(2)
    times.push(performance.now() - started)
  }
  stop.abort()
  await following
  return times
}

/** An unwatched address. */
const stranger = (n: number) => `0x${(0xabcn * 2n ** 144n + BigInt(n)).toString(16).padStart(40, '0')}`

async function memory(long: number): Promise<Figure> {
  const here = scope()
  try {
    const chain = await longChain(here, long)
    const world = await makeWorld(here, chain)
    const samples: number[] = []
    const timer = setInterval(() => samples.push(process.memoryUsage().rss / 2 ** 20), 250)
    here.after(() => clearInterval(timer))
    await catchUp(world.deps, new EvmChain(eth, { endpoints: [{ url: chain.url }] }))
    const part = Math.ceil(samples.length / 4)
    const [second, last] = [samples.slice(part, 2 * part), samples.slice(-part)].map(each => Math.max(...each))
    return {
      what: `peak memory in the last quarter of ${long} blocks`,
      value: `${last!.toFixed(0)} MB`,
      comparison: `${second!.toFixed(0)} MB in the second quarter`,
    }
  } finally {
    await here.end()
  }
}

/** Starts an in-memory node, which answers faster than a real one: mining this many blocks would take too long, too. */
export async function longChain(here: ReturnType<typeof scope>, head: number, each = perBlock) {
  const token = eth.tokens[0]!.contract
  const args = [join(import.meta.dirname, './scan-node.ts'), String(head), String(each), token]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  here.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { url: String(line), token, first: 1 }
}

/** A database with the product's settings and an unpaid payment of 10 USDT for each watched address. */
async function makeWorld(
  here: ReturnType<typeof scope>,
  { url, token, first }: Pick<ScanChain, 'url' | 'token' | 'first'>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'))
  here.after(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({ dataDir: folder })
  here.after(() => postgres.stop())
  process.env.COFFER_TEST_PG = postgres.url
  const world = await moneyWorld(here)
  const before = await new EvmChain(eth, { endpoints: [{ url }] }).blockAt(first - 1)
  if (!before) throw new Error('the node has no blocks')
  world.deps.pass(before.time - world.deps.clock())
  await fill(world, watched)
  const { owner } = world
  await owner.query(`update assets set contract = $2 where chain_id = $1 and symbol = 'USDT'`, [eth.id, token])
  // The native coin would require whole transactions, which the baseline does not read.
  await owner.query('update assets set enabled = false where contract is null')
  await owner.query('delete from chain_blocks where chain_id = $1', [eth.id])
  await owner.query(
    `update chains set last_number = $2, last_hash = $3, last_time = $4, final_number = $2, head_number = $2 where id = $1`,
    [eth.id, before.number, before.hash, before.time],
  )
  await owner.query('vacuum analyze')
  return world
}

/** Creates payments of 10 USDT, the one with index `i` at `addressAt('evm', i)`. */
export async function fill({ owner, pay }: MoneyWorld, payments: number): Promise<void> {
  const { trade_no } = await pay()
  // Every payment is a copy of the first one, with its own ids and address.
  const numbers = `generate_series(1, ${payments - 1}) as i`
  const address = `'0x' || left(encode(sha256(convert_to('address ' || i, 'UTF8')), 'hex'), 40)`
  const copies: [table: string, changes: string][] = [
    [
      'payments',
      `'trade_no', lpad(i::text, 32, '0'), 'out_trade_no', 'copy-' || i, 'address', case when r.address is null then null else ${address} end`,
    ],
    ['payment_history', `'trade_no', lpad(i::text, 32, '0')`],
    ['deposit_addresses', `'trade_no', lpad(i::text, 32, '0'), 'address', ${address}, 'key_index', i`],
    ['address_leases', `'trade_no', lpad(i::text, 32, '0'), 'address', ${address}`],
  ]
  for (const [table, changes] of copies)
    await owner.query(
      `insert into ${table} select copy.*
       from ${table} r, ${numbers}, lateral jsonb_populate_record(r, jsonb_build_object(${changes})) as copy
       where r.trade_no = $1`,
      [trade_no],
    )
  await owner.query(`update address_counters set next_index = ${payments}`)
}
