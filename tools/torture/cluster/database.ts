import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresAccount } from '@coffer/local/account.ts'
import { type Machine, machines, type Network } from './network.ts'
import { type Program, signalAll, startProgram, withChildren } from './program.ts'
import type { Programs } from './programs.ts'

const files = join(import.meta.dirname, '..', '..', '..', 'ops', 'cluster')
const passwords = {
  SUPERUSER_PASSWORD: 'superuser-of-torture',
  REPLICATION_PASSWORD: 'replication-of-torture',
  REWIND_PASSWORD: 'rewind-of-torture',
  COFFER_OWNER_PASSWORD: 'owner-of-torture',
  COFFER_SERVER_PASSWORD: 'server-of-torture',
}
export const ownerLogin = `coffer:${passwords.COFFER_OWNER_PASSWORD}`
export const serverLogin = `coffer_server:${passwords.COFFER_SERVER_PASSWORD}`

/** Fills a file of `ops/cluster` in. */
export function render(file: string, to: string, settings: Record<string, string>): string {
  const env = { PATH: process.env.PATH, ...settings }
  writeFileSync(to, execFileSync(join(files, 'render.sh'), [join(files, file)], { env }))
  return to
}

/** The beginning of the command line of a program that root must not be. */
export function asAccount(): string[] {
  const account = postgresAccount()
  return account ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : []
}

/** How a member of the cluster is: `leader`, `sync_standby` or `replica`, and what it does. */
interface Member {
  name: Machine
  role: string
  state: string
}

/** One machine of the database: etcd, Patroni and PostgreSQL. */
export interface DatabaseMachine {
  name: Machine
  /** Folder of PostgreSQL's socket. */
  sockets: string
  crash: () => void
  release: () => void
  freeze: () => void
  thaw: () => void
  /** Kills PostgreSQL alone. */
  crashPostgres: () => void
  stop: () => Promise<void>
}

export interface Cluster {
  machines: Record<Machine, DatabaseMachine>
  /** The members as any of them sees them; empty while none answers. */
  members: () => Promise<Member[]>
  /** Waits until there is a primary, a standby that commits wait for, and all three follow. */
  untilWhole: (seconds: number) => Promise<void>
  switchover: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts three PostgreSQL under Patroni from the files of `ops/cluster`, and waits until they replicate. */
export async function startCluster(dataDir: string, network: Network, programs: Programs): Promise<Cluster> {
  const started: DatabaseMachine[] = []
  const stop = async () => void (await Promise.all(started.map(each => each.stop())))
  const members = () => readMembers(network)
  const untilWhole = async (seconds: number) => {
    for (const end = performance.now() + seconds * 1_000; ; await sleep(500)) {
      const found = await members()
      const roles = found.map(each => each.role)
      const isWhole = ['leader', 'sync_standby'].every(each => roles.includes(each))
      if (isWhole && found.filter(each => ['running', 'streaming'].includes(each.state)).length === 3) return
      if (performance.now() > end) throw new Error(`the cluster is not whole: ${JSON.stringify(found)}`)
    }
  }
  try {
    for (const name of machines) started.push(await startMachine(name, dataDir, network, programs))
    await untilWhole(120)
  } catch (error) {
    await stop()
    throw error
  }
  const [db1, db2, db3] = started as [DatabaseMachine, DatabaseMachine, DatabaseMachine]
  return { machines: { db1, db2, db3 }, members, untilWhole, switchover: () => switchOver(network, members), stop }
}

async function startMachine(
  name: Machine,
  dataDir: string,
  network: Network,
  programs: Programs,
): Promise<DatabaseMachine> {
  const account = postgresAccount()
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
  const env = { ...settings, PATH: `${programs.postgres}:${process.env.PATH}`, HOME: folder, LANG: 'C.UTF-8' }
  const start = (program: string, args: string[]) =>
    startProgram({
      name: `${program} of ${name}`,
      commandLine: network.on(name, [...asAccount(), ...args]),
      env,
      log: join(folder, `${program}.log`),
    })
  const etcd = await start('etcd', [programs.etcd, '--config-file', own('etcd.conf.yml')])
  const patroni = await start('patroni', [programs.patroni, own('patroni.yml')])
  return controls(name, sockets, join(folder, 'pg'), [patroni, etcd])
}

function controls(name: Machine, sockets: string, data: string, programs: Program[]): DatabaseMachine {
  const postgres = () => {
    try {
      return withChildren([Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])])
    } catch {
      return []
    }
  }
  const all = () => [...new Set([...programs.flatMap(each => each.pids()), ...postgres()])]
  return {
    name,
    sockets,
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

const ask = (network: Network, machine: Machine, path: string, init: RequestInit = {}) =>
  fetch(`http://${network.addresses[machine]}:8008/${path}`, { ...init, signal: AbortSignal.timeout(5_000) })

async function readMembers(network: Network): Promise<Member[]> {
  const answers = machines.map(async machine => {
    const response = await ask(network, machine, 'cluster')
    const { members } = (await response.json()) as { members: Member[] }
    // One that is cut off knows no newer state.
    if (!members.some(each => each.role === 'leader')) throw new Error('no leader')
    return members
  })
  return Promise.any(answers).catch(() => [])
}

async function switchOver(network: Network, members: () => Promise<Member[]>): Promise<void> {
  const found = await members()
  const leader = found.find(each => each.role === 'leader')?.name
  const candidate = found.find(each => each.role === 'sync_standby')?.name
  if (!leader || !candidate) throw new Error(`nobody to switch over to: ${JSON.stringify(found)}`)
  const body = JSON.stringify({ leader, candidate })
  const response = await ask(network, leader, 'switchover', { method: 'POST', body }).catch(() => undefined)
  if (response && !response.ok) throw new Error(`the switchover was refused: ${await response.text()}`)
}
