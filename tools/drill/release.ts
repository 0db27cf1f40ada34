import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '@coffer/local/testing/until.ts'
import { SignerClient } from '@coffer/server/signer/client.ts'
import { makeTestDeps } from '@coffer/server/testing/deps.ts'
import { assertBooksAgree } from '@coffer/server/testing/invariants.ts'
import pg from 'pg'
import { differences } from '../torture/payouts.ts'
import { type Installation, makeInstallation, runCoffer, untilReady } from './installation.ts'
import { postUntilAccepted, startOrders } from './orders.ts'
import { type Drill, type DrillFigure, type DrillPart, makeFigure } from './part.ts'
import { startPayouts } from './payouts.ts'
import { cloneAt, hasCommit, installCheckout, installRelease, lendModules } from './releases.ts'
import { countWrongOrders, type OpenedShop, runOpenShop } from './shop.ts'
import { type Surroundings, startSurroundings } from './surroundings.ts'

const run = promisify(execFile)
/** 0.1.0 has no tag: the last commit before step 0007, which CHANGELOG has named as unreleased since it exists. */
const firstRelease = 'baf7e1f9ff954b01129d5aab7fd0bde14bae3be5'
/** How long orders may wait while the only server is stopped and all steps since 0.1.0 run (s). */
const stopLimit = 120
/** How many payouts the upgraded shop asks for, each from what an address of 0.1.0 has received. */
const payoutCount = 3

/** An order as the API shows it. */
type ShownOrder = Record<'trade_no' | 'address' | 'amount' | 'paid_amount' | 'fees', string> & { status: number }
const paidStatus = 2

/** Upgrades a shop of the first release, with all servers stopped. */
export const releaseDrill: DrillPart = {
  what: 'a shop of 0.1.0 is upgraded with ops/switch.sh: its payments, balances and sign-ins go on, and it pays out',
  async run(drill) {
    const commit = drill.from || firstRelease
    if (!(await hasCommit(commit))) {
      drill.log(`left out: this clone has no commit ${commit}: "git fetch --unshallow" brings all of them`)
      return []
    }
    const { first, next, nextClone } = await installBoth(drill, commit)
    const surroundings = await startSurroundings(drill)
    const installation = await makeInstallation(drill, first, surroundings, { COFFER_WITHDRAW_HOLD_HOURS: '0' })
    const { DATABASE_URL: serverUrl } = installation.settings
    // There it migrated at its start, so its user owned the database.
    installation.changeSettings({ DATABASE_URL: installation.ownerUrl })
    await installation.systemctl('start', 'coffer')
    await untilReady(installation.ports.coffer)
    const opened = await runOpenShop(first, installation)
    const shop = startFirstShop(installation, surroundings, opened)
    const before = await shop.fill()
    const { orders, close } = startOrders([shop.url], opened.key)
    drill.after(close)
    await until('orders are accepted', () => orders.accepted > 20)
    installation.changeSettings({ DATABASE_URL: serverUrl!, ...surroundings.prices })
    const figures = [await switchTo(drill, installation, next, orders)]
    await close()
    const wrong = await countWrongOrders(installation.ownerUrl, orders.numbers)
    figures.push(makeFigure('accepted orders that are lost', wrong, 0, ''), ...(await shop.compare(before)))
    await runCoffer(installation, next, 'secret', 'rotate', '--yes')
    figures.push(await payOut(drill, installation, surroundings, { next, nextClone }, opened))
    await compareWithChain(installation, surroundings)
    return figures
  },
}

async function installBoth({ folder, log }: Drill, commit: string) {
  const [first, next, nextClone] = ['first', 'next', 'clone-next'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  log(`installs ${commit} as its manual tells, from a clone with npm, and this version`)
  await cloneAt(commit, first)
  await installCheckout(first)
  await cloneAt('HEAD', nextClone)
  await installRelease(nextClone, next)
  await lendModules(nextClone)
  return { first, next, nextClone }
}

/** Runs `ops/switch.sh` while the shop goes on ordering, and measures how long it waits. */
async function switchTo(
  { log }: Drill,
  installation: Installation,
  next: string,
  orders: ReturnType<typeof startOrders>['orders'],
): Promise<DrillFigure> {
  const { PATH, COFFER_CURRENT_LINK } = installation.env
  const env = { PATH, COFFER_CURRENT_LINK, ...installation.settings, DATABASE_OWNER_URL: installation.ownerUrl }
  const began = performance.now()
  const { stdout } = await run('sh', [join(next, 'ops/switch.sh'), next], { env, maxBuffer: 2 ** 26 })
  await untilReady(installation.ports.coffer)
  const accepted = orders.accepted + 20
  await until('the shop orders again', () => orders.accepted >= accepted)
  const steps = stdout.match(/\b\d{4}_\w+/g)?.length
  log(`ops/switch.sh: ${((performance.now() - began) / 1_000).toFixed(0)} s, ${steps} steps`)
  return makeFigure('longest wait for an order while all is stopped', orders.longest, stopLimit)
}

/** What a shop of 0.1.0 has before the upgrade. */
interface FirstData {
  paid: ShownOrder
  partial: ShownOrder
  open: ShownOrder
  /** Paid in the last moment. */
  seen: ShownOrder
}

/** The shop of a merchant of 0.1.0, by its API. */
function startFirstShop(
  { ports, ownerUrl }: Installation,
  { chain }: Surroundings,
  { id, email, token, password, key }: OpenedShop,
) {
  const url = `http://127.0.0.1:${ports.coffer}`
  const read = async <T>(path: string, headers: Record<string, string>): Promise<T> =>
    readData(await fetch(`${url}${path}`, { headers }))
  const order = async (amount: string): Promise<ShownOrder> => {
    const outNo = randomUUID()
    const body = { out_trade_no: outNo, amount, chain: 'local', token: 'USDT' }
    const made = await postUntilAccepted(url, key, 'orders', outNo, body, { isOpen: () => true })
    return made as unknown as ShownOrder
  }
  const shown = async (of: ShownOrder): Promise<ShownOrder> =>
    read(`/api/v1/pay/orders/${of.trade_no}`, { authorization: `Bearer ${key}` })
  const pay = (of: ShownOrder, share = 1) => chain.pay(of.address, BigInt(Math.round(Number(of.amount) * 1e6 * share)))
  const isPaid = async (of: ShownOrder) => (await shown(of)).status === paidStatus
  /** What the merchant may pay out, in base units. */
  const readAvailable = async () => {
    const [row] = await query(ownerUrl, `select balance from ledger_accounts where id = '${id}/available/local:USDT'`)
    return Number(row?.balance ?? 0)
  }
  const fill = async (): Promise<FirstData> => {
    const [paid, partial, open, seen] = await Promise.all(['40', '50', '60', '70'].map(order))
    const all = { paid: paid!, partial: partial!, open: open!, seen: seen! }
    await pay(all.paid)
    await pay(all.partial, 0.5)
    await until('a payment is paid', () => isPaid(all.paid))
    await until('half a payment is credited', async () => Number((await shown(all.partial)).paid_amount) > 0)
    await pay(all.seen)
    return all
  }
  const compare = async (before: FirstData): Promise<DrillFigure[]> => {
    await until('what was paid in the last moment is credited', () => isPaid(before.seen))
    const [paid] = await Promise.all([shown(before.paid), pay(before.open), pay(before.partial, 0.5)])
    await until('what was open before is paid', async () => (await isPaid(before.open)) && isPaid(before.partial))
    const all = await Promise.all(Object.values(before).map(shown))
    const owed = all.reduce((sum, each) => sum + Number(each.paid_amount) - Number(each.fees), 0)
    const signedIn = await login(url, email, password)
    const person = (each: string) => read<{ email: string } | undefined>('/api/v1/user/info', { 'x-token': each })
    const people = await Promise.all([token, signedIn].map(person))
    const changed = all.filter((each, i) => each.address !== Object.values(before)[i]!.address).length
    return [
      makeFigure('payments of before that changed', changed + (paid.status === paidStatus ? 0 : 1), 0, ''),
      makeFigure('base units that are missing', Math.abs(Math.round(owed * 1e6) - (await readAvailable())), 0, ''),
      makeFigure(
        'sessions and sign-ins of before that fail',
        people.filter(each => each?.email !== email).length,
        0,
        '',
      ),
    ]
  }
  return { url, fill, compare }
}

async function login(url: string, email: string, password: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ email, password: Buffer.from(password).toString('base64') }),
  })
  return (await readData<{ token: string } | undefined>(response))?.token ?? ''
}

/** What an answer of the API holds; undefined when it is a refusal. */
const readData = async <T>(response: Response): Promise<T> => ((await response.json()) as { data: T }).data

/** Starts the signer with the seed and policy that 0.1.0 made, and pays out what its addresses have received. */
async function payOut(
  { log }: Drill,
  installation: Installation,
  { chain }: Surroundings,
  { next, nextClone }: { next: string; nextClone: string },
  { id }: OpenedShop,
): Promise<DrillFigure> {
  await installation.systemctl('start', 'coffer-signer')
  const signer = new SignerClient(installation.socket)
  await chain.fund(await until('the signer answers', () => signer.hot('evm')), 0n)
  signer.close()
  await runCoffer(installation, next, 'sweep', 'now', 'local', '--yes')
  // Each is noticed a minute after the one before.
  for (const states of ["'funding', 'funded', 'sent', 'swept'", "'sent', 'swept'", "'swept'"])
    await until(`a deposit of before is ${states}`, async () => {
      const rows = await query(installation.ownerUrl, `select from sweeps where state in (${states})`)
      return rows.length > 0
    })
  const { key } = await runOpenShop(nextClone, installation, '--merchant', id, '--pays-out')
  const payouts = startPayouts([`http://127.0.0.1:${installation.ports.coffer}`], key, chain, payoutCount)
  const { asked, wrong, longest } = await payouts.close()
  log(`${asked} payouts of what addresses of before had received, the longest in ${longest.toFixed(1)} s`)
  return makeFigure('payouts that did not arrive exactly once', wrong, 0, '')
}

/** Waits until the ledger, its sums, and what all addresses hold on the chain agree. */
async function compareWithChain({ ownerUrl, secret }: Installation, { chain }: Surroundings): Promise<void> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 4 })
  try {
    await assertBooksAgree(pool)
    const deps = makeTestDeps({ pool, config: { secret } })
    await until('ledger and chain agree', async () => (await differences(deps, [chain.url])) === 0)
  } finally {
    await pool.end()
  }
}

async function query(connectionString: string, sql: string) {
  const owner = new pg.Client({ connectionString })
  await owner.connect()
  try {
    return (await owner.query(sql)).rows
  } finally {
    await owner.end()
  }
}
