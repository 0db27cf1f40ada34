import { setTimeout } from 'node:timers/promises'
import { enableFastChecksums } from '@coffer/chains/evm/address.ts'
import { applyBlocks } from '@coffer/server/domains/deposits/apply-blocks.ts'
import { addressAt, eth, type MoneyWorld, moneyWorld } from '@coffer/server/testing/money.ts'
import { type Figure, median, postgresTime, type Scope, scoped } from './figure.ts'
import { ownPostgres } from './own-postgres.ts'

const perBlock = 1_000
/** Blocks that warm up, and blocks that are measured. */
const blocks = { warm: 4, measured: 12 }
/** Blocks of a range when catching up. */
const range = 4
const limits = { microseconds: 80, ratio: 0.6 }

/** Rows that a credit inserts, and the columns that must differ in copies of them. */
const tables: [table: string, unique: Record<string, string>, credited: string][] = [
  ['deposits', { id: 'text', txid: 'text' }, `r.state = 'credited'`],
  ['payment_history', { seq: 'int' }, `r.event <> 'created' and r.event <> 'asset_chosen'`],
  ['callbacks', { id: 'text' }, 'true'],
  ['notifications', { id: 'text' }, 'true'],
  ['statistics_changes', { id: 'uuid' }, 'r.created_num = 0'],
  ['ledger_groups', { id: 'text', source: 'text' }, 'true'],
  ['ledger_postings', { id: 'text', group_id: 'text' }, 'true'],
]

/**
 * Processor time of PostgreSQL and of Node per credit, with 1,000 deposits a block, compared with one statement that
 * inserts the same rows into the same tables: at the tip, where a deposit is seen in one block and credited in another,
 * and when catching up.
 */
export async function credit(): Promise<Figure[]> {
  // As in a process that reads chains.
  await enableFastChecksums()
  return scoped(async here => {
    // One server for both: the test databases of a process are made in the first that it finds.
    const { url } = await ownPostgres(here)
    process.env.COFFER_TEST_PG = url
    return [
      ...(await scoped(inner => measured(inner, 'at the tip', false))),
      ...(await scoped(inner => measured(inner, 'caught up', true))),
    ]
  })
}

async function measured(here: Scope, what: string, catchesUp: boolean): Promise<Figure[]> {
  const world = await moneyWorld(here)
  await fill(world, (blocks.warm + blocks.measured + eth.confirmations) * perBlock)
  await world.owner.query('vacuum analyze')
  const apply = appliesTo(world, catchesUp)
  for (let n = 0; n < blocks.warm; n += apply.blocks) await apply.next()
  const { rows: before } = await world.owner.query('select count(*)::int as n from deposits where state = $1', [
    'credited',
  ])
  const walBefore = await walOf(world)
  const postgresBefore = await postgresTime(world.owner)
  const nodeBefore = process.cpuUsage()
  for (let n = 0; n < blocks.measured; n += apply.blocks) await apply.next()
  const spent = (await postgresTime(world.owner)) - postgresBefore
  const { user, system } = process.cpuUsage(nodeBefore)
  const { rows: after } = await world.owner.query('select count(*)::int as n from deposits where state = $1', [
    'credited',
  ])
  const credits = after[0].n - before[0].n
  const walAfter = await walOf(world)
  const wal = (name: keyof typeof walAfter) => (walAfter[name] - walBefore[name]) / credits
  if (credits !== blocks.measured * perBlock) throw new Error(`${credits} deposits were credited`)
  const ours = spent / credits
  const node = (user + system) / credits
  const plain = await plainTime(world, after[0].n)
  return [
    {
      what: `PostgreSQL per credit, ${what}`,
      value: `${ours.toFixed(0)} µs`,
      comparison: `at most ${limits.microseconds}`,
      holds: ours <= limits.microseconds,
    },
    {
      what: `one statement with the same rows / credit, ${what}`,
      value: (plain / ours).toFixed(2),
      comparison: `${plain.toFixed(0)} µs a credit; at least ${limits.ratio}`,
      holds: plain / ours >= limits.ratio,
    },
    { what: `Node per credit, ${what}`, value: `${node.toFixed(0)} µs`, comparison: '' },
    {
      what: `WAL per credit, ${what}`,
      value: `${(wal('bytes') / 1_000).toFixed(1)} kB`,
      comparison: `${wal('records').toFixed(0)} records, ${wal('images').toFixed(2)} images of pages`,
    },
  ]
}

/** Applies the next block, whose confirmations credit an earlier one, or the next range of confirmed blocks. */
function appliesTo(world: MoneyWorld, catchesUp: boolean) {
  let next = 0
  const transfers = () =>
    Array.from({ length: perBlock }, () => ({ to: addressAt('evm', next++), amount: 10_000_000n }))
  const size = catchesUp ? range : 1
  return {
    blocks: size,
    next: async () => {
      const read = Array.from({ length: size }, () => world.eth.next(transfers()))
      const event = catchesUp ? world.eth.range(read) : read[0]!
      await applyBlocks(world.deps, { chainId: eth.id, event: { ...event, asOf: 1_000_000 } })
    },
  }
}

/** WAL written so far. Idle backends report theirs after ten seconds. */
async function walOf({ owner }: MoneyWorld): Promise<{ records: number; bytes: number; images: number }> {
  await setTimeout(11_000)
  const { rows } = await owner.query(
    'select wal_records::float8 as records, wal_bytes::float8 as bytes, wal_fpi::float8 as images from pg_stat_wal',
  )
  return rows[0]
}

/** Processor time (µs) per credit of one statement that inserts copies of the rows of all credits. Median of five. */
async function plainTime(world: MoneyWorld, credits: number): Promise<number> {
  const { owner } = world
  const c = await owner.connect()
  try {
    const inserts: string[] = []
    for (const [table, unique, credited] of tables) {
      const changes = Object.entries(unique).map(([column, type]) => {
        const value =
          type === 'int' ? `r.${column} + 1000` : type === 'uuid' ? 'gen_random_uuid()' : `'x' || r.${column}`
        return `'${column}', ${value}`
      })
      await c.query(
        `create temp table copy_${table} as select copy.* from ${table} r,
           lateral jsonb_populate_record(r, jsonb_build_object(${changes.join(', ')})) as copy where ${credited}`,
      )
      inserts.push(`${table}_added as (insert into ${table} select * from copy_${table})`)
    }
    const times: number[] = []
    for (let round = 0; round < 5; round++) {
      const before = await postgresTime(world.owner)
      await c.query('begin')
      await c.query(`with ${inserts.join(', ')} select 1`)
      await c.query('rollback')
      times.push(((await postgresTime(world.owner)) - before) / credits)
    }
    return median(times)
  } finally {
    c.release()
  }
}

/** Creates payments of 10 USDT, the one with index `i` at `addressAt('evm', i)`. */
async function fill({ owner, pay }: MoneyWorld, payments: number): Promise<void> {
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
