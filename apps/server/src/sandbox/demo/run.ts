import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OperatorProblem } from '@coffer/local/problem.ts'
import type { Config } from '../../config.ts'
import { issueInvoices } from '../../domains/billing/issue-invoices.ts'
import { syncChains } from '../../domains/chains/sync-chains.ts'
import { foldLists } from '../../kit/counted-list.ts'
import { first } from '../../kit/db.ts'
import { makeDeps } from '../../make-deps.ts'
import { migrate } from '../../migrations/migrate.ts'
import type { WatchedChain } from '../../outside/world.ts'
import { createAnvilClient } from '../chains.ts'
import { makeSandbox } from '../world.ts'
import { planOrders } from './plan.ts'
import { playOrders } from './play.ts'
import { openDemoShop } from './shop.ts'

const anyPayment = first('demo-used', 'select trade_no from payments limit 1')

/** Fixed, so that the demo looks the same each time. */
const seed = 20
const demoDays = 90
const day = 86_400

/**
 * Fills an empty sandbox with the last `days` of a shop, by running the real commands on the local chains with the
 * clock moved through the past. `onProgress` receives the part done (0 to 1).
 * @returns the number of payments
 * @throws Problem when the sandbox is not empty: block times cannot go back before its latest blocks
 */
export async function runDemo(config: Config, onProgress: (done: number) => void, days = demoDays): Promise<number> {
  const to = Math.floor(Date.now() / 1000)
  const from = to - days * day
  let time = from - day
  const clock = () => time
  const [sandbox] = await Promise.all([makeSandbox(config, clock), migrate(config.databaseUrl)])
  const { world, wallet, inbox } = sandbox
  if (await startedSince(from, world.chains)) {
    await world.stop?.()
    throw new OperatorProblem(
      'This sandbox has been started before. The demo needs a new one: remove .coffer or set COFFER_DATA.',
    )
  }
  const deps = makeDeps(config, world, clock)
  const receiver = await startReceiver()
  try {
    if (await anyPayment(deps.pool))
      throw new OperatorProblem('This database already has payments. The demo needs an empty one.')
    await syncChains(deps)
    await deps.prices.refresh()
    const shop = await openDemoShop(deps, inbox, receiver.url)
    const orders = planOrders(from, to, seed)
    const setClock = (next: number) => {
      time = next
    }
    const payments = await playOrders(deps, { shop, inbox, wallet, orders, from, to, setClock, onProgress })
    // Invoices are issued by counts that are folded.
    while (await foldLists(deps));
    await issueInvoices(deps)
    return payments
  } finally {
    await receiver.stop()
    await Promise.all([deps.live.stop(), deps.prices.stop(), world.stop?.()])
    await Promise.all([deps.pool, ...Object.values(deps.pools)].map(pool => pool.end()))
  }
}

async function startedSince(time: number, chains: WatchedChain[]): Promise<boolean> {
  const heads = await Promise.all(chains.map(({ nodes: [node] }) => createAnvilClient(node?.url ?? '').getBlock()))
  return heads.some(({ timestamp }) => timestamp >= time)
}

/** Starts the shop's server, which accepts callbacks and answers 503 to every 61st. */
async function startReceiver(): Promise<{ url: string; stop: () => Promise<void> }> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count++
      response.writeHead(count % 61 === 0 ? 503 : 200).end(count % 61 === 0 ? 'busy' : 'ok')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
