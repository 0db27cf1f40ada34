import assert from 'node:assert/strict'
import { listFundFlow } from '../../domains/fund-flow/store.ts'
import { reconcileChain } from '../../domains/ledger/reconcile.ts'
import { reconciledTxidPrefix } from '../../domains/payments/to-deposit-view.ts'
import { assertBooksAgree } from '../invariants.ts'
import { rowsOf } from '../money.ts'
import { assertCallbacks } from './check-callbacks.ts'
import { assertOut, takenFrom } from './check-out.ts'
import { assertPayments } from './check-payments.ts'
import { assertSiblings } from './check-siblings.ts'
import { assertStatistics } from './check-statistics.ts'
import { logsOf, nobody } from './sim-tx.ts'
import { tooLarge } from './steps-chain.ts'
import { assertTreasuries } from './treasury.ts'
import { takenArrivals } from './truth.ts'
import type { Place, World } from './world.ts'

/** Asserts every invariant of a settled world. */
export async function assertAll(world: World): Promise<void> {
  await assertBooksAgree(world.owner)
  for (const place of world.places) {
    assertNobodyOwes(world, place)
    await assertCredits(world, place)
  }
  await assertOut(world)
  await assertTreasuries(world)
  await assertFlow(world)
  await assertPayments(world)
  await assertCallbacks(world)
  await assertReportedOnce(world)
  await assertSiblings(world)
  await assertStatistics(world)
}

/** Asserts of the simulation itself that nobody sent more of a token than he had: no chain has such balances. */
function assertNobodyOwes(world: World, place: Place): void {
  const { chain, definition } = place
  const tokens = new Set<string | null>(world.assets(place).map(each => each.contract))
  const balances = new Map<string, bigint>()
  const move = (key: string, amount: bigint) => balances.set(key, (balances.get(key) ?? 0n) + amount)
  for (const { token, from, to, amount } of chain.blocks.flatMap(({ txs }) => txs.flatMap(logsOf))) {
    if (!tokens.has(token)) continue
    move(keyOf(token, to), amount)
    if (from !== nobody) move(keyOf(token, from), -amount)
  }
  const owing = [...balances].filter(([, balance]) => balance < 0n)
  assert.deepEqual(owing, [], `${definition.id}: nobody sends more than he has`)
}

/** Asserts that a deposit that most nodes deny is reported once. */
async function assertReportedOnce({ owner }: World): Promise<void> {
  const twice = await rowsOf(
    owner,
    `select detail ->> 'deposit_id' as id, count(*) from incidents where kind = 'deposit_denied' group by 1 having count(*) > 1`,
  )
  assert.deepEqual(twice, [], 'a denied deposit is reported once')
}

/**
 * Asserts that the fund flow of each merchant lists every posting, and that its entries make the balances of the
 * ledger.
 */
async function assertFlow({ owner, merchantId, otherId }: World): Promise<void> {
  for (const id of [merchantId, otherId]) {
    const { rows, total } = await listFundFlow(owner, id, {}, { limit: 100_000, offset: 0 })
    assert.equal(rows.length, total, 'the fund flow counts what it lists')
    const balances = new Map<string, bigint>()
    const move = (part: string, asset: string, amount: bigint) =>
      balances.set(`${part} ${asset}`, (balances.get(`${part} ${asset}`) ?? 0n) + amount)
    for (const { credit_part, debit_part, asset_id, amount } of rows) {
      move(credit_part, asset_id, BigInt(amount))
      move(debit_part, asset_id, -BigInt(amount))
    }
    const accounts = await rowsOf(owner, 'select part, asset_id, balance from ledger_accounts where merchant_id = $1', [
      id,
    ])
    for (const { part, asset_id, balance } of accounts)
      assert.equal(
        balances.get(`${part} ${asset_id}`) ?? 0n,
        BigInt(balance),
        `the fund flow makes the balance of ${asset_id}`,
      )
  }
}

const keyOf = (...parts: unknown[]) => parts.join(' ')
const keyOfArrival = ({ txid, asset, ordinal, to, amount, time }: Taken) =>
  keyOf(txid, asset, ordinal, to, amount, time)

type Taken = ReturnType<typeof takenArrivals>[number]
type Credited = { trade_no: string | null; asset_id: string; to_address: string; amount: string; txid: string }

/**
 * Asserts that transfers below the minimum are counted, each once, and are in one deposit once together they are more;
 * and that one is a deposit by itself only as the last part of a payment.
 */
async function assertDust(
  world: World,
  place: Place,
  { dust, credited }: { dust: readonly Taken[]; credited: readonly Credited[] },
): Promise<void> {
  const { id } = place.definition
  const rows = await rowsOf(world.owner, 'select * from dust where chain_id = $1', [id])
  const sum = (amounts: readonly (bigint | string)[]) => amounts.reduce<bigint>((all, each) => all + BigInt(each), 0n)
  const tokens = world.assets(place).filter(each => each.contract !== null)
  for (const { id: asset, minimum } of tokens) {
    const all = Map.groupBy(
      dust.filter(each => each.asset === asset),
      each => each.to,
    )
    const counted = rows.filter(each => each.asset_id === asset)
    assert.deepEqual(
      counted.map(({ address, n, amount }) => keyOf(address, n, amount)).sort(),
      [...all].map(([to, each]) => keyOf(to, each.length, sum(each.map(({ amount }) => amount)))).sort(),
      `${asset}: transfers below the minimum are counted`,
    )
    for (const { address, amount, aside } of counted) {
      const booked = credited.filter(
        each => each.asset_id === asset && each.to_address === address && each.txid.startsWith(reconciledTxidPrefix),
      )
      assert.equal(sum([aside, ...booked.map(each => each.amount)]), BigInt(amount), `${address}: ${asset} kept aside`)
      assert(BigInt(aside) < minimum, `${address}: ${aside} of ${asset} are kept aside`)
    }
    // Without roots, a node can report more before others contradict it: what was stored as a deposit stays one.
    if (!place.definition.roots) continue
    const small = credited.filter(
      each => each.asset_id === asset && BigInt(each.amount) < minimum && !each.txid.startsWith(reconciledTxidPrefix),
    )
    for (const [tradeNo, each] of Map.groupBy(small, each => each.trade_no))
      assert(tradeNo !== null && each.length === 1, `${tradeNo}: ${each.length} deposits are below the minimum`)
  }
}

/** Asserts that credited deposits and balances equal the transfers on the canonical chain, to the smallest unit. */
async function assertCredits(world: World, place: Place): Promise<void> {
  const { definition } = place
  const { id } = definition
  const arrivals = takenArrivals(world, place, await world.ourAddresses(place))
  const deposits = await rowsOf(world.owner, 'select * from deposits where chain_id = $1', [id])
  assert.deepEqual(
    deposits.filter(each => each.state === 'seen' || each.doubted),
    [],
    `${id}: at rest nothing waits and nothing is in doubt`,
  )
  const credited = deposits.filter(each => each.state === 'credited')
  const plain = credited
    .filter(each => !each.txid.startsWith(reconciledTxidPrefix))
    .map(each => keyOf(each.txid, each.asset_id, each.ordinal, each.to_address, each.amount, each.block_time))
  const minimums = new Map(world.assets(place).map(each => [each.id, each.minimum]))
  const keys = new Set(plain)
  const dust = arrivals.filter(each => each.amount < minimums.get(each.asset)! && !keys.has(keyOfArrival(each)))
  assert.deepEqual(
    plain.sort(),
    arrivals
      .filter(each => !dust.includes(each))
      .map(keyOfArrival)
      .sort(),
    `${id}: what is credited is what the chain has`,
  )
  await assertDust(world, place, { dust, credited })
  await assertFoundCoin(world, place, credited, minimums.get(`${id}:${definition.native.symbol}`)!)
  for (const { id: asset } of world.assets(place)) {
    const of = credited.filter(each => each.asset_id === asset)
    const [came, fees] = ['amount', 'fee'].map(name => of.reduce((sum, each) => sum + BigInt(each[name]), 0n))
    const [row] = await rowsOf(
      world.owner,
      `select coalesce(sum(balance), 0)::text as sum from ledger_accounts where asset_id = $1`,
      [asset],
    )
    const taken = await takenFrom(world, asset)
    assert.equal(
      row.sum,
      String(BigInt(came! - fees!) - taken),
      `${asset}: the balances are what came in less fees and payouts`,
    )
  }
  const verdicts = await reconcileChain(world.server.deps, world.server.chain(id))
  // Amounts that are too large for deposits are only reported, by balances of a block.
  const atBlock = definition.kind === 'evm'
  const isRight = ({ found, chain, aside, verdict }: (typeof verdicts)[number]) => {
    const more = found - chain - aside
    const payments = more > 0n ? (more + tooLarge - 1n) / tooLarge : 0n
    // A stranger who sweeps leaves one unit at each address, which does not count where nothing was credited.
    const isSurplus = atBlock && payments > 0n && payments * tooLarge - more <= payments
    return verdict === (isSurplus ? 'surplus' : 'agrees')
  }
  assert.deepEqual(
    verdicts.filter(each => !isRight(each)),
    [],
    `${id}: the reconciler agrees`,
  )
}

/**
 * Asserts that native coin from internal transactions is credited at watched addresses, and that no address is credited
 * with more than its balance.
 */
async function assertFoundCoin(
  { owner, clock }: World,
  { chain, definition: { id, native } }: Place,
  credited: readonly Credited[],
  minimum: bigint,
): Promise<void> {
  const asset = `${id}:${native.symbol}`
  const watched = await rowsOf(
    owner,
    `select d.address from deposit_addresses d join payments p on p.trade_no = d.trade_no
     where p.asset_id = $1 and p.expire_at > $2`,
    [asset, clock() - 4 * 86_400],
  )
  const must = new Set(watched.map(each => each.address))
  const reported = new Map<string, bigint>([...must].map(address => [address, 0n]))
  for (const { asset_id, to_address, amount } of credited)
    if (asset_id === asset) reported.set(to_address, (reported.get(to_address) ?? 0n) + BigInt(amount))
  for (const [address, sum] of reported) {
    const held = chain.coinOf(address)
    assert(sum <= held, `${address} holds ${held} and ${sum} is credited`)
    if (must.has(address)) assert(sum === held || held - sum < minimum, `${sum} of ${held} are credited at ${address}`)
  }
}
