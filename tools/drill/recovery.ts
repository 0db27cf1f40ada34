import { join } from 'node:path'
import type { Deps } from '@coffer/server/deps.ts'
import { bindInstallation } from '@coffer/server/domains/installation/fingerprints.ts'
import { beatDatabase, releaseCopy } from '@coffer/server/domains/installation/hold-copy.ts'
import { checkLedger } from '@coffer/server/domains/ledger/check-ledger.ts'
import { runSendingPass } from '@coffer/server/domains/outgoing/jobs.ts'
import { resumeWallets } from '@coffer/server/domains/outgoing/wallets.ts'
import { readCopyHold } from '@coffer/server/kit/copy-switch.ts'
import { appRoleConnectionOptions } from '@coffer/server/migrations/app-role.ts'
import { makeFileAddressIndexMark } from '@coffer/server/outside/address-index-mark.ts'
import { catchUp } from '@coffer/server/testing/followed.ts'
import { testApplication } from '@coffer/server/testing/merchants.ts'
import { payments } from '@coffer/server/testing/money.ts'
import { type PayoutWorld, payoutWorld, settle } from '@coffer/server/testing/payout-world.ts'
import pg from 'pg'
import type { Drill, DrillFigure, DrillPart } from './part.ts'
import { type ArchivedPostgres, startArchivedPostgres } from './pgbackrest.ts'

const usdt = 1_000_000n
/** Longest restore of the small database of the drill, until it takes orders again (s). */
const restoreLimit = 120

/** A shop on a database that is archived, with its orders that were confirmed. */
export interface Shop {
  w: PayoutWorld
  deps: Deps
  order: () => Promise<string>
}

/** Full and differential backups, a mistake, a recovery to just before it, and what the server then does. */
export const recoveryDrill: DrillPart = {
  what: 'a shop is recovered to the second before a mistake by pgBackRest, and pays nothing twice',
  async run(drill) {
    const database = await startArchivedPostgres(drill)
    process.env.COFFER_TEST_PG = database.url
    const shop = await openShop(drill)
    const { w, order } = shop
    const orders = async (count: number) => Promise.all(Array.from({ length: count }, order))
    const { took, timed } = startWatch(drill)
    const early = await w.ask()
    await settle(shop.w)
    const before = await orders(20)
    await timed('full backup', () => database.backrest('backup', '--type=full'))
    before.push(...(await orders(20)))
    await timed('differential backup', () => database.backrest('backup', '--type=diff'))
    before.push(...(await orders(20)))
    const queued = await w.ask()
    await beatDatabase(shop.deps)
    const { rows } = await w.deps.owner.query('select pg_current_wal_flush_lsn()::text as lsn')
    drill.log(`recovery point: ${rows[0].lsn}, ${before.length} orders, 1 payout paid and 1 due`)

    const lost = await orders(5)
    await settle(shop.w)
    await beatDatabase(shop.deps)
    const paid = await w.balance(queued.to)
    drill.log(`after it: ${lost.length} orders, and the payout that was due is paid: ${paid / usdt} USDT`)
    await w.deps.owner.query('drop table callbacks cascade; delete from ledger_postings')
    drill.log('the mistake: a table dropped, all postings deleted')
    await timed('restore', () => recover(database, rows[0].lsn))
    return verifyRecovery({ shop: await reopen(drill, shop), before, lost, early, queued, took })
  },
}

/** Measures what an operator waits for. */
export function startWatch({ log }: Drill) {
  const took: Record<string, number> = {}
  const timed = async (what: string, work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    took[what] = (performance.now() - began) / 1_000
    log(`${what}: ${took[what].toFixed(1)} s`)
  }
  return { took, timed }
}

export async function openShop(drill: Drill): Promise<Shop> {
  const w = await payoutWorld({ after: drill.after })
  const deps = { ...w.deps, addressMark: makeFileAddressIndexMark(join(drill.folder, 'coffer')) }
  await bindInstallation(deps)
  const { appid } = await testApplication(deps, w.merchant.id)
  const create = payments(w.deps, { merchantId: w.merchant.id, appid })
  return { w, deps, order: async () => (await create({})).trade_no }
}

/** Stops PostgreSQL, restores to a place in the log, and starts it again. */
async function recover(database: ArchivedPostgres, lsn: string): Promise<void> {
  await database.stop()
  await database.backrest('restore', '--delta', '--type=lsn', `--target=${lsn}`, '--target-action=promote')
  await database.start()
}

/** The server after it was started again on the recovered database. */
export async function reopen({ after }: Drill, { w, deps, order }: Shop): Promise<Shop & { owner: pg.Pool }> {
  const poolOf = (options: string | undefined) => {
    const pool = new pg.Pool({ connectionString: w.deps.url, max: 4, ...(options && { options }) })
    pool.on('error', () => {})
    after(() => pool.end())
    return pool
  }
  const pool = poolOf(appRoleConnectionOptions)
  return {
    w,
    order,
    owner: poolOf(undefined),
    deps: { ...deps, pool, pools: { jobs: pool, chains: pool, probes: pool } },
  }
}

/** A shop after its recovery, with what it had confirmed before and after the point. */
export interface Recovered {
  shop: Shop & { owner: pg.Pool }
  before: string[]
  lost: string[]
  early: { id: string; to: string }
  queued: { id: string; to: string }
  took: Record<string, number>
}

/** Lets the server start, which must hold what leaves it, and releases it; returns what was found. */
export async function verifyRecovery({ shop, before, lost, early, queued, took }: Recovered): Promise<DrillFigure[]> {
  const { w, deps, owner } = shop
  const countOf = async (numbers: string[]): Promise<number> =>
    (await owner.query('select count(*)::int as n from payments where trade_no = any($1)', [numbers])).rows[0].n
  const there = await countOf(before)
  const after = await countOf(lost)
  const violated = await checkLedger({ pool: owner })
  await bindInstallation(deps)
  const hold = await readCopyHold(deps.pool)
  const signed = w.signer.signed.length
  const pass = () => runSendingPass(deps, w.chain, w.owners, new Map())
  const settleAgain = async () => {
    await pass()
    await w.call('anvil_mine', '0x4')
    await catchUp(deps, w.chain)
    await pass()
  }
  await settleAgain()
  const during = w.signer.signed.length - signed
  const logOf = async (id: string) =>
    (await owner.query('select log from test_payouts where id = $1', [id])).rows[0].log.join(', ')
  const doubt = await logOf(queued.id)
  await releaseCopy(deps)
  await settleAgain()
  await resumeWallets(deps, w.definition.id)
  await settleAgain()
  const [once, twice] = await Promise.all([early, queued].map(each => w.balance(each.to)))
  const seconds = (what: string) => `${took[what]!.toFixed(1)} s`
  return [
    figure(
      'orders confirmed before the point that are there',
      `${there} of ${before.length}`,
      'all',
      there === before.length,
    ),
    figure('orders after the point', String(after), '0, as they are undone', after === 0),
    figure('violations of the ledger', String(violated.length), '0', violated.length === 0),
    figure('held until it is released', hold?.reason.split(' ')[0] ?? 'no', 'held', hold !== undefined),
    figure('signed before the release', String(during), '0', during === 0),
    figure('the payout made after the point', doubt, 'waits for a person', doubt.includes('restored')),
    figure('received by its receiver', `${twice! / usdt} USDT`, '5, once', twice === 5n * usdt && once === 5n * usdt),
    ...Object.keys(took)
      .filter(what => what !== 'restore')
      .map(what => figure(what, seconds(what), 'a figure', true)),
    figure('restore to the point', seconds('restore'), `at most ${restoreLimit} s`, took.restore! <= restoreLimit),
  ]
}

export const figure = (what: string, value: string, limit: string, holds: boolean): DrillFigure => ({
  what,
  value,
  limit,
  holds,
})
