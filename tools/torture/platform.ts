import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Anvil, startAnvil } from '@coffer/local/anvil.ts'
import { rpc } from '@coffer/local/anvil-state.ts'
import { type Postgres, startPostgres } from '@coffer/local/postgres.ts'
import { startServer } from '../parts.ts'
import { type BadNode, startBadNode } from './bad-node.ts'
import { type LyingNode, startLyingNode } from './lying-node.ts'

const victims = ['server', 'signer', 'database', 'node'] as const

export interface Platform {
  databaseUrl: string
  /** Where the shop reaches the servers. */
  urls: string[]
  chains: Anvil[]
  nodes: BadNode[]
  liars: LyingNode[]
  /**
   * Kills a part with SIGKILL, in turn, and restarts it unless its supervisor does. Returns which. `probe` pays an
   * order meanwhile.
   */
  strike: (index: number, probe: () => Promise<void>) => Promise<string>
  /** Exits that were not caused by `kill`. */
  surprises: string[]
  stop: () => Promise<void>
}

/**
 * Starts all of Coffer on its own data folder, like `npm start`, with each chain behind a faulty node; with `isLiedTo`,
 * behind three, of which the second lies in every answer.
 */
export async function startPlatform(
  dataDir: string,
  { port, isLiedTo, random }: { port: number; isLiedTo: boolean; random: () => number },
): Promise<Platform> {
  const surprises: string[] = []
  const stops: (() => Promise<void>)[] = []
  let database: Postgres | undefined
  let server: ReturnType<typeof superviseServer> | undefined
  const stop = async () => {
    await server?.stop()
    await database?.stop()
    await Promise.allSettled(stops.splice(0).map(each => each()))
  }
  try {
    database = await startPostgres({ dataDir })
    const databaseUrl = database.url
    const { urls, ...started } = await startChains(dataDir, stops, { isLiedTo, random })
    const env = {
      DATABASE_URL: databaseUrl,
      COFFER_DATA: dataDir,
      COFFER_PORT: String(port),
      COFFER_SANDBOX_CHAINS: urls.join(','),
      COFFER_SANDBOX_MINE: 'manual',
    }
    const supervised = superviseServer(env, dataDir, surprises)
    server = supervised
    await supervised.start()
    // The tokens are deployed. From now on one block per second: block times would otherwise run ahead of the clock.
    for (const { url } of started.chains) await rpc(url, 'evm_setIntervalMining', [1])
    const { nodes } = started
    const strike = async (index: number) => {
      const victim = victims[index % victims.length]!
      await kill(victim)
      return victim
    }
    const kill = async (victim: (typeof victims)[number]) => {
      await supervised.waitUntilStarted()
      if (victim === 'node') return nodes[Math.floor(random() * nodes.length)]!.die(1_000 + random() * 3_000)
      if (victim === 'signer') return killSignerOf(readPid(dataDir))
      if (victim === 'server') return supervised.kill()
      killPid(Number(readFileSync(`${dataDir}/pg/postmaster.pid`, 'utf8').split('\n')[0]))
      await database?.ended
      await database?.stop()
      database = await startPostgres({ dataDir })
    }
    return { databaseUrl, urls: [`http://127.0.0.1:${port}`], ...started, strike, surprises, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts two chains, each behind its nodes. What stops them is added to `stops`. */
export async function startChains(
  dataDir: string,
  stops: (() => Promise<void>)[],
  { isLiedTo, random }: { isLiedTo: boolean; random: () => number },
) {
  const chains: Anvil[] = []
  const nodes: BadNode[] = []
  const liars: LyingNode[] = []
  const urls: string[] = []
  for (const chainId of [31337, 31338]) {
    const chain = await startAnvil({ folder: `${dataDir}/chain-${chainId}`, chainId, keep: false })
    stops.push(chain.stop)
    const node = await startBadNode(chain.url, 0.05, random)
    stops.push(node.stop)
    chains.push(chain)
    nodes.push(node)
    urls.push(node.url)
    if (!isLiedTo) continue
    const liar = await startLyingNode(chain.url, random)
    const other = await startBadNode(chain.url, 0.05, random)
    stops.push(liar.stop, other.stop)
    liars.push(liar)
    nodes.push(other)
    urls.push(`${urls.pop()} ${liar.url} ${other.url}`)
  }
  return { chains, nodes, liars, urls }
}

/** Keeps a server running. Exits that `kill` and `stop` did not cause are added to `surprises`. */
export function superviseServer(env: Record<string, string>, dataDir: string, surprises: string[]) {
  let server: Awaited<ReturnType<typeof startServer>> | undefined
  let isStopping = false
  let isExpected = false
  let launched = Promise.resolve()
  const launch = async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        const started = await startServer({ env, dataDir })
        isExpected = false
        started.ended.then(ending => {
          if (isStopping || isExpected) return
          surprises.push(`the server exited by itself (${ending.signal ?? ending.code})`)
          launched = launch()
        })
        server = started
        return
      } catch (error) {
        // A start calls the faulty nodes too, and may fail; retry as a supervisor would.
        if (isStopping || tries === 60) throw error
        await sleep(500)
      }
    }
  }
  const start = async () => {
    launched = launch()
    await launched
  }
  return {
    start,
    /** Waits for a start under way. */
    waitUntilStarted: () => launched,
    pid: () => readPid(dataDir),
    /** Kills it, and starts it again. */
    kill: async () => {
      const pid = readPid(dataDir)
      isExpected = true
      killPid(pid)
      await server?.ended
      await start()
    },
    stop: async () => {
      isStopping = true
      await server?.stop()
    },
  }
}

/** Kills the signer of a process, which restarts it after a pause, during which there is none. */
export async function killSignerOf(pid: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const signer = signerOf(pid)
    if (signer) return killPid(signer)
    await sleep(100)
  }
  throw new Error('no signer is running')
}

const readPid = (dataDir: string) => JSON.parse(readFileSync(`${dataDir}/server.json`, 'utf8')).pid as number

const killPid = (pid: number) => void process.kill(pid, 'SIGKILL')

function signerOf(server: number): number | undefined {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number)
  return children.find(pid => pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('signer/main.ts'))
}
