import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '@coffer/local/testing/until.ts'
import { SignerClient } from '@coffer/server/signer/client.ts'
import pg from 'pg'
import { type Installation, untilReady } from './installation.ts'
import { startOrders } from './orders.ts'
import { type Drill, type DrillFigure, makeFigure } from './part.ts'
import { startPayouts } from './payouts.ts'
import { startProxies } from './proxies.ts'
import type { Surroundings } from './surroundings.ts'

const run = promisify(execFile)
/** How long an order may be refused while versions change (s). */
const orderLimit = 5
/**
 * How long a payout may take until it is in a block (s): a server that was killed keeps its wallets for 15, the signer
 * and the other server start within 10, and a block takes one.
 */
const payoutLimit = 30

/** A shop that orders and pays out without a pause. */
export interface DrillShop {
  /** Does what an operator does, and measures how long the shop waits meanwhile. */
  measure: (what: string, work: () => Promise<unknown>) => Promise<void>
  /** Ends the shop, and returns all that was measured. */
  close: () => Promise<DrillFigure[]>
}

/** Starts all services of an installation whose database is migrated, and waits until they answer. */
export async function startServices(installation: Installation, { chain }: Surroundings): Promise<void> {
  const { ports, socket, systemctl } = installation
  await systemctl('start', 'coffer-signer')
  const signer = new SignerClient(socket)
  await chain.fund(await until('the signer answers', () => signer.hot('evm')))
  signer.close()
  await systemctl('start', 'coffer', 'coffer@second')
  await Promise.all(Object.values(ports).map(untilReady))
}

/** Opens a shop, by the code of a clone, at the proxies of an installation that runs. */
export async function openShop(
  drill: Drill,
  installation: Installation,
  { chain }: Surroundings,
  clone: string,
): Promise<DrillShop> {
  const { log } = drill
  const { ports, ownerUrl } = installation
  const proxies = await startProxies(drill, { first: ports.coffer, second: ports['coffer@second'] })
  const { key } = await runOpenShop(clone, installation, '--pays-out', '--given', '100000000000')
  const urls = Object.values(proxies)
  const { orders, ...tills } = startOrders(urls, key)
  const payouts = startPayouts(urls, key, chain)
  drill.after(tills.close)
  log(`two servers, a signer, a shop that orders and pays out through ${Object.keys(proxies).join(' and ')}`)
  await until('orders are accepted', () => orders.accepted > 20)
  await payouts.longest()
  const figures: DrillFigure[] = []
  const measure = async (what: string, work: () => Promise<unknown>) => {
    tills.reset()
    payouts.reset()
    const began = performance.now()
    await work()
    const seconds = ((performance.now() - began) / 1_000).toFixed(0)
    // The orders after it, too.
    const enough = orders.accepted + 20
    await until('the shop orders again', () => orders.accepted >= enough)
    const longest = await payouts.longest()
    log(`${what}: ${seconds} s, ${orders.accepted} orders, ${orders.repeated} repeated ${JSON.stringify(orders.why)}`)
    figures.push(makeFigure(`${what}: longest wait for an order`, orders.longest, orderLimit))
    figures.push(makeFigure(`${what}: longest wait for a payout`, longest, payoutLimit))
  }
  const close = async () => {
    const paid = await payouts.close()
    await tills.close()
    const wrong = await countWrongOrders(ownerUrl, orders.numbers)
    log(`${orders.numbers.size} orders and ${paid.asked} payouts in all`)
    return [
      ...figures,
      makeFigure('accepted orders that are lost or doubled', wrong, 0, ''),
      makeFigure('payouts that did not arrive exactly once', paid.wrong, 0, ''),
    ]
  }
  return { measure, close }
}

/** What `open-shop.ts` has made. */
export interface OpenedShop {
  id: string
  email: string
  password: string
  /** The token of a session. */
  token: string
  /** The key of an application. */
  key: string
}

/** Makes a merchant with an application by the code of a clone (open-shop.ts). */
export async function runOpenShop(
  clone: string,
  { ownerUrl, secret }: Installation,
  ...words: string[]
): Promise<OpenedShop> {
  const script = join(import.meta.dirname, 'open-shop.ts')
  const { stdout } = await run(process.execPath, [script, clone, ownerUrl, secret, ...words])
  return JSON.parse(stdout)
}

/** Counts orders that the shop knows and the database does not, and those that are there twice. */
export async function countWrongOrders(ownerUrl: string, numbers: Set<string>): Promise<number> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ number: string }>('select out_trade_no as number from payments')
  await owner.end()
  const stored = new Set(rows.map(row => row.number))
  return numbers.difference(stored).size + rows.length - stored.size
}
