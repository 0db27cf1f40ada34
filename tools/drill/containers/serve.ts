/** `node serve.ts <folder> <sockets>`: runs all of `ops/compose.yml` with the images that build.ts has made. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAnvil } from '@coffer/local/anvil.ts'
import { until } from '@coffer/local/testing/until.ts'
import type { Coffer } from '@coffer/sdk'
import { type DrillFigure, makeFigure } from '../part.ts'
import { type Engine, startEngine } from './engine.ts'
import { addKeys, readSecrets } from './operator-files.ts'
import { farMachine, startOutside } from './outside.ts'
import { openShop, payOut, sell, serverUrl, transfer } from './shop.ts'

const [folder = '', sockets = ''] = process.argv.slice(2)
/** Those that run all the time. */
const services = ['database', 'signer', 'server', 'backup']

execFileSync('ip', ['link', 'set', 'lo', 'up'])
const chain = await startAnvil({ folder: join(folder, 'chain'), chainId: 31_337, blockTime: 1, keep: false })
const outside = await startOutside(folder, chain.url)
const engine = await startEngine(folder, sockets, true)
await start(engine)
await judgeRights(engine)
const coffer = await useShop(engine)
await checkBackup(engine)
await breakAndUpgrade(engine, coffer)
await restartMachine(engine, coffer)
await engine.compose('down', '--volumes')
const left = await engine.docker('ps', '--all', '--quiet')
print(makeFigure('containers that "down" has left', left.split('\n').filter(Boolean).length, 0, ''))
await engine.stop()
await chain.stop()
process.exit()

function print(figure: DrillFigure): void {
  console.log(JSON.stringify(figure))
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

function untilReady(): Promise<boolean> {
  return until('the server answers', async () => (await fetch(`${serverUrl}/readyz`)).ok)
}

/** Makes the keys and starts all, as the first lines of the file say; then starts all again. */
async function start({ compose, docker }: Engine): Promise<void> {
  const make = ['run', '--rm', '--no-deps', '-T', '-e', 'COFFER_DATA=/var/lib/coffer-signer', 'signer']
  addKeys(folder, await compose(...make, 'apps/server/src/cli/main.ts', 'signer', 'init'))
  print(
    makeFigure('first start, until the server answers', await measure(() => compose('up', '-d').then(untilReady)), 120),
  )
  const ids = () => compose('ps', '--quiet', ...services)
  const before = await ids()
  await compose('up', '-d')
  print(makeFigure('containers that "up" makes anew again', (await ids()) === before ? 0 : 1, 0, ''))
  const ill = await until(
    'all are healthy',
    async () =>
      (await docker('ps', '--format', '{{.Names}} {{.Status}}'))
        .split('\n')
        .filter(line => !/healthy\)|backup/.test(line)),
    list => list.length === 0,
  )
  print(makeFigure('containers that are not healthy', ill.length, 0, ''))
}

/** What the containers may do, as seen from inside. */
async function judgeRights({ compose, docker }: Engine): Promise<void> {
  const inside = (service: string, script: string) => compose('exec', '-T', service, 'sh', '-c', script)
  const count = async (what: string, text: Promise<string>) =>
    print(makeFigure(what, (await text).split('\n').filter(Boolean).length, 0, ''))
  const sql = "select rolname from pg_roles where rolname ~ '^coffer' and (rolsuper or rolcreaterole or rolcreatedb)"
  await count('roles of Coffer that are superusers', inside('database', `psql -U postgres -Atc "${sql}"`))
  const shared = await inside('database', 'df --output=size -m /dev/shm | tail -1')
  print({
    what: 'shared memory of the database',
    value: `${shared.trim()} MB`,
    limit: '256 MB',
    holds: Number(shared) === 256,
  })
  await count('networks of the signer', inside('signer', 'ls /sys/class/net | grep -v ^lo$ || true'))
  // Nothing answers there for it, and the mail server does for the server.
  // Of a network that is internal, this machine alone is reached by some engines.
  const { address, port } = farMachine
  const reach = `timeout 5 bash -c '</dev/tcp/${address}/${port}' 2>/dev/null && echo reached || true`
  for (const service of ['database', 'backup'])
    await count(`${service}: reaches other machines`, inside(service, reach))
  const reached = await inside('server', reach)
  print({
    what: 'server: reaches other machines',
    value: reached || 'no',
    limit: 'reached',
    holds: reached === 'reached',
  })
  for (const service of ['signer', 'server']) {
    await count(
      `${service}: capabilities`,
      inside(service, "grep -E '^Cap(Eff|Prm|Bnd)' /proc/self/status | grep -v '0000000000000000$' || true"),
    )
    await count(`${service}: runs as root`, inside(service, 'id -u | grep -x 0 || true'))
    await count(
      `${service}: can write its files`,
      inside(service, 'touch /opt/coffer/x /etc/x 2>/dev/null && echo could || true'),
    )
    const id = await compose('ps', '--quiet', service)
    const changes = docker('diff', id)
    // Where files are mounted.
    await count(
      `${service}: files written outside volumes`,
      changes.then(text => text.replace(/^. \/(?:etc|run)(?:\/(?:coffer|secrets).*)?$/gm, '')),
    )
  }
  await count(
    'seed or passphrase that the server can read',
    inside('server', 'cat /var/lib/coffer-signer/signer/* /run/secrets/* 2>/dev/null || true'),
  )
}

/** A merchant registers, sells, and is paid. */
async function useShop(each: Engine): Promise<Coffer> {
  const shop = await openShop(each, outside)
  print(makeFigure('an order, until its payment is credited', await measure(() => sell(shop, 'first')), 60))
  const wallets = await until(
    'the hot wallet is known',
    () => each.compose('exec', '-T', 'server', 'coffer', 'wallet', 'status'),
    text => /0x\w{40}/.test(text),
  )
  await transfer(/0x\w{40}/.exec(wallets)![0], '10')
  print(makeFigure('a payout, until it has arrived', await measure(() => payOut(shop, 'first')), 60))
  return shop
}

/** The service of backups has made one at its start; where the key is, it is restored. */
async function checkBackup({ compose }: Engine): Promise<void> {
  const list = await until(
    'a backup is made',
    () => compose('exec', '-T', 'backup', 'ls', '/var/backups/coffer'),
    text => /\.age$/m.test(text),
  )
  const { backup, superuser } = readSecrets(folder)
  writeFileSync(join(folder, 'clone/ops/backup.key'), `${backup}\n`, { mode: 0o644 })
  const file = list.split('\n').find(name => name.endsWith('.age'))
  const key = `${join(folder, 'clone/ops/backup.key')}:/tmp/key/backup.key:ro`
  const scratch = `COFFER_BACKUP_SCRATCH_URL=postgres://postgres:${superuser}@database:5432/postgres`
  const options = [
    '--rm',
    '--no-deps',
    '-T',
    '-v',
    key,
    '-e',
    'COFFER_BACKUP_KEY_FILE=/tmp/key/backup.key',
    '-e',
    scratch,
  ]
  const verify = ['backup', 'verify', `/var/backups/coffer/${file}`]
  const said = await compose('run', ...options, '--entrypoint', 'coffer', 'backup', ...verify)
  print({
    what: 'the backup is restored',
    value: /its ledger is consistent/.test(said) ? 'it fits' : said,
    limit: 'it fits',
    holds: /its ledger is consistent/.test(said),
  })
}

/** Restarts the server, kills the database, and upgrades. */
async function breakAndUpgrade({ compose, docker }: Engine, shop: Coffer): Promise<void> {
  const id = await compose('ps', '--quiet', 'server')
  const seconds = await measure(() => compose('stop', 'server'))
  const code = Number(await docker('inspect', '--format', '{{.State.ExitCode}}', id))
  print(makeFigure('stopping the server', seconds, 20))
  print(makeFigure('its exit code', code, 0, ''))
  await compose('start', 'server')
  await untilReady()
  const database = await compose('ps', '--quiet', 'database')
  process.kill(Number(await docker('inspect', '--format', '{{.State.Pid}}', database)), 'SIGKILL')
  print(makeFigure('an order, after the database was killed', await measure(() => sell(shop, 'second')), 60))
  for (const image of ['coffer', 'coffer-backup']) {
    const context = join(folder, 'next')
    execFileSync('mkdir', ['-p', context])
    writeFileSync(join(context, 'Dockerfile'), `FROM ${image}\nLABEL drill=next\n`)
    await docker('build', '--quiet', '-t', image, context)
  }
  await compose('run', '--rm', '-T', 'migrate')
  print(
    makeFigure(
      'an upgrade, until an order is paid',
      await measure(() => compose('up', '-d').then(() => sell(shop, 'third'))),
      90,
    ),
  )
  const labels = await Promise.all(
    ['signer', 'server', 'backup'].map(async service =>
      docker('inspect', '--format', '{{.Config.Labels.drill}}', await compose('ps', '--quiet', service)),
    ),
  )
  print(makeFigure('services that run the former image', labels.filter(label => label !== 'next').length, 0, ''))
}

/** Stops the engine, with all that it runs, and starts it again, as a machine does. */
async function restartMachine({ start: startAgain, stop }: Engine, shop: Coffer): Promise<void> {
  await stop()
  const seconds = await measure(async () => {
    await startAgain()
    await untilReady()
    await sell(shop, 'fourth')
    await payOut(shop, 'second')
  })
  print(makeFigure('after a restart of the machine, until a payout arrived', seconds, 120))
}
