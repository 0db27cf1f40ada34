import { execFile } from 'node:child_process'
import { readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { type Installation, untilReady } from './installation.ts'
import { type DrillFigure, makeFigure } from './part.ts'
import type { DrillShop } from './shop.ts'

const signerMain = 'apps/server/src/signer/main.ts'
const serverMain = 'apps/server/src/main.ts'
/** Seconds for which the script waits for a unit that will not answer. A server needs ten on this machine. */
const patience = '40'

/** A step that does not run beside servers. */
const stop = `export async function up() {}
export const needsStop = 'the drill says so'
`

/** What runs `ops/upgrade.sh`, with what is installed in two folders. */
export interface Upgrading {
  installation: Installation
  releases: { former: string; next: string }
  shop: DrillShop
  figures: DrillFigure[]
}

/** How a run of `ops/upgrade.sh` ended, and what it wrote. */
interface UpgradeRun {
  code: number | string
  output: string
}

/** Starts `ops/upgrade.sh` of the newer version. */
function startUpgrade({ installation, releases }: Upgrading, to: string, env: Record<string, string> = {}) {
  const script = join(releases.next, 'ops/upgrade.sh')
  const options = { env: { ...installation.env, ...env }, maxBuffer: 2 ** 26 }
  let child: ReturnType<typeof execFile>
  const ended = new Promise<UpgradeRun>(resolve => {
    child = execFile('sh', [script, to], options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? String(error.signal)) : 0, output: stdout + stderr }),
    )
  })
  return { kill: () => child.kill('SIGKILL'), ended }
}

/** Upgrades, and fails unless that succeeds. */
export async function upgradeTo(upgrading: Upgrading, to: string): Promise<void> {
  const { code, output } = await startUpgrade(upgrading, to).ended
  if (code !== 0) throw new Error(`ops/upgrade.sh ended with ${code}: ${output}`)
}

/** Replaces a file of a release, or adds one, while something runs. */
async function withFile(release: string, file: string, text: string, work: () => Promise<void>): Promise<void> {
  const path = join(release, file)
  const kept = path.replace(/\.ts$/, '.kept.ts')
  const isThere = file !== stopFile
  // Its bytes may be shared with others.
  if (isThere) renameSync(path, kept)
  writeFileSync(path, text)
  await work().finally(() => (isThere ? renameSync(kept, path) : rmSync(path)))
}

const stopFile = 'apps/server/src/migrations/steps/9002_stop.ts'

/** What an upgrade that is refused leaves as it is: the link, what runs from where, and the steps that ran. */
async function describeState({ installation }: Upgrading): Promise<string> {
  const owner = new pg.Client({ connectionString: installation.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query('select name from kysely_migration order by name')
  await owner.end()
  const { current, running, processes } = installation
  return JSON.stringify([readlinkSync(current), running(), processes(), rows])
}

/** Runs an upgrade that must fail with these words and change nothing. */
async function expectRefusal(upgrading: Upgrading, what: string, words: RegExp, env: Record<string, string> = {}) {
  const { releases, shop, figures } = upgrading
  const before = await describeState(upgrading)
  await shop.measure(what, async () => {
    const { code, output } = await startUpgrade(upgrading, releases.next, env).ended
    if (code !== 1 || !words.test(output)) throw new Error(`${what}: ended with ${code}: ${output}`)
  })
  const changed = (await describeState(upgrading)) === before ? 0 : 1
  figures.push(makeFigure(`${what}: link, processes or steps that changed`, changed, 0, ''))
}

/** A check that fails, and a step that needs a stop: nothing is touched. */
export async function refuseUpgrades(upgrading: Upgrading): Promise<void> {
  await expectRefusal(upgrading, 'the check fails', /^FAIL {2}prices: /m, {
    COFFER_PRICES_URL: 'http://127.0.0.1:1',
  })
  await withFile(upgrading.releases.next, stopFile, stop, () =>
    expectRefusal(upgrading, 'a step needs a stop', /must not while these steps do: 9002_stop/),
  )
}

/** Runs an upgrade that must go back for one unit, and compares what runs afterwards. */
async function expectReturn(upgrading: Upgrading, what: string, words: RegExp, renewed: string[]): Promise<void> {
  const { installation, releases, shop, figures } = upgrading
  await shop.measure(what, async () => {
    const { code, output } = await startUpgrade(upgrading, releases.next, { COFFER_READY_SECONDS: patience }).ended
    if (code !== 1 || !words.test(output)) throw new Error(`${what}: ended with ${code}: ${output}`)
  })
  const units = ['coffer-signer', 'coffer', 'coffer@second']
  const expected = units.map(unit => (renewed.includes(unit) ? releases.next : releases.former))
  const running = installation.running()
  const others = units.filter((unit, i) => running[unit] !== expected[i]).length
  const link = readlinkSync(installation.current) === releases.former ? 0 : 1
  figures.push(makeFigure(`${what}: link or services at another version`, others + link, 0, ''))
}

/** What does not start with the new version goes back, and the next run finishes. */
export async function goBack(upgrading: Upgrading): Promise<void> {
  const { next } = upgrading.releases
  await withFile(next, signerMain, 'process.exit(1)\n', () =>
    expectReturn(upgrading, 'the signer does not start', /coffer-signer runs \S+ again\.$/m, []),
  )
  await withFile(next, serverMain, 'process.exit(1)\n', () =>
    expectReturn(upgrading, 'the first server ends at its start', /^coffer runs \S+ again\.$/m, ['coffer-signer']),
  )
  const second = upgrading.installation.ports['coffer@second']
  await withFile(next, serverMain, silentAt(second), () =>
    expectReturn(upgrading, 'the second server never answers', / coffer-signer coffer\. That is safe\. Repeat/, [
      'coffer-signer',
      'coffer',
    ]),
  )
}

/** A server that is as it should be, except at this port, where it does not even listen. */
const silentAt = (port: number) => `if (process.env.COFFER_PORT === '${port}') setInterval(() => {}, 1_000)
else await import('./main.kept.ts')
`

/**
 * Kills the script once the first server runs the new version. The next run finds the second server not answering, and
 * goes back to the version that ran before the first run; the one after finishes.
 */
export async function interrupt(upgrading: Upgrading): Promise<void> {
  const { installation, releases, shop } = upgrading
  await shop.measure('the script is killed in the middle', async () => {
    const upgrade = startUpgrade(upgrading, releases.next)
    await until('the first server runs the new version', () => installation.running().coffer === releases.next)
    upgrade.kill()
    await upgrade.ended
    // A run that begins finds all services answering.
    await untilReady(installation.ports.coffer)
  })
  await withFile(releases.next, serverMain, silentAt(installation.ports['coffer@second']), () =>
    expectReturn(upgrading, 'repeated, the second server never answers', /with \S+\/former again/, [
      'coffer-signer',
      'coffer',
    ]),
  )
  await shop.measure('repeated again', () => upgradeTo(upgrading, releases.next))
}
