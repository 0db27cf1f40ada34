import { execFileSync } from 'node:child_process'

export const machines = ['db1', 'db2', 'db3'] as const
export type Machine = (typeof machines)[number]

/** Addresses of the machines of the database. As root each is in a network of its own, which can be cut off. */
export interface Network {
  addresses: Record<Machine, string>
  /** All of them, and this process. */
  range: string
  canCut: boolean
  /** The command line that runs a program on a machine. */
  on: (machine: Machine, commandLine: string[]) => string[]
  /** Cuts a machine off from all others, or ends that. */
  cut: (machine: Machine, isCut: boolean) => void
  stop: () => void
}

const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'pipe' })

export function makeNetwork(): Network {
  return process.getuid?.() === 0 ? makeNamespaces() : makeLoopback()
}

/** Without root: addresses of this machine, between which nothing can be cut. */
function makeLoopback(): Network {
  return {
    addresses: { db1: '127.0.0.11', db2: '127.0.0.12', db3: '127.0.0.13' },
    range: '127.0.0.0/8',
    canCut: false,
    on: (_, commandLine) => commandLine,
    cut: () => {},
    stop: () => {},
  }
}

function makeNamespaces(): Network {
  const number = process.pid % 250
  const bridge = `cof${number}`
  const address = (last: number) => `10.213.${number}.${last}`
  const space = (machine: Machine) => `coffer-${number}-${machine}`
  const port = (machine: Machine) => `${bridge}${machine}`
  const stop = () => {
    for (const words of [...machines.map(each => ['netns', 'del', space(each)]), ['link', 'del', bridge]])
      try {
        ip(...words)
      } catch {
        // It was not made.
      }
  }
  try {
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('addr', 'add', `${address(1)}/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
    for (const [i, machine] of machines.entries()) {
      const inside = ['-n', space(machine)]
      ip('netns', 'add', space(machine))
      ip('link', 'add', port(machine), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space(machine))
      ip('link', 'set', port(machine), 'master', bridge, 'up')
      ip(...inside, 'addr', 'add', `${address(11 + i)}/24`, 'dev', 'eth0')
      ip(...inside, 'link', 'set', 'eth0', 'up')
      ip(...inside, 'link', 'set', 'lo', 'up')
    }
  } catch (error) {
    stop()
    throw error
  }
  return {
    addresses: { db1: address(11), db2: address(12), db3: address(13) },
    range: `10.213.${number}.0/24`,
    canCut: true,
    on: (machine, commandLine) => ['ip', 'netns', 'exec', space(machine), ...commandLine],
    // Packets are dropped, and nothing is closed.
    cut: (machine, isCut) =>
      void ip('link', 'set', port(machine), isCut ? 'nomaster' : 'master', ...(isCut ? [] : [bridge])),
    stop,
  }
}
