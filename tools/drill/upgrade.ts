import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { until } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { goBack, interrupt, refuseUpgrades, type Upgrading, upgradeTo } from './faults.ts'
import { type Installation, makeInstallation, runCoffer } from './installation.ts'
import type { Drill, DrillPart } from './part.ts'
import { cloneAt, installRelease, lastRelease, lendModules } from './releases.ts'
import { openShop, startServices } from './shop.ts'
import { startSurroundings } from './surroundings.ts'

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

/** Upgrades and goes back while a shop orders and pays out. */
export const upgradeDrill: DrillPart = {
  what: 'a shop orders and pays out while two servers and the signer are upgraded, fail at it, and go back',
  async run(drill) {
    const { releases, clone } = await installReleases(drill)
    const surroundings = await startSurroundings(drill)
    const settings = { ...surroundings.prices, COFFER_WITHDRAW_HOLD_HOURS: '0' }
    const installation = await makeInstallation(drill, releases.former, surroundings, settings)
    await runCoffer(installation, releases.former, 'migrate')
    await startServices(installation, surroundings)
    const shop = await openShop(drill, installation, surroundings, clone)
    const upgrading: Upgrading = { installation, releases, shop, figures: [] }
    await refuseUpgrades(upgrading)
    await killMigration(installation, releases.next)
    drill.log('killed "coffer migrate" in the middle of an index')
    await goBack(upgrading)
    await shop.measure('upgrade', () => upgradeTo(upgrading, releases.next))
    await shop.measure('back to the version before', () => upgradeTo(upgrading, releases.former))
    await interrupt(upgrading)
    return [...upgrading.figures, ...(await shop.close())]
  },
}

/** Installs the last release, and this version with one more step. */
async function installReleases({ folder, from, log }: Drill) {
  const commit = from || (await lastRelease())
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
  return { releases, clone }
}

/** Kills `migrate` in the middle of an index. @throws OperatorProblem when a step needs every server to be stopped */
async function killMigration({ ownerUrl, startCoffer }: Installation, release: string) {
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
      throw new OperatorProblem(`The version before cannot be upgraded while it runs: ${output.trim()}`)
    }
    child.kill('SIGKILL')
    await ended
  } finally {
    await Promise.all([reader.end(), observer.end()])
  }
}
