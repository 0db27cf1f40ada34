import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChainKind, chainKindNames } from '@coffer/chains'
import { parseStoredAddresses } from '@coffer/chains/forms.ts'
import { parseDecimal } from '@coffer/contract'
import { until } from '@coffer/local/testing/until.ts'
import { xpubVariable } from '@coffer/server/config.ts'
import { appRoleConnectionOptions } from '@coffer/server/migrations/app-role.ts'
import { migrate } from '@coffer/server/migrations/migrate.ts'
import { Keys } from '@coffer/server/signer/keys.ts'
import { makeTestDeps } from '@coffer/server/testing/deps.ts'
import { testApplication, testMerchant } from '@coffer/server/testing/merchants.ts'
import pg from 'pg'
import { serverFlags, serverMalloc } from '../tools/parts.ts'
import { type Figure, percentile, postgresTime, processorMs, type Scope } from './figure.ts'
import type { Deposit } from './follow/life.ts'
import type { BenchRequest, Told } from './follow/nodes.ts'
import { chains } from './follow/rates.ts'
import { blockConfirmedAt, lags, measuredSeconds, timetableOf, warmSeconds } from './follow/timetable.ts'
import { ownPostgres } from './own-postgres.ts'
import { proportionalMb, residentMb } from './server.ts'

const limits = { percent: 15, megabytes: 250, creditMs: 2_000 }
/**
 * Deposits of a chain that are credited before the measurement, as the first ones of a token are compared with
 * balances, and within it.
 */
const deposits = { first: 10, measured: 8 }
/** One in so many deposits is of the native coin. */
const nativeEvery = 4

/** What is measured of a deposit: when its last confirmation appeared, in ms after the start. */
type Expected = { chain: string; block: number; confirmedMs: number; isMeasured: boolean }

/**
 * The server as in production, following all built-in chains at the rates that they have in life, over three nodes
 * each: processor time, memory, and how long blocks and credits take. Nobody else calls the server.
 */
export async function follow(here: Scope): Promise<Figure[]> {
  // When a transaction was committed is read from PostgreSQL afterwards, so that nothing measures meanwhile.
  const { url } = await ownPostgres(here, { settings: { track_commit_timestamp: 'on' } })
  await migrate(url)
  const owner = new pg.Pool({ connectionString: url, max: 1 })
  owner.on('error', () => {})
  here.after(() => owner.end())
  const nodes = await startNodes(here)
  const server = await startServer(here, url, nodes.url)
  await until(
    'the server has read the chains',
    async () => (await owner.query('select count(last_number)::int as n from chains')).rows[0].n,
    read => read === chains.length,
  )
  const { sent, expected } = await makeDeposits(here, url, server.url)
  const { prepared } = await nodes.ask({ prepare: sent })
  process.stderr.write(`  (${prepared?.toLocaleString('en')} transactions prepared)\n`)
  const { startedAt } = await nodes.ask('start')
  await sleep(warmSeconds * 1_000)
  const spent = await measured(server.pid, owner, nodes)
  return [...costs(spent), ...times(await delaysOf(owner, spent.blocks, startedAt!, expected))]
}

/** Starts the nodes of all chains. */
async function startNodes(here: Scope) {
  const child = fork(join(import.meta.dirname, './follow/nodes.ts'), { serialization: 'advanced' })
  here.after(() => void child.kill('SIGKILL'))
  const ask = async (request: BenchRequest): Promise<Told> => {
    child.send(request)
    return told(child)
  }
  const { url } = await told(child)
  return { url: url!, ask }
}
type Nodes = Awaited<ReturnType<typeof startNodes>>

async function told(child: ChildProcess): Promise<Told> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('the nodes have ended')
  })
  ended.catch(() => {})
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message as Told
}

async function startServer(here: Scope, databaseUrl: string, nodesUrl: string): Promise<{ pid: number; url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-follow-'))
  here.after(() => rmSync(folder, { recursive: true, force: true }))
  const chainsFile = join(folder, 'chains.json')
  writeFileSync(chainsFile, JSON.stringify({ chains: chains.map(({ definition }) => entryOf(definition, nodesUrl)) }))
  const keys = new Keys(Buffer.alloc(64, 7))
  const env = {
    ...process.env,
    ...serverMalloc,
    COFFER_MODE: 'production',
    COFFER_DATA: folder,
    COFFER_CHAINS: chainsFile,
    COFFER_PUBLIC_URL: 'https://pay.example.com',
    COFFER_SECRET: 'only for a benchmark: 0123456789abcdef',
    COFFER_SMTP_URL: 'smtps://mail.example.com',
    COFFER_LOG: 'warn',
    DATABASE_URL: databaseUrl,
    ...Object.fromEntries(chainKindNames.map(kind => [xpubVariable(kind), keys.xpub(kind)])),
  }
  const child = spawn(process.execPath, [...serverFlags, join(import.meta.dirname, './follow/server.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  here.after(async () => {
    // As in production, so that a profile is written when one was requested.
    child.kill('SIGTERM')
    await ended
  })
  const lines = createInterface(child.stdout)
  const line = await new Promise<string>((resolve, reject) => {
    ended.then(() => reject(new Error('the server has ended')))
    lines.on('line', text => (text.startsWith('http') ? resolve(text) : process.stderr.write(`  ${text}\n`)))
  })
  return { pid: child.pid!, url: line }
}

/** A chain of the chains file with three nodes. */
function entryOf({ id, kind }: { id: string; kind: ChainKind }, url: string) {
  const nodes = lags.map((_, i) => {
    const base = `${url}/${id}/${i}`
    return { url: `${base}/rpc`, ...(kind === 'tron' && { http: `${base}/http` }) }
  })
  return { id, nodes }
}

/** Creates orders, and chooses the blocks in which each is paid. */
async function makeDeposits(here: Scope, databaseUrl: string, url: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options: appRoleConnectionOptions })
  pool.on('error', () => {})
  here.after(() => pool.end())
  const shop = makeTestDeps({ pool, clock: () => Math.floor(Date.now() / 1_000) })
  const { key } = await testApplication(shop, (await testMerchant(shop)).id)
  const sent: Record<string, Deposit[]> = {}
  const expected: Expected[] = []
  for (const { definition, rate } of chains) {
    const { id, native, tokens, confirmations } = definition
    const all: Deposit[] = []
    for (let n = 0; n < deposits.first + deposits.measured; n++) {
      const isMeasured = n >= deposits.first
      const share = (n - deposits.first + 0.5) / deposits.measured
      const ms = (warmSeconds + share * (measuredSeconds - rate.blockTime - 5)) * 1_000
      const block = isMeasured ? blockConfirmedAt(definition, rate, ms) : timetableOf(definition, rate).start + 1
      const token = isMeasured && n % nativeEvery === 0 ? null : tokens[0]!
      const { symbol, decimals } = token ?? native
      const { address, amount } = await order(url, key, { name: `${id}-${n}`, chain: id, token: symbol })
      all.push({ block, token: token?.contract ?? null, to: address, amount: parseDecimal(amount, decimals)! })
      const confirmedMs = timetableOf(definition, rate).appears(block + confirmations - 1)
      expected.push({ chain: id, block, confirmedMs, isMeasured })
    }
    sent[id] = all.toSorted((a, b) => a.block - b.block)
  }
  return { sent, expected }
}

/** Creates an order of 10 USDT. Returns the address, in the stored form, and the amount to pay as a decimal. */
async function order(url: string, key: string, { name, chain, token }: { name: string; chain: string; token: string }) {
  const answer = await fetch(`${url}/api/v1/pay/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ out_trade_no: name, amount: '10', currency: 'USDT', chain, token }),
  })
  if (!answer.ok) throw new Error(`order ${name}: ${answer.status} ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { address: string; amount: string } }
  return { address: parseStoredAddresses(data.address)[0]!, amount: data.amount }
}

/** Measures for the time of the measurement. Memory is read every five seconds. */
async function measured(pid: number, owner: pg.Pool, nodes: Nodes) {
  const read = async () => ({
    server: processorMs(pid),
    postgres: (await postgresTime(owner)) / 1_000,
    report: (await nodes.ask('report')).report!,
    blocks: await appliedBlocks(owner),
    at: performance.now(),
  })
  const before = await read()
  const blocks = before.blocks
  const memory: number[] = []
  const resident: number[] = []
  while (performance.now() - before.at < measuredSeconds * 1_000) {
    await sleep(5_000)
    memory.push(proportionalMb(pid))
    resident.push(residentMb(pid))
    // Old blocks are forgotten.
    if (memory.length % 4 === 0) for (const [key, ms] of await appliedBlocks(owner)) blocks.set(key, ms)
  }
  const after = await read()
  const calls = Object.entries(after.report.calls).map(
    ([call, n]) => [call, n - (before.report.calls[call] ?? 0)] as const,
  )
  const busiest = calls
    .toSorted((a, b) => b[1] - a[1])
    .map(([call, n]) => `${call} ${(n / measuredSeconds).toFixed(1)}`)
  process.stderr.write(`  (calls a second: ${busiest.slice(0, 6).join(', ')})\n`)
  for (const [key, ms] of after.blocks) blocks.set(key, ms)
  const { rows } = await owner.query(`select pid from pg_stat_activity where pid <> pg_backend_pid()`)
  return {
    seconds: (after.at - before.at) / 1_000,
    server: after.server - before.server,
    postgres: after.postgres - before.postgres,
    requests: after.report.requests - before.report.requests,
    megabytes: (after.report.bytes - before.report.bytes) / 1e6,
    report: after.report,
    blocks,
    memory: Math.max(...memory),
    resident: Math.max(...resident),
    postgresMemory: rows.reduce((sum, each) => sum + proportionalMb(each.pid), 0),
  }
}

/** When blocks were committed (Unix ms), by chain and number. */
async function appliedBlocks(owner: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await owner.query(
    `select chain_id, number, extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 as ms from chain_blocks`,
  )
  return new Map(rows.map(({ chain_id, number, ms }) => [`${chain_id} ${number}`, Number(ms)]))
}

type Measured = Awaited<ReturnType<typeof measured>>
/** Delays in ms: from a block's appearance to its commit, and from a deposit's last confirmation to its credit. */
type Delays = { blocks: Map<string, number[]>; credits: number[] }

/** Reads how late blocks and credits of the measurement were. Throws Error if one is missing. */
async function delaysOf(owner: pg.Pool, blocks: Measured['blocks'], startedAt: number, expected: readonly Expected[]) {
  const delays: Delays = { blocks: new Map(), credits: [] }
  for (const { definition, rate } of chains) {
    const { id } = definition
    const { highest, appears } = timetableOf(definition, rate)
    const from = warmSeconds * 1_000
    const to = (warmSeconds + measuredSeconds - rate.blockTime - 5) * 1_000
    const late: number[] = []
    for (let number = highest(from) + 1; number <= highest(to); number++) {
      // Of blocks that were read together, the last one is stored.
      let stored = number
      while (!blocks.has(`${id} ${stored}`) && stored <= highest(to)) stored++
      const committed = blocks.get(`${id} ${stored}`)
      if (committed === undefined) throw new Error(`block ${number} of ${definition.name} was not applied`)
      late.push(committed - startedAt - appears(number))
    }
    delays.blocks.set(id, late)
  }
  const { rows } = await owner.query(
    `select d.chain_id, d.block_number, count(*)::int as count,
       max(extract(epoch from pg_xact_commit_timestamp(g.xmin)) * 1000) as ms
     from deposits d join ledger_groups g on g.source = 'deposit:' || d.id group by 1, 2`,
  )
  for (const { chain, block, confirmedMs, isMeasured } of expected) {
    const credited = rows.find(each => each.chain_id === chain && Number(each.block_number) === block)
    const same = expected.filter(each => each.chain === chain && each.block === block)
    if (credited?.count !== same.length) throw new Error(`a deposit in block ${block} of ${chain} was not credited`)
    if (isMeasured) delays.credits.push(Number(credited.ms) - startedAt - confirmedMs)
  }
  return delays
}

function costs({
  seconds,
  requests,
  megabytes,
  memory,
  resident,
  postgresMemory,
  report,
  ...spent
}: Measured): Figure[] {
  if (report.unknown.length > 0) throw new Error(`the nodes were asked what they do not know: ${report.unknown.join()}`)
  const [server, postgres] = [spent.server, spent.postgres].map(ms => ms / 10 / seconds) as [number, number]
  const load = loadavg().map(each => each.toFixed(1))
  return [
    {
      what: 'server, processor',
      value: `${server.toFixed(1)} %`,
      comparison: `of a core, at most ${limits.percent}; ${(requests / seconds).toFixed(0)} requests and ${(megabytes / seconds).toFixed(2)} MB of compressed answers a second; load ${load.join(', ')}`,
      holds: server <= limits.percent,
    },
    { what: 'PostgreSQL, processor', value: `${postgres.toFixed(1)} %`, comparison: 'of a core' },
    {
      what: 'server, memory',
      value: `${memory.toFixed(0)} MB`,
      comparison: `the most of a reading each 5 s, at most ${limits.megabytes}; with all shared pages ${resident.toFixed(0)}; PostgreSQL ${postgresMemory.toFixed(0)} MB`,
      holds: memory <= limits.megabytes,
    },
  ]
}

function times({ blocks, credits }: Delays): Figure[] {
  const delay = (what: string, late: number[]): Figure => ({
    what: `from head to applied, ${what}`,
    value: `${percentile(late, 0.5).toFixed(0)} ms`,
    comparison: `of ${late.length} blocks; p99 ${percentile(late).toFixed(0)} ms`,
  })
  const each = chains.map(({ definition, rate }) =>
    delay(`${definition.name}, ${rate.transactions} in ${rate.blockTime} s`, blocks.get(definition.id)!),
  )
  const slowest = Math.max(...credits)
  return [
    delay('all chains', [...blocks.values()].flat()),
    ...each,
    {
      what: 'from the last confirmation to the credit',
      value: `${slowest.toFixed(0)} ms`,
      comparison: `slowest of ${credits.length}, p50 ${percentile(credits, 0.5).toFixed(0)}; at most ${limits.creditMs}`,
      holds: slowest <= limits.creditMs,
    },
  ]
}
