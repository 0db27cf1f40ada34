import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { EvmChain } from '@coffer/chains'
import { catchUp } from '@coffer/server/testing/followed.ts'
import { eth, type MoneyWorld, moneyWorld } from '@coffer/server/testing/money.ts'
import { type Figure, scope } from './figure.ts'
import { blockHash, blockTime, perBlock } from './scan-blocks.ts'

const watched = 100_000
/** Blocks of one measurement. All of their transfers together pay fewer payments than there are. */
const blocks = 60
/** Blocks that are asked for at once: what following chooses for blocks of this size. */
const range = 4

/**
 * Blocks credited per second from a node in memory, beside the same node's logs read and parsed and nothing else. `long`
 * blocks, of which nothing is ours, show whether memory grows.
 */
export async function scan(long: number): Promise<Figure[]> {
  return [await credited(100, 0.8), await credited(perBlock, 0.3), await memory(long)]
}

async function credited(matches: number, least: number): Promise<Figure> {
  const here = scope()
  try {
    const { url, world } = await prepare(here, blocks, matches)
    // The first reading lets the node and the parser warm up.
    await read(url)
    const raw = Math.max(await read(url), await read(url))
    const started = performance.now()
    await catchUp(world.deps, new EvmChain(eth, { endpoints: [{ url }] }))
    const ours = rate(started)
    const { rows } = await world.owner.query(
      `select count(*)::int as n from deposits d join payments p using (merchant_id, trade_no)
       where d.state = 'credited' and p.status = 2`,
    )
    const expected = (blocks - eth.confirmations + 1) * matches
    if (rows[0].n !== expected) throw new Error(`${rows[0].n} payments were credited, not ${expected}`)
    return {
      what: `blocks of ${perBlock} transfers credited, ${(matches / perBlock) * 100} % ours`,
      value: `${ours.toFixed(1)} /s`,
      beside: `${(ours / raw).toFixed(2)} of eth_getLogs read and parsed (${raw.toFixed(1)} /s); at least ${least}`,
      holds: ours / raw >= least,
    }
  } finally {
    await here.end()
  }
}

async function memory(long: number): Promise<Figure> {
  const here = scope()
  try {
    const { url, world } = await prepare(here, long, 0)
    const samples: number[] = []
    const timer = setInterval(() => samples.push(process.memoryUsage().rss / 2 ** 20), 250)
    here.after(() => clearInterval(timer))
    await catchUp(world.deps, new EvmChain(eth, { endpoints: [{ url }] }))
    const part = Math.ceil(samples.length / 4)
    const [second, last] = [samples.slice(part, 2 * part), samples.slice(-part)].map(each => Math.max(...each))
    return {
      what: `most memory in the last quarter of ${long} blocks`,
      value: `${last!.toFixed(0)} MB`,
      beside: `${second!.toFixed(0)} MB in the second quarter`,
    }
  } finally {
    await here.end()
  }
}

/** A node, and a server's database with a payment of 10 USDT waiting at each watched address. */
async function prepare(here: ReturnType<typeof scope>, head: number, matches: number) {
  const file = join(import.meta.dirname, 'scan-node.ts')
  const child = spawn(process.execPath, [file, String(head), String(watched), String(matches)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  here.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const world = await moneyWorld(here)
  await fill(world)
  return { url: String(line), world }
}

async function fill({ owner, pay }: MoneyWorld): Promise<void> {
  const { trade_no } = await pay()
  // Every payment is the first one over again, with ids and an address of its own.
  const numbers = `generate_series(1, ${watched - 1}) as i`
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
  await owner.query(`update address_counters set next_index = ${watched}`)
  // The native coin would ask for whole transactions, which a reading of logs does not have.
  await owner.query('update assets set enabled = false where contract is null')
  await owner.query('delete from chain_blocks where chain_id = $1', [eth.id])
  await owner.query(
    `update chains set last_number = 0, last_hash = $2, last_time = $3, final_number = 0, head_number = 0 where id = $1`,
    [eth.id, blockHash(0), blockTime],
  )
  await owner.query('vacuum analyze')
}

/** Reads and parses the logs of all blocks, two requests at a time as following does; blocks per second. */
async function read(url: string): Promise<number> {
  const started = performance.now()
  let next = 1
  const reader = async () => {
    for (let from = next; from <= blocks; from = next) {
      next += range
      const toBlock = Math.min(from + range - 1, blocks)
      const filter = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${toBlock.toString(16)}` }
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'eth_getLogs', params: [filter] }),
      })
      const { result } = (await response.json()) as { result: unknown[] }
      if (result.length !== (toBlock - from + 1) * perBlock) throw new Error('logs are missing')
    }
  }
  await Promise.all([reader(), reader()])
  return rate(started)
}

const rate = (started: number) => (blocks / (performance.now() - started)) * 1000
