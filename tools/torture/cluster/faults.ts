import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, DatabaseMachine } from './database.ts'
import type { Network } from './network.ts'
import { type Program, signalAll } from './program.ts'

/** What faults strike. */
export interface Targets {
  /** A part of the names of faults to strike. */
  only: string
  cluster: Cluster
  network: Network
  balancers: Program[]
  servers: { kill: () => Promise<void>; pids: () => number[] }[]
  killSigner: () => Promise<void>
  /** Starts a server beside a machine, on its socket alone; returns what kills it. */
  startBeside: (machine: DatabaseMachine) => Promise<() => Promise<void>>
}

/** A fault that lasts: how long, and what ends it. */
interface Lasting {
  seconds: number
  end: () => unknown
}
type Fault = (targets: Targets, random: () => number) => Promise<Lasting | undefined>

async function machineOf({ cluster }: Targets, role: 'leader' | 'sync_standby'): Promise<DatabaseMachine> {
  for (let tries = 0; tries < 60; tries++) {
    const found = (await cluster.members()).find(each => each.role === role)
    if (found) return cluster.machines[found.name]
    await sleep(500)
  }
  throw new Error(`there is no ${role}`)
}

const anyOf = <T>(list: T[], random: () => number): T => list[Math.floor(random() * list.length)]!

const crash =
  (role: 'leader' | 'sync_standby'): Fault =>
  async targets => {
    const machine = await machineOf(targets, role)
    machine.crash()
    return { seconds: 25, end: machine.release }
  }
const freeze =
  (role: 'leader' | 'sync_standby'): Fault =>
  async targets => {
    const machine = await machineOf(targets, role)
    machine.freeze()
    return { seconds: 28, end: machine.thaw }
  }
const partition =
  (role: 'leader' | 'sync_standby'): Fault =>
  async targets => {
    const machine = await machineOf(targets, role)
    targets.network.cut(machine.name, true)
    return { seconds: 28, end: () => targets.network.cut(machine.name, false) }
  }

/** The faults by name, in the order in which they are struck. */
const faults: Record<string, Fault> = {
  'primary killed': crash('leader'),
  'server killed': async (targets, random) => {
    await anyOf(targets.servers, random).kill()
    return undefined
  },
  switchover: async ({ cluster }) => {
    await cluster.switchover()
    return undefined
  },
  'primary cut off, with a server beside it': async targets => {
    const machine = await machineOf(targets, 'leader')
    const kill = await targets.startBeside(machine)
    targets.network.cut(machine.name, true)
    return {
      seconds: 30,
      end: async () => {
        await kill()
        targets.network.cut(machine.name, false)
      },
    }
  },
  'proxy killed': async ({ balancers }, random) => {
    const balancer = anyOf(balancers, random)
    balancer.crash()
    return { seconds: 2, end: balancer.release }
  },
  'primary frozen': freeze('leader'),
  'standby killed': crash('sync_standby'),
  'signer killed': async ({ killSigner }) => {
    await killSigner()
    return undefined
  },
  'PostgreSQL of the primary killed': async targets => {
    const machine = await machineOf(targets, 'leader')
    machine.crashPostgres()
    return undefined
  },
  'server frozen': async ({ servers }, random) => {
    const pids = anyOf(servers, random).pids()
    signalAll(pids, 'SIGSTOP')
    return { seconds: 12, end: () => signalAll(pids, 'SIGCONT') }
  },
  'standby frozen': freeze('sync_standby'),
  'proxy frozen': async ({ balancers }, random) => {
    const pids = anyOf(balancers, random).pids()
    signalAll(pids, 'SIGSTOP')
    return { seconds: 8, end: () => signalAll(pids, 'SIGCONT') }
  },
  'standby cut off': partition('sync_standby'),
  'both standbys killed': async targets => {
    const primary = await machineOf(targets, 'leader')
    const standbys = Object.values(targets.cluster.machines).filter(each => each !== primary)
    for (const each of standbys) each.crash()
    return {
      seconds: 12,
      end: () => {
        for (const each of standbys) each.release()
      },
    }
  },
}

/** What a fault did: the longest wait for an order until all was well again. */
export interface Struck {
  fault: string
  seconds: number
}

/** Probes in a row that are answered quickly when all is well. */
const calm = 6
const quickMs = 2_000

/**
 * Strikes fault number `index`, and pays orders one after the other until it has ended and they are taken quickly
 * again.
 */
export async function strike(
  targets: Targets,
  index: number,
  random: () => number,
  probe: () => Promise<void>,
): Promise<Struck> {
  const { network, only } = targets
  const names = Object.keys(faults).filter(name => name.includes(only) && (network.canCut || !name.includes('cut off')))
  const fault = names[index % names.length]!
  await targets.cluster.untilWhole(180)
  const lasting = await faults[fault]!(targets, random)
  let isOver = lasting === undefined
  const ended = lasting
    ? sleep(lasting.seconds * 1_000).then(async () => {
        await lasting.end()
        isOver = true
      })
    : Promise.resolve()
  let longest = 0
  for (let quick = 0; quick < calm; ) {
    const began = performance.now()
    await probe()
    const took = performance.now() - began
    longest = Math.max(longest, took)
    quick = took < quickMs && isOver ? quick + 1 : 0
    await sleep(200)
  }
  await ended
  return { fault, seconds: Math.round(longest / 100) / 10 }
}
