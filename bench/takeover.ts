import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineSandboxChain, ethereum } from '@coffer/chains'
import { makeWorld } from '@coffer/chains/testing/evm-harness.ts'
import { type ProxyNode, startProxy } from '@coffer/chains/testing/proxy.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { until } from '@coffer/local/testing/until.ts'
import { cutProxy } from '@coffer/server/testing/cut-proxy.ts'
import { type Figure, type Scope, scoped } from './figure.ts'
import { ownDatabase } from './own-postgres.ts'

const limitSeconds = 15
/** When a fault begins, after the other server was started (ms): at different moments of a poll and of a renewal. */
const moments = [3_000, 4_500]
/**
 * What happens to a server that follows a chain: to its node, to its connections to the database, or to its process.
 */
const faults = {
  'its node hangs': ({ node }: Former) => {
    node.breaks = () => true
  },
  'its connections to the database are cut': ({ cut }: Former) => cut(),
  'it is killed': ({ kill }: Former) => kill('SIGKILL'),
  'it is frozen': ({ kill }: Former) => kill('SIGSTOP'),
}
interface Former {
  node: ProxyNode
  cut: () => void
  kill: (signal: NodeJS.Signals) => void
}

/**
 * Time until another server has read the next block of a chain whose follower fails. Nodes are polled as on a chain
 * with blocks each 12 s.
 */
export async function takeover(here: Scope): Promise<Figure[]> {
  const { url: database, pool } = await ownDatabase(here)
  const { url } = await withAnvil(here)
  const world = await makeWorld(url)
  const local = { chainId: 31_337, confirmations: 4, blockTime: 12, tokens: [] }
  const definition = JSON.stringify({ ...defineSandboxChain(ethereum, local), net: 'mainnet' })
  const start = async (scope: Scope, database: string) => {
    const node = await startProxy(url)
    scope.after(node.stop)
    const script = join(import.meta.dirname, './takeover-server.ts')
    const child = spawn(process.execPath, [script, database, node.url, definition], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    scope.after(() => void child.kill('SIGKILL'))
    await once(createInterface(child.stdout), 'line')
    return { node, kill: (signal: NodeJS.Signals) => void child.kill(signal) }
  }
  const last = async () => Number((await pool.query('select last_number from chains')).rows[0]?.last_number ?? 0)
  const mined = async () => Number(await world.call('eth_blockNumber'))
  const untilRead = (block: number) => until(`block ${block} is read`, last, number => number >= block)

  const figures: Figure[] = []
  for (const [what, fault] of Object.entries(faults)) {
    const times: number[] = []
    const timed = (moment: number) =>
      scoped(async scope => {
        const proxy = await cutProxy(scope, database)
        const former = { ...(await start(scope, proxy.url)), cut: proxy.cut }
        await world.mine(1)
        await untilRead(await mined())
        await start(scope, database)
        await sleep(moment)
        fault(former)
        const since = performance.now()
        await world.mine(1)
        await untilRead(await mined())
        return (performance.now() - since) / 1_000
      })
    for (const moment of moments) {
      times.push(await timed(moment))
      await pool.query('update chains set leased_until = 0')
    }
    const seconds = Math.max(...times)
    figures.push({
      what: `a server follows a chain, and ${what}`,
      value: `${seconds.toFixed(1)} s`,
      comparison: `until another one has read the next block, slower of ${times.length}; at most ${limitSeconds}`,
      holds: seconds <= limitSeconds,
    })
  }
  return figures
}
