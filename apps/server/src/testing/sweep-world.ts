import { chainAdapters } from '@coffer/chains'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { sweepChain } from '../domains/sweeps/sweep-chain.ts'
import { deployBatchContracts } from '../sandbox/chains.ts'
import { catchUp } from './followed.ts'
import { testApplication } from './merchants.ts'
import { payments, rowsOf } from './money.ts'
import { CONFIRMATIONS, type PayoutWorld, payoutWorld, tronPayoutWorld } from './payout-world.ts'

/**
 * Repeats a pass, at most so often. Ends early once one has changed no transaction, sweep, wallet or payout and nothing
 * is under way: at the same time, the next pass would find the same.
 */
async function untilQuiet(
  { deps }: Pick<PayoutWorld, 'deps'>,
  most: number,
  pass: () => Promise<unknown>,
): Promise<void> {
  let before: unknown
  for (let i = 0; i < most; i++) {
    await pass()
    const { rows } = await deps.owner.query(state)
    if (rows[0].is_quiet && rows[0].state === before) return
    before = rows[0].state
  }
}

const state = `select not exists (select from outgoing where state not in ('final', 'void')) as is_quiet, md5(concat(
  (select jsonb_agg(o order by from_address, nonce) from outgoing o), (select jsonb_agg(s order by id) from sweeps s),
  (select jsonb_agg(p order by id) from test_payouts p), (select jsonb_agg(d order by id) from deposits d))) as state`

/** A payout world with Sweeper deployed, and payments that can be paid. */
export async function sweepWorld(...given: Parameters<typeof payoutWorld>) {
  const w: PayoutWorld = await payoutWorld(...given)
  await w.call('evm_setAutomine', true)
  await deployBatchContracts(w.url, w.hot)
  await w.call('evm_setAutomine', false)
  const { appid } = await testApplication(w.deps, w.merchant.id, { notify_url: 'https://shop.example/notify' })
  const create = payments(w.deps, { merchantId: w.merchant.id, appid })
  const order = async (token: string) => {
    const made = await create({ chain: w.definition.id, token, amount: '100' })
    return { to: made.address.toLowerCase(), trade_no: made.trade_no }
  }
  return {
    ...w,
    order,
    /** Creates payments, pays them and waits until they are credited. */
    paid: async (amounts: bigint[], token = 'USDT') => {
      const orders = []
      for (const _ of amounts) orders.push(await order(token))
      await catchUp(w.deps, w.chain)
      await w.pay(orders.map(({ to }, i) => [{ token: token === 'USDT' ? w.token : null, to, amount: amounts[i]! }]))
      await w.mine(CONFIRMATIONS)
      w.deps.pass(3_600)
      return orders.map(each => each.to)
    },
    sweep: () => sweepChain(w.deps, w.chain, w.owners),
    /** Sends and mines everything that is under way until nothing changes. */
    settle: () =>
      untilQuiet(w, 8, async () => {
        await w.pass()
        await w.mine(CONFIRMATIONS)
        await w.pass()
        await sweepChain(w.deps, w.chain, w.owners)
      }),
    sweeps: () => rowsOf(w.deps.owner, 'select * from sweeps order by created_at, id'),
    expenses: () => rowsOf(w.deps.owner, 'select * from gas_expenses'),
  }
}

/** A TRON world whose sweeps get their energy in one way, with payments that can be paid. */
export async function tronSweepWorld(t: Scope, tronEnergy: string, nodes = 1) {
  const w = await tronPayoutWorld(t, {
    nodes,
    more: ({ foreign }) => [{ symbol: 'USDC', contract: foreign, decimals: 6 }],
  })
  const config = { ...w.deps.config, tronEnergy }
  const deps = { ...w.deps, config }
  const { appid } = await testApplication(deps, w.merchant.id, { notify_url: 'https://shop.example/notify' })
  const create = payments(deps, { merchantId: w.merchant.id, appid })
  const order = async (token: string) => {
    const { address, trade_no } = await create({ chain: 'tron', token, amount: '100' })
    return { to: chainAdapters.tron.address.parse(address)!, trade_no }
  }
  return {
    ...w,
    deps,
    order,
    /** Pays a payment of its own until it is credited; returns its address. */
    paid: async (token: 'USDT' | 'TRX', amount: bigint) => {
      const { to } = await order(token)
      await catchUp(deps, w.chain)
      await w.pay([[{ token: token === 'USDT' ? w.token : null, to, amount }]])
      await w.mine(CONFIRMATIONS)
      return to
    },
    sweep: () => sweepChain(deps, w.chain, w.owners),
    /** Sends and mines everything that is under way, and sweeps in between by two processes. */
    settle: (passes = 6) =>
      untilQuiet({ deps }, passes, async () => {
        await Promise.all([sweepChain(deps, w.chain, w.owners), sweepChain(deps, w.chain, w.owners)])
        await w.pass()
        await w.mine(CONFIRMATIONS)
        await w.pass()
      }),
    sweeps: () => rowsOf(deps.owner, 'select * from sweeps order by created_at, id'),
    /** What was sent, in alphabetical order. */
    kinds: async () =>
      (await rowsOf(deps.owner, `select intent ->> 'kind' as kind from outgoing order by kind`)).map(each => each.kind),
  }
}
