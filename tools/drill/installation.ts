import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type SupervisedChild, startChild } from '@coffer/local/children.ts'
import { startPostgres } from '@coffer/local/postgres.ts'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { databaseUrl } from '@coffer/local/testing/postgres.ts'
import { until } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { serverFlags, serverMalloc } from '../parts.ts'
import type { Drill } from './part.ts'
import type { Surroundings } from './surroundings.ts'

const run = promisify(execFile)
const secret = '5f0c1d7a9e3b48261f7d0c9a8b6e4d21'
/** How long systemd waits for a service to stop (s), as `TimeoutStopSec` of the units. */
const stopSeconds = 15

/** What the units run of a release. */
const scripts = { server: 'apps/server/src/main.ts', signer: 'apps/server/src/signer/main.ts' }

/** An installation on this machine as docs/operator.md makes it, with a `systemctl` of its own. */
export interface Installation {
  ownerUrl: string
  ports: { coffer: number; 'coffer@second': number }
  secret: string
  /** The link to the version that runs. */
  current: string
  /** The environment in which operators run the files of `ops/`. */
  env: NodeJS.ProcessEnv
  /** What `coffer.env` holds. */
  settings: Readonly<Record<string, string>>
  /** Changes it, for what is started afterwards. */
  changeSettings: (changes: Record<string, string>) => void
  /** Socket of the signer. */
  socket: string
  /** The folder from which each unit that runs was started, and its process. */
  running: () => Record<string, string>
  processes: () => Record<string, number>
  /** Runs `coffer` of a release as the owner of the database. */
  startCoffer: (release: string, ...words: string[]) => ReturnType<typeof spawn>
  systemctl: (...words: string[]) => Promise<string>
}

/**
 * Makes database, roles, settings and keys, and links the release. Starts nothing but the database. `more` are further
 * settings.
 */
export async function makeInstallation(
  drill: Drill,
  release: string,
  { chains, mail }: Surroundings,
  more: Record<string, string>,
): Promise<Installation> {
  const { folder } = drill
  const { ownerUrl, serverUrl } = await makeDatabase(drill)
  const ports = { coffer: await steadyPort(), 'coffer@second': await steadyPort() }
  const etc = join(folder, 'etc')
  const current = join(folder, 'current')
  mkdirSync(etc)
  symlinkSync(release, current)
  const { signerEnv, xpub } = await makeKeys(drill, release, etc, chains)
  const socket = join(folder, 'signer.sock')
  const settings: Record<string, string> = {
    COFFER_MODE: 'production',
    COFFER_PORT: String(ports.coffer),
    COFFER_TRUST_PROXY: '1',
    COFFER_PUBLIC_URL: 'https://pay.example',
    COFFER_SECRET: secret,
    COFFER_BREACHED_URL: 'none',
    ...mail,
    ...more,
    COFFER_XPUB_EVM: xpub,
    COFFER_CHAINS: chains,
    COFFER_SIGNER_SOCKET: socket,
    DATABASE_URL: serverUrl,
  }
  const changeSettings = writeSettings(etc, settings, ownerUrl, ports['coffer@second'])
  const envOf = (unit: string): Record<string, string> =>
    unit === 'coffer-signer'
      ? { ...signerEnv, COFFER_SIGNER_SOCKET: socket }
      : {
          ...settings,
          ...serverMalloc,
          COFFER_PORT: String(ports[unit as keyof typeof ports]),
          COFFER_DATA: join(folder, unit),
        }
  const services = makeServices(drill, current, envOf)
  const env = {
    PATH: `${await services.linkSystemctl()}:${process.env.PATH}`,
    COFFER_ETC: etc,
    COFFER_CURRENT_LINK: current,
  }
  return {
    ownerUrl,
    ports,
    secret,
    current,
    env,
    settings,
    changeSettings,
    socket,
    running: services.running,
    processes: services.processes,
    startCoffer: (of, ...words) =>
      spawn(join(of, 'node_modules/node/bin/node'), ['apps/server/src/cli/main.ts', ...words], {
        cwd: of,
        env: { PATH: process.env.PATH, ...settings, DATABASE_OWNER_URL: ownerUrl },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    systemctl: (...words) => services.handle(words),
  }
}

/** Writes the files of `/etc/coffer`. Returns what changes settings, for what is started afterwards. */
function writeSettings(etc: string, settings: Record<string, string>, ownerUrl: string, secondPort: number) {
  const write = (name: string, each: Record<string, string>) => {
    const lines = Object.entries(each).map(([key, value]) => `${key}=${value}\n`)
    writeFileSync(join(etc, name), lines.join(''), { mode: 0o600 })
  }
  write('coffer.env', settings)
  write('owner.env', { DATABASE_OWNER_URL: ownerUrl })
  write('second.env', { COFFER_PORT: String(secondPort) })
  return (changes: Record<string, string>) => write('coffer.env', Object.assign(settings, changes))
}

/** Makes the signer's folder, as an operator does. */
async function makeKeys({ folder }: Drill, release: string, etc: string, chains: string) {
  const passphrase = join(etc, 'signer-passphrase')
  writeFileSync(passphrase, 'drill of an upgrade\n', { mode: 0o600 })
  const signerEnv = {
    COFFER_DATA: join(folder, 'signer'),
    COFFER_CHAINS: chains,
    COFFER_SIGNER_PASSPHRASE_FILE: passphrase,
  }
  const keys = await run(
    join(release, 'node_modules/node/bin/node'),
    ['apps/server/src/cli/main.ts', 'signer', 'init'],
    {
      cwd: release,
      env: { PATH: process.env.PATH, ...signerEnv },
    },
  )
  const [, xpub] = /COFFER_XPUB_EVM=(\S+)/.exec(keys.stdout) ?? []
  if (!xpub) throw new Error(`signer init printed no public key: ${keys.stdout.replace(/^.*phrase.*$/gim, '')}`)
  return { signerEnv, xpub }
}

/** Starts PostgreSQL and makes the roles and the database of docs/operator.md. */
async function makeDatabase({ folder, after }: Drill) {
  const postgres = await startPostgres({ dataDir: join(folder, 'database') })
  after(postgres.stop)
  const url = (user: string, name: string) => databaseUrl(postgres.url, name).replace(/\/\/[^@]*@/, `//${user}@`)
  const superuser = new pg.Client({ connectionString: url('coffer', 'postgres') })
  await superuser.connect()
  for (const sql of [
    'create role coffer_app nologin',
    "create role coffer_owner login password 'owner' in role coffer_app",
    "create role coffer_server login password 'server' in role coffer_app",
    `create database shop owner coffer_owner encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0`,
  ])
    await superuser.query(sql)
  await superuser.end()
  return { ownerUrl: url('coffer_owner', 'shop'), serverUrl: url('coffer_server', 'shop') }
}

/** What systemd does for the units: runs them from where the link leads, and stops them by SIGTERM. */
function makeServices({ folder, after }: Drill, current: string, envOf: (unit: string) => Record<string, string>) {
  const running = new Map<string, SupervisedChild>()
  const stop = async (unit: string) => {
    await running.get(unit)?.stop()
    running.delete(unit)
  }
  const start = async (unit: string) => {
    const isSigner = unit === 'coffer-signer'
    const output = openSync(join(folder, `${unit}.log`), 'a', 0o600)
    const data = join(folder, isSigner ? 'signer/signer' : unit)
    mkdirSync(data, { recursive: true })
    const script = isSigner ? [scripts.signer, data] : [...serverFlags, scripts.server]
    const child = await startChild({
      name: unit,
      command: join(current, 'node_modules/node/bin/node'),
      args: script,
      cwd: current,
      env: { PATH: process.env.PATH, ...envOf(unit) },
      stdio: ['ignore', output, output],
      stopWith: [['SIGTERM', stopSeconds * 1_000]],
    })
    closeSync(output)
    running.set(unit, child)
    void child.ended.then(() => {
      if (running.get(unit) === child) running.delete(unit)
    })
  }
  after(async () => void (await Promise.all([...running.keys()].map(stop))))
  const answer = async ([verb, ...words]: string[]): Promise<string> => {
    const units = words.filter(word => /^coffer[\w@-]*$/.test(word))
    if (verb === 'list-units')
      return [...running.keys()]
        .filter(unit => unit !== 'coffer-signer')
        .sort()
        .map(unit => `${unit}.service loaded active running\n`)
        .join('') // prettier-ignore
    if (verb === 'is-active') return running.has(units[0]!) ? '' : 'inactive'
    for (const unit of units) {
      if (verb !== 'start') await stop(unit)
      if (verb !== 'stop') await start(unit)
    }
    return ''
  }
  // One after the other, as systemd does: the jobs of a script that was killed, too.
  let last = Promise.resolve('')
  const handle = (words: string[]): Promise<string> => {
    const done = last.then(() => answer(words))
    last = done.catch(() => '')
    return done
  }
  const mapRunning = <T>(read: (pid: number) => T): Record<string, T> =>
    Object.fromEntries([...running].map(([unit, { id }]) => [unit, read(id.pid)]))
  return {
    handle,
    running: () => mapRunning(pid => readlinkSync(`/proc/${pid}/cwd`)),
    processes: () => mapRunning(pid => pid),
    linkSystemctl: () => linkSystemctl(folder, after, handle),
  }
}

/** Writes a program `systemctl` that asks this process. Returns its folder. */
async function linkSystemctl(folder: string, after: Drill['after'], handle: (words: string[]) => Promise<string>) {
  const socket = join(folder, 'systemctl.sock')
  const server = createServer(async (request, response) => {
    const words = decodeURIComponent(request.url!.slice(1)).split(' ')
    const answer = await handle(words).catch(error => `failed: ${error}`)
    response.statusCode = /^(?:inactive|failed)/.test(answer) ? 500 : 200
    response.end(answer)
  })
  server.listen(socket)
  after(() => void server.close())
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const ask = `require('node:http').get({ socketPath: ${JSON.stringify(socket)}, path: '/' + encodeURIComponent(process.argv.slice(1).join(' ')) },
    each => { each.pipe(process.stdout); process.exitCode = each.statusCode === 200 ? 0 : 1 })`
  writeFileSync(join(bin, 'ask.cjs'), ask.replace('process.argv.slice(1)', 'process.argv.slice(2)'))
  writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\nexec ${process.execPath} ${join(bin, 'ask.cjs')} "$@"\n`, {
    mode: 0o755,
  })
  return bin
}

/** Waits until a server answers. */
export const untilReady = (port: number) =>
  until(`the server at port ${port} answers`, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok)

/** Runs `coffer` of a release as the owner, and fails unless that succeeds. */
export async function runCoffer({ startCoffer }: Installation, release: string, ...words: string[]): Promise<void> {
  const child = startCoffer(release, ...words)
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', chunk => {
      output += chunk
    })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`coffer ${words.join(' ')}: ${output}`)
}
