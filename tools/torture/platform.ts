import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Anvil, startAnvil } from '@coffer/local/anvil.ts'
import { rpc } from '@coffer/local/anvil-state.ts'
import { type Postgres, startPostgres } from '@coffer/local/postgres.ts'
import { startServer } from '../parts.ts'
import { type BadNode, startBadNode } from './bad-node.ts'
import { type LyingNode, startLyingNode } from './lying-node.ts'

export type Victim = 'server' | 'signer' | 'database' | 'node'

export interface Platform {
  databaseUrl: string
  chains: Anvil[]
  nodes: BadNode[]
  liars: LyingNode[]
  /** Kills a part with SIGKILL, and restarts it unless it is restarted by its supervisor. */
  kill: (victim: Victim) => Promise<void>
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
  const stop = async () => {
    stopping = true
    await server?.stop()
    await database?.stop()
    await Promise.allSettled(stops.splice(0).map(each => each()))
  }
  let stopping = false
  let database: Postgres | undefined
  let server: Awaited<ReturnType<typeof startServer>> | undefined
  try {
    database = await startPostgres({ dataDir })
    const databaseUrl = database.url
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
    const env = {
      DATABASE_URL: databaseUrl,
      COFFER_DATA: dataDir,
      COFFER_PORT: String(port),
      COFFER_SANDBOX_CHAINS: urls.join(','),
      COFFER_SANDBOX_MINE: 'manual',
    }
    let isExpected = false
    const launch = async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          const started = await startServer({ env, dataDir })
          isExpected = false
          started.ended.then(ending => {
            if (stopping || isExpected) return
            surprises.push(`the server exited by itself (${ending.signal ?? ending.code})`)
            launched = launch()
          })
          server = started
          return
        } catch (error) {
          // A start calls the faulty nodes too, and may fail; retry as a supervisor would.
          if (stopping || tries === 10) throw error
        }
      }
    }
    let launched = launch()
    await launched
    // The tokens are deployed. From now on one block per second: block times would otherwise run ahead of the clock.
    for (const { url } of chains) await rpc(url, 'evm_setIntervalMining', [1])
    const kill = async (victim: Victim) => {
      await launched
      if (victim === 'node') return nodes[Math.floor(random() * nodes.length)]!.die(1_000 + random() * 3_000)
      if (victim === 'database') {
        killPid(Number(readFileSync(`${dataDir}/pg/postmaster.pid`, 'utf8').split('\n')[0]))
        await database?.ended
        await database?.stop()
        database = await startPostgres({ dataDir })
        return
      }
      const pid = JSON.parse(readFileSync(`${dataDir}/server.json`, 'utf8')).pid as number
      if (victim === 'signer') {
        // The server restarts the signer after a pause, during which there is none.
        for (let tries = 0; tries < 100; tries++) {
          const signer = signerOf(pid)
          if (signer) return killPid(signer)
          await sleep(100)
        }
        throw new Error('no signer is running')
      }
      isExpected = true
      killPid(pid)
      await server?.ended
      launched = launch()
      await launched
    }
    return { databaseUrl, chains, nodes, liars, kill, surprises, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const killPid = (pid: number) => void process.kill(pid, 'SIGKILL')

function signerOf(server: number): number | undefined {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number)
  return children.find(pid => pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('signer/main.ts'))
}
