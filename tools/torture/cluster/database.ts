import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { postgresAccount } from '@coffer/local/account.ts'
import { type Machine, machines, type Network } from './network.ts'
import { type Member, openPatroni } from './patroni.ts'
import { type Program, signalAll, startProgram, withChildren } from './program.ts'
import type { Programs } from './programs.ts'

const runFile = promisify(execFile)
const files = join(import.meta.dirname, '..', '..', '..', 'ops', 'cluster')
const passwords = {
  SUPERUSER_PASSWORD: 'superuser-of-torture',
  REPLICATION_PASSWORD: 'replication-of-torture',
  REWIND_PASSWORD: 'rewind-of-torture',
  COFFER_OWNER_PASSWORD: 'owner-of-torture',
  COFFER_SERVER_PASSWORD: 'server-of-torture',
}
export const ownerLogin = `coffer:${passwords.COFFER_OWNER_PASSWORD}`

export const superuserLogin = `postgres:${passwords.SUPERUSER_PASSWORD}`
export const serverLogin = `coffer_server:${passwords.COFFER_SERVER_PASSWORD}`

/** Fills a file of `ops/cluster` in. */
export function render(file: string, to: string, settings: Record<string, string>): string {
  const env = { PATH: process.env.PATH, ...settings }
  writeFileSync(to, execFileSync(join(files, 'render.sh'), [join(files, file)], { env }))
  return to
}

/** Makes the certificates of all machines, as an operator does. Returns the folder, with one for each machine. */
export function makeCertificates(
  folder: string,
  addresses: Record<Machine, string>,
  { only = machines, env = {} }: { only?: readonly Machine[]; env?: NodeJS.ProcessEnv } = {},
) {
  const members = only.map(each => `${each}=${addresses[each]}`)
  execFileSync(join(files, 'certificates.sh'), [folder, ...members], { env: { PATH: process.env.PATH, ...env } })
  // Servers, which are another user's, read the authority's.
  chmodSync(folder, 0o711)
  const account = clusterAccount()
  for (const each of account ? only : [])
    for (const path of ['', 'member.crt', 'member.key', 'ca.crt'])
      chownSync(join(folder, each, path), account!.uid, account!.gid)
  return folder
}

/** Whose the database is where this process is root: Debian's `postgres`, which may sign in by the socket. */
export const clusterAccount = () => postgresAccount(['postgres', 'coffer', 'nobody', 'daemon'])

/** The beginning of the command line of a program that root must not be. */
export function asAccount(): string[] {
  const account = clusterAccount()
  return account ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : []
}

/** One machine of the database: etcd, Patroni and PostgreSQL. */
export interface DatabaseMachine {
  name: Machine
  /** Folder of all that it keeps; PostgreSQL's is `pg` in it. */
  folder: string
  /** Folder of PostgreSQL's socket. */
  sockets: string
  /** Runs a command there as PostgreSQL's user. Returns what it prints. */
  run: (command: string, ...words: string[]) => Promise<string>
  /** Lets Patroni read its settings again, as "systemctl reload patroni" does. */
  reload: () => void
  crash: () => void
  release: () => void
  freeze: () => void
  thaw: () => void
  /** Kills PostgreSQL alone. */
  crashPostgres: () => void
  stop: () => Promise<void>
}

export interface Cluster {
  /** Folder of the certificates: `ca.crt`, and of each member. */
  certificates: string
  machines: Record<Machine, DatabaseMachine>
  /** The members as any of them sees them; empty while none answers. */
  members: () => Promise<Member[]>
  /** Waits until there is a primary, a standby that commits wait for, and all three follow. */
  untilWhole: (seconds: number) => Promise<void>
  switchover: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts three PostgreSQL under Patroni from the files of `ops/cluster`, and waits until they replicate. */
export async function startCluster(
  dataDir: string,
  network: Network,
  programs: Programs,
  /** Variables of a machine, by its folder. */
  envOf: (folder: string) => Record<string, string> = () => ({}),
): Promise<Cluster> {
  const certificates = makeCertificates(join(dataDir, 'certificates'), network.addresses)
  const patroni = openPatroni(network, certificates)
  const { members } = patroni
  const started: DatabaseMachine[] = []
  const stop = async () => void (await Promise.all(started.map(each => each.stop())))
  const untilWhole = async (seconds: number) => {
    for (const end = performance.now() + seconds * 1_000; ; await sleep(500)) {
      const found = await members()
      const roles = found.map(each => each.role)
      const isWhole = ['leader', 'sync_standby'].every(each => roles.includes(each))
      // A former primary also runs while it does not follow the new one yet.
      const follow = found.filter(
        each => ['running', 'streaming'].includes(each.state) && each.timeline === found[0]?.timeline,
      )
      if (isWhole && follow.length === 3) return
      if (performance.now() > end) throw new Error(`the cluster is not whole: ${JSON.stringify(found)}`)
    }
  }
  try {
    for (const name of machines)
      started.push(await startMachine(name, { dataDir, certificates, network, programs, envOf }))
    await untilWhole(120)
  } catch (error) {
    await stop()
    throw error
  }
  const [db1, db2, db3] = started as [DatabaseMachine, DatabaseMachine, DatabaseMachine]
  return { certificates, machines: { db1, db2, db3 }, members, untilWhole, switchover: patroni.switchOver, stop }
}

interface Starting {
  dataDir: string
  certificates: string
  network: Network
  programs: Programs
  envOf: (folder: string) => Record<string, string>
}

async function startMachine(name: Machine, on: Starting): Promise<DatabaseMachine> {
  const { network, programs } = on
  const { folder, sockets, own, settings } = prepareMachine(name, on)
  const env = {
    ...settings,
    PATH: `${programs.postgres}:${process.env.PATH}`,
    HOME: folder,
    LANG: 'C.UTF-8',
    PATRONICTL_CONFIG_FILE: join(folder, 'patroni.yml'),
    PGHOST: sockets,
    ...on.envOf(folder),
  }
  const start = (program: string, args: string[]) =>
    startProgram({
      name: `${program} of ${name}`,
      commandLine: network.on(name, [...asAccount(), ...args]),
      env,
      log: join(folder, `${program}.log`),
    })
  const etcd = await start('etcd', [programs.etcd, '--config-file', own('etcd.conf.yml')])
  const patroni = await start('patroni', [programs.patroni, own('patroni.yml')])
  const run = async (...words: string[]) => {
    const [command = '', ...args] = network.on(name, [...asAccount(), ...words])
    const { stdout } = await runFile(command, args, { env, cwd: '/', maxBuffer: 2 ** 26 })
    return stdout
  }
  return { name, folder, sockets, run, ...controls(join(folder, 'pg'), [patroni, etcd]) }
}

/** Makes the folders of a machine; `own` fills a file of `ops/cluster` in for it. */
function prepareMachine(name: Machine, { dataDir, certificates, network, programs }: Starting) {
  const account = clusterAccount()
  const folder = join(dataDir, name)
  const sockets = join(folder, 'run')
  for (const each of [folder, sockets, join(folder, 'etcd')]) {
    mkdirSync(each, { recursive: true })
    chmodSync(each, 0o700)
    if (account) chownSync(each, account.uid, account.gid)
  }
  // Servers, which are another user's, use the socket.
  chmodSync(folder, 0o711)
  chmodSync(sockets, 0o755)
  const script = join(folder, 'create-database.sh')
  copyFileSync(join(files, 'create-database.sh'), script)
  const { db1, db2, db3 } = network.addresses
  const settings = {
    ...passwords,
    NODE: name,
    ADDRESS: network.addresses[name],
    DB1: db1,
    DB2: db2,
    DB3: db3,
    NETWORK: network.range,
    DATA: folder,
    CERTIFICATES: join(certificates, name),
    FOLDER: folder,
    BINARIES: programs.postgres,
    SOCKETS: sockets,
    SHARED_BUFFERS: '128MB',
    WATCHDOG: 'off',
  }
  const own = (file: string) => {
    const path = render(file, join(folder, file), settings)
    if (account) chownSync(path, account.uid, account.gid)
    return path
  }
  return { folder, sockets, own, settings }
}

/** What strikes a machine. */
function controls(data: string, programs: Program[]): Omit<DatabaseMachine, 'name' | 'folder' | 'sockets' | 'run'> {
  const postgres = () => {
    try {
      return withChildren([Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])])
    } catch {
      return []
    }
  }
  const all = () => [...new Set([...programs.flatMap(each => each.pids()), ...postgres()])]
  const [patroni] = programs
  return {
    reload: () => signalAll(patroni!.pids().slice(0, 1), 'SIGHUP'),
    crash() {
      const left = postgres()
      for (const each of programs) each.crash()
      signalAll(left, 'SIGKILL')
    },
    release: () => {
      for (const each of programs) each.release()
    },
    freeze: () => signalAll(all(), 'SIGSTOP'),
    thaw: () => signalAll(all(), 'SIGCONT'),
    crashPostgres: () => signalAll(postgres(), 'SIGKILL'),
    async stop() {
      signalAll(all(), 'SIGCONT')
      for (const each of programs) await each.stop()
      signalAll(postgres(), 'SIGKILL')
    },
  }
}
