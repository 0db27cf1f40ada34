import { type ChainView, chainAdapters, defineSandboxChain, tron } from '@coffer/chains'
import { makeWorld, type World } from '@coffer/chains/testing/evm-harness.ts'
import { nearby } from '@coffer/chains/testing/near.ts'
import { startTronFacade, type TronFacade } from '@coffer/chains/tron/facade.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { mnemonicToSeedSync } from '@scure/bip39'
import { syncChains } from '../domains/chains/sync-chains.ts'
import { followUntilHalted } from '../domains/deposits/follow.ts'
import { openChain } from '../outside/open-chain.ts'
import { Keys } from '../signer/keys.ts'
import { withDeps } from './deps.ts'
import { catchUp } from './followed.ts'
import { testApplication, testMerchant } from './merchants.ts'
import { fixedPrices, moneyOf, payments } from './money.ts'
import { watchOnce } from './watch-once.ts'

/** Confirmations of TRON deposits in tests. */
export const CONFIRMATIONS = 4
/** Derives the TRON address at an index of the key tree. */
export const addressAt = watchOnce(
  'tron',
  new Keys(mnemonicToSeedSync('test test test test test test test test test test test junk')).xpub('tron'),
)

class Stuck extends Error {}

/**
 * Creates dependencies that follow TRON through `nodes` emulated nodes over one local chain, with real key derivation.
 * `token`: the contract of USDT, if not that of the chain.
 */
export async function tronWorld(t: Scope, nodes = 1, token = async (world: World) => world.token) {
  const world = await makeWorld((await withAnvil(t)).url)
  const facades = await Promise.all(Array.from({ length: nodes }, async () => nearby(await startTronFacade(world.url))))
  for (const each of facades) t.after(each.stop)
  const contract = await token(world)
  const definition = {
    ...defineSandboxChain(tron, {
      chainId: 31337,
      confirmations: CONFIRMATIONS,
      blockTime: 3,
      tokens: [{ symbol: 'USDT', contract, decimals: 6 }],
    }),
    explorer: tron.explorer,
  }
  let ahead = 0
  const clock = () => Math.floor(Date.now() / 1_000) + ahead
  const deps = await withDeps(t, {
    addressAt: (_, index) => addressAt(index),
    clock,
    prices: fixedPrices({ USDT: '1', TRX: '0.25' }, clock),
    chains: new Map<string, ChainView>(),
  })
  const chain = openChain({ definition, nodes: facades.map(({ url, http }) => ({ url, urls: { http } })) }, deps.log)
  ;(deps.chains as Map<string, ChainView>).set(definition.id, chain)
  await syncChains(deps)
  const merchant = await testMerchant(deps)
  const { appid } = await testApplication(deps, merchant.id, { notify_url: 'https://shop.example/notify' })
  await catchUp(deps, chain)
  const money = moneyOf(deps.owner, merchant.id)
  const create = payments(deps, { merchantId: merchant.id, appid })
  return {
    ...world,
    pay: async (...paid: Parameters<World['pay']>) => Promise.all((await world.pay(...paid)).map(facades[0]!.idOf)),
    facade: facades[0] as TronFacade,
    facades,
    definition,
    deps,
    chain,
    merchant,
    deposits: money.deposits,
    pass: (seconds: number) => {
      ahead += seconds
    },
    /** Creates a payment of 10 USDT; `to` is its address in the stored form. */
    order: async (token = 'USDT') => {
      const order = await create({ chain: definition.id, token })
      return { ...order, to: chainAdapters.tron.address.parse(order.address)! }
    },
    catchUp: () => catchUp(deps, chain),
    /** Catches up once; returns the reason of the first wait, such as failing nodes. */
    attemptCatchUp: () =>
      followUntilHalted(deps, chain, {
        wait: async why => {
          throw new Stuck(why)
        },
        applied: () => {},
      }).catch(error => {
        if (error instanceof Stuck) return error.message
        throw error
      }),
    confirm: async () => {
      await world.mine(CONFIRMATIONS - 1)
      await catchUp(deps, chain)
    },
    states: async (tradeNo: string) => (await money.deposits(tradeNo)).map(each => each.state),
    state: async (tradeNo: string) => (await money.payment(tradeNo)).state,
    callbacks: async (tradeNo: string) => (await money.callbacks(tradeNo)).map(each => each.slice(8)),
    balance: (symbol: string) => money.balance(`${definition.id}:${symbol}`),
  }
}
