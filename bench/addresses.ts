import { createAddress } from '@coffer/server/domains/addresses/assign-address.ts'
import { listFixedAddresses } from '@coffer/server/domains/addresses/store.ts'
import { countRecharges, pageRecharges } from '@coffer/server/domains/recharges/store.ts'
import { foldLists } from '@coffer/server/kit/counted-list.ts'
import { addressAt, eth, type MoneyWorld, moneyWorld } from '@coffer/server/testing/money.ts'
import { type Figure, median, percentile99, scope } from './figure.ts'

const [few, many] = [1_000, 100_000]
/** Recharges before and after, and deposits of a block. */
const [recharges, perBlock] = [100_000, 1_000]
const [warmUp, rounds, limit, pageLimit] = [20, 200, 1.3, 20]
/** Where in the key tree the addresses begin that no call derives. */
const filledFrom = 1_000_000

/** Addresses of a merchant's customers: making one, listing them, and crediting to them, with few addresses and with 100,000. */
export async function addresses(): Promise<Figure[]> {
  const here = scope()
  try {
    const world = await moneyWorld(here)
    await fill(world, 0, few)
    await credited(world, few)
    const before = await measured(world, few)
    await fill(world, few, many)
    await fillRecharges(world)
    while (await foldLists(world.deps));
    const after = await measured(world, many)
    const ratios = (['create', 'credit'] as const).map(name => ({
      what: `${name === 'create' ? 'creating an address' : `crediting to ${perBlock} addresses`}, of ${many} / of ${few}`,
      value: (after[name] / before[name]).toFixed(2),
      comparison: `${after[name].toFixed(2)} and ${before[name].toFixed(2)} ms; at most ${limit}`,
      holds: after[name] / before[name] <= limit,
    }))
    const pages = (['list', 'recharges'] as const).map(name => ({
      what: `a page of ${name === 'list' ? `${many} addresses` : `${recharges} recharges`}, p99`,
      value: `${after[name].toFixed(2)} ms`,
      comparison: `with few ${before[name].toFixed(2)} ms; at most ${pageLimit}`,
      holds: after[name] <= pageLimit,
    }))
    return [...ratios, ...pages]
  } finally {
    await here.end()
  }
}

/** Inserts addresses as `createAddress` does, which derives each. */
async function fill({ owner, merchant, appid }: MoneyWorld, from: number, to: number): Promise<void> {
  const of = Array.from({ length: to - from }, (_, index) => addressAt('evm', filledFrom + from + index))
  await owner.query(
    `with given as (select address, $2::int + n - 1 as n from unnest($1::text[]) with ordinality as given (address, n)),
       made as (insert into deposit_addresses (chain_kind, address, key_index, merchant_id, purpose, leased_for, created_at)
         select 'evm', address, ${filledFrom} + n, $3, 'customer', 'token', n from given)
     insert into fixed_addresses (merchant_id, appid, reference, chain_id, id, address, created_at)
     select $3, $4, 'filled ' || n, $5, 'filled ' || n, address, n from given`,
    [of, from, merchant.id, appid, eth.id],
  )
  await owner.query('vacuum analyze')
}

/** Copies a credited recharge until there are many. */
const fillRecharges = ({ owner, merchant }: MoneyWorld) =>
  owner.query(
    `insert into deposits
     select copy.* from deposits one cross join generate_series(1, ${recharges}) n
       cross join lateral jsonb_populate_record(one, jsonb_build_object('id', 'copy ' || n, 'txid', 'copy ' || n,
         'to_address', (select address from fixed_addresses where id = 'filled ' || n % ${many}))) copy
     where one.id = (select id from deposits where merchant_id = $1 and kind = 'recharge' limit 1)`,
    [merchant.id],
  )

/** Milliseconds per deposit of a block of deposits to addresses that are spread over all, seen and credited. */
async function credited(world: MoneyWorld, count: number): Promise<number> {
  const started = performance.now()
  const to = (n: number) => addressAt('evm', filledFrom + Math.floor((n * count) / perBlock))
  await world.eth.add(Array.from({ length: perBlock }, (_, n) => ({ to: to(n), amount: 1_000_000n })))
  await world.eth.confirm()
  return (performance.now() - started) / perBlock
}

async function measured(world: MoneyWorld, count: number) {
  const { deps, merchant, appid } = world
  const { id: merchantId } = merchant
  const timed = async (work: (round: number) => Promise<unknown>) => {
    const times: number[] = []
    for (let round = -warmUp; round < rounds; round++) {
      const started = performance.now()
      await work(round)
      if (round >= 0) times.push(performance.now() - started)
    }
    return times
  }
  const page = (round: number, total: number) => ({ limit: 100, offset: round % 2 ? total - 100 : 0 })
  const create = await timed(round =>
    createAddress(deps, { merchantId, appid, reference: `made ${count} ${round}`, chainId: eth.id }),
  )
  const list = await timed(round => listFixedAddresses(deps.pool, merchantId, {}, page(round, count)))
  const recent = await timed(async () => [
    await pageRecharges(deps.pool, merchantId, {}, { limit: 100, offset: 0 }),
    await countRecharges(deps.pool, merchantId, {}),
  ])
  const credit: number[] = []
  for (let block = 0; block < 5; block++) credit.push(await credited(world, count))
  return { create: median(create), list: percentile99(list), recharges: percentile99(recent), credit: median(credit) }
}
