import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { type Installation, makeInstallation, untilReady } from './installation.ts'
import { startShop } from './orders.ts'
import { type Drill, type DrillFigure, type DrillPart, makeFigure } from './part.ts'
import { startProxies } from './proxies.ts'
import { cloneAt, installRelease, lastRelease, lendModules } from './releases.ts'

const run = promisify(execFile)
/** How long an order may be refused while versions change beside each other, and while all servers are stopped (s). */
const limits = { rolling: 5, stopped: 120 }

/** What the version that is installed does to the database of the one before: one of each kind that takes long. */
const step = `import { sql } from 'kysely'
export async function up(db) {
  await sql\`
    alter table payments add column drill_note text not null default '';
    alter table payments add constraint drill_note_short check (length(drill_note) < 100) not valid\`.execute(db)
}
export const fits = { drill_note_short: 'they write none' }
export const later = [
  { kind: 'index', name: 'payments_drill_note', table: 'payments', definition: '(drill_note)' },
  { kind: 'fill', table: 'payments', set: "drill_note = trade_no", where: "drill_note = ''" },
  { kind: 'validate', table: 'payments', constraint: 'drill_note_short' },
]
`

/** Upgrades and goes back while a shop orders through the proxies. */
export const upgradeDrill: DrillPart = {
  what: 'a shop orders while two servers and the signer are upgraded and go back',
  async run(drill) {
    const { folder, log } = drill
    const commit = drill.from || (await lastRelease())
    const releases = { former: join(folder, 'former'), next: join(folder, 'next') }
    const clone = join(folder, 'clone')
    log(`installs ${commit} and this version, each from a clean clone`)
    await cloneAt(commit, clone)
    await installRelease(clone, releases.former)
    await lendModules(clone)
    const nextClone = join(folder, 'clone-next')
    await cloneAt('HEAD', nextClone)
    writeFileSync(join(nextClone, 'apps/server/src/migrations/steps/9001_drill.ts'), step)
    await installRelease(nextClone, releases.next)

    const installation = await makeInstallation(drill, releases.former)
    const { ports, systemctl } = installation
    await coffer(installation, releases.former, 'migrate')
    await systemctl('start', 'coffer-signer', 'coffer', 'coffer@second')
    await Promise.all(Object.values(ports).map(untilReady))
    const proxies = await startProxies(drill, { first: ports.coffer, second: ports['coffer@second'] })
    const opened = await run(process.execPath, [
      join(import.meta.dirname, 'open-shop.ts'),
      clone,
      installation.ownerUrl,
      installation.secret,
    ])
    const shop = startShop(Object.values(proxies), opened.stdout.trim())
    drill.after(shop.close)
    log(`two servers, a signer, a shop that orders through ${Object.keys(proxies).join(' and ')}`)
    await until('orders are accepted', () => shop.orders.accepted > 20)
    shop.reset()
    const figures = await upgradeBoth(drill, installation, releases, shop)
    await shop.close()
    const owner = new pg.Client({ connectionString: installation.ownerUrl })
    await owner.connect()
    const { rows } = await owner.query('select out_trade_no as number from payments')
    await owner.end()
    const stored = rows.map(row => row.number as string)
    const lost = [...shop.orders.numbers].filter(number => !stored.includes(number)).length
    const doubled = stored.length - new Set(stored).size
    return [...figures, makeFigure('accepted orders that are lost or doubled', lost + doubled, 0, '')]
  },
}

async function upgradeBoth(
  drill: Drill,
  installation: Installation,
  releases: { former: string; next: string },
  shop: ReturnType<typeof startShop>,
): Promise<DrillFigure[]> {
  const { log } = drill
  const figures: DrillFigure[] = []
  const measure = async (what: string, limit: number, work: () => Promise<unknown>) => {
    shop.reset()
    const began = performance.now()
    await work()
    // The orders after it, too.
    const until_ = shop.orders.accepted + 20
    await until('the shop orders again', () => shop.orders.accepted >= until_)
    const { accepted, repeated, why, longest } = shop.orders
    const seconds = ((performance.now() - began) / 1_000).toFixed(0)
    log(`${what}: ${seconds} s, ${accepted} orders, ${repeated} attempts repeated ${JSON.stringify(why)}`)
    figures.push(makeFigure(`${what}: longest wait for an order`, longest, limit))
  }
  const script = (name: string, ...words: string[]) =>
    run('sh', [join(releases.next, 'ops', name), ...words], { env: installation.env, maxBuffer: 2 ** 26 })
  const isOnline = await killMigration(installation, releases.next, log)
  if (!isOnline) {
    log('the version before needs every server to be stopped')
    await measure('stopped upgrade', limits.stopped, async () => {
      await installation.systemctl('stop', 'coffer', 'coffer@second')
      await coffer(installation, releases.next, 'migrate')
      await run('ln', ['-sfn', releases.next, installation.current])
      await installation.systemctl('restart', 'coffer-signer', 'coffer', 'coffer@second')
      await Promise.all(Object.values(installation.ports).map(untilReady))
    })
    return figures
  }
  await measure('upgrade', limits.rolling, () => script('upgrade.sh', '--unchecked', releases.next))
  await measure('back to the version before', limits.rolling, () =>
    script('upgrade.sh', '--unchecked', releases.former),
  )
  await measure('upgrade again', limits.rolling, () => script('upgrade.sh', '--unchecked', releases.next))
  return figures
}

/** Kills `migrate` in the middle of an index. Returns false when a step needs every server to be stopped. */
async function killMigration({ ownerUrl, startCoffer }: Installation, release: string, log: Drill['log']) {
  const [reader, observer] = [0, 1].map(() => new pg.Client({ connectionString: ownerUrl })) as [pg.Client, pg.Client]
  await Promise.all([reader.connect(), observer.connect()])
  try {
    // The index waits for whoever has read before.
    await reader.query('begin isolation level repeatable read; select from merchants limit 1')
    const child = startCoffer(release, 'migrate')
    let output = ''
    child.stderr!.on('data', chunk => {
      output += chunk
    })
    const ended = once(child, 'exit')
    const begun = until('the index is begun', async () => {
      const { rowCount } = await observer.query(
        "select from pg_index where indexrelid = to_regclass('payments_drill_note') and not indisvalid",
      )
      return rowCount
    })
    if ((await Promise.race([ended.then(() => 'ended'), begun.then(() => 'begun')])) === 'ended') {
      begun.catch(() => {})
      if (!/must not while these steps do/.test(output)) throw new Error(output)
      log(output.trim())
      return false
    }
    child.kill('SIGKILL')
    await ended
    log('killed "coffer migrate" in the middle of an index')
    return true
  } finally {
    await Promise.all([reader.end(), observer.end()])
  }
}

async function coffer({ startCoffer }: Installation, release: string, ...words: string[]): Promise<void> {
  const child = startCoffer(release, ...words)
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', chunk => {
      output += chunk
    })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`coffer ${words.join(' ')}: ${output}`)
}
