import { readdirSync, readFileSync } from 'node:fs'

/**
 * Environment variable that names the stage which started a process. What all stages share has none of them: `shared`.
 */
export const stageVariable = 'COFFER_TEST_STAGE'

const kinds = ['Node', 'browsers', 'PostgreSQL', 'chains'] as const
type Kind = (typeof kinds)[number]

/** A process, as `/proc` shows it. */
export interface Process {
  pid: number
  parent: number
  /** Time at which it started, so that a later process with its number is another one. */
  started: string
  command: string
  /** s of processor, user and system, without its children. */
  seconds: number
}

/** Clock ticks per second in /proc, the same on every Linux that Node runs on. */
const ticks = 100
/** ms between two samples. What lives shorter is counted for the machine alone. */
const every = 500

/**
 * Counts processor time (s) by stage and kind of process, of a run and of all that it started, also where that has left
 * the run's tree. `add` takes a sample of all processes.
 */
export class ProcessorTimes {
  readonly #root: number
  readonly #stageOf: (pid: number) => string | undefined
  readonly #seen = new Map<string, { stage: string; kind: Kind; seconds: number }>()
  /** Processes of others, with the command that they ran, so that their environment is read once. */
  readonly #strangers = new Map<string, string>()

  /**
   * @param root number of the run's own process
   * @param stageOf stage in the environment of a process; undefined when it is not of this run
   */
  constructor(root: number, stageOf: (pid: number) => string | undefined) {
    this.#root = root
    this.#stageOf = stageOf
  }

  add(processes: readonly Process[]): void {
    const byPid = new Map(processes.map(each => [each.pid, each]))
    for (const each of processes) {
      const stored = this.#seen.get(keyOf(each))
      if (stored) stored.seconds = each.seconds
      else if (this.#strangers.get(keyOf(each)) !== each.command) this.#meet(each, byPid)
    }
  }

  #meet(each: Process, byPid: ReadonlyMap<number, Process>): void {
    const parent = byPid.get(each.parent)
    const inherited = parent && this.#seen.get(keyOf(parent))?.stage
    const stage = each.pid === this.#root ? shared : (this.#stageOf(each.pid) ?? inherited)
    if (stage === undefined) {
      this.#strangers.set(keyOf(each), each.command)
      return
    }
    const kind = kindOf(each.command)
    // One server serves all stages.
    this.#seen.set(keyOf(each), { stage: kind === 'PostgreSQL' ? shared : stage, kind, seconds: each.seconds })
  }

  /** Lists the stages with the seconds of each kind, and the sums; `machine` is what the machine used meanwhile. */
  table(machine: number): string {
    const stages = [...new Set([...this.#seen.values()].map(each => each.stage))].sort()
    const row = (name: string, cells: readonly (string | number)[]) =>
      `${name.padEnd(18)}${cells.map(cell => (typeof cell === 'number' ? cell.toFixed(0) : cell).padStart(12)).join('')}`
    const sums = (stage?: string) => {
      const each = kinds.map(kind => this.#sum(stage, kind))
      return [...each, each.reduce((sum, seconds) => sum + seconds, 0)]
    }
    return [
      row('processor (s)', [...kinds, 'sum']),
      ...stages.map(stage => row(stage, sums(stage))),
      row('sum', sums()),
      `the machine meanwhile: ${machine.toFixed(0)} s`,
    ].join('\n')
  }

  #sum(stage: string | undefined, kind: Kind): number {
    return [...this.#seen.values()]
      .filter(each => each.kind === kind && (stage === undefined || each.stage === stage))
      .reduce((sum, { seconds }) => sum + seconds, 0)
  }
}

const shared = 'shared'
const keyOf = ({ pid, started }: Process) => `${pid} ${started}`

function kindOf(command: string): Kind {
  if (command === 'postgres') return 'PostgreSQL'
  if (command === 'anvil') return 'chains'
  return /^(chrom|headless_shell)/.test(command) ? 'browsers' : 'Node'
}

/** Samples the processes of this run until `end`, which returns the table. */
export function watchProcessor(): { end: () => string } {
  const mark = `${runVariable}=${process.pid}`
  process.env[runVariable] = String(process.pid)
  const times = new ProcessorTimes(process.pid, pid => stageIn(environment(pid), mark))
  const before = machineSeconds()
  const sample = () => times.add(allProcesses())
  const timer = setInterval(sample, every).unref()
  return {
    end: () => {
      clearInterval(timer)
      sample()
      return times.table(machineSeconds() - before)
    },
  }
}

/** Environment variable with the process that runs the tests. */
const runVariable = 'COFFER_TEST_RUN'

function stageIn(variables: readonly string[], mark: string): string | undefined {
  if (!variables.includes(mark)) return undefined
  const stage = variables.find(each => each.startsWith(`${stageVariable}=`))
  return stage?.slice(stageVariable.length + 1) ?? shared
}

/** Returns a process's environment; empty of another user's. */
const environment = (pid: number) => textOf(`/proc/${pid}/environ`).split('\0')

function allProcesses(): Process[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => processOf(textOf(`/proc/${name}/stat`)))
}

/** Reads a line of /proc/<pid>/stat, see proc(5); nothing when the process has ended. */
export function processOf(stat: string): Process[] {
  const open = stat.indexOf('(')
  const close = stat.lastIndexOf(')')
  if (open < 0) return []
  // After the name, which may contain spaces: state, ppid; utime and stime are fields 14 and 15, the start is field 22.
  const fields = stat.slice(close + 2).split(' ')
  return [
    {
      pid: Number(stat.slice(0, open)),
      parent: Number(fields[1]),
      started: fields[19]!,
      command: stat.slice(open + 1, close),
      seconds: (Number(fields[11]) + Number(fields[12])) / ticks,
    },
  ]
}

/** s that all processors were busy: the first line of /proc/stat without idle and waiting for disks. */
function machineSeconds(): number {
  const [line = ''] = textOf('/proc/stat').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softirq) / ticks
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
