import { type ChainView, kinds, sandboxOf, tron } from '@coffer/chains'
import { makeWorld } from '@coffer/chains/testing/evm-harness.ts'
import { startTronFacade, type TronFacade } from '@coffer/chains/tron/facade.ts'
import { nameOf, paymentStatus } from '@coffer/contract'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { mnemonicToSeedSync } from '@scure/bip39'
import { syncChains } from '../domains/chains/sync-chains.ts'
import { followOnce } from '../domains/deposits/follow.ts'
import { createPayment } from '../domains/payments/create-payment.ts'
import { openChain } from '../outside/open-chain.ts'
import { Keys } from '../signer/keys.ts'
import { watchOnly } from '../signer/watch.ts'
import { withDeps } from './deps.ts'
import { catchUp } from './followed.ts'
import { testApplication, testMerchant } from './merchants.ts'
import { firstRow, fixedPrices, rowsOf } from './money.ts'

/** Confirmations of TRON deposits in tests. */
export const CONFIRMATIONS = 4
/** Derives the TRON address at an index of the key tree. */
export const addressAt = watchOnly(
  'tron',
  new Keys(mnemonicToSeedSync('test test test test test test test test test test test junk')).xpub('tron'),
)

class Stuck extends Error {}

/** Creates dependencies that follow TRON through `nodes` emulated nodes over one local chain, with real key derivation. */
export async function tronWorld(t: Scope, nodes = 1) {
  const world = await makeWorld((await withAnvil(t)).url)
  const facades = await Promise.all(Array.from({ length: nodes }, () => startTronFacade(world.url)))
  for (const each of facades) t.after(each.stop)
  const definition = {
    ...sandboxOf(tron, {
      chainId: 31337,
      confirmations: CONFIRMATIONS,
      blockTime: 3,
      tokens: [{ symbol: 'USDT', contract: world.token, decimals: 6 }],
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
  const chain = openChain({ definition, nodes: facades.map(({ url, http }) => ({ url, http })) }, deps.log)
  ;(deps.chains as Map<string, ChainView>).set(definition.id, chain)
  await syncChains(deps)
  const merchant = await testMerchant(deps)
  const { appid } = await testApplication(deps, merchant.id, { notify_url: 'https://shop.example/notify' })
  await catchUp(deps, chain)
  let count = 0
  const deposits = (tradeNo: string) =>
    rowsOf(deps.owner, 'select * from deposits where trade_no = $1 order by seen_at, id', [tradeNo])
  return {
    ...world,
    facade: facades[0] as TronFacade,
    facades,
    definition,
    deps,
    chain,
    merchant,
    deposits,
    pass: (seconds: number) => {
      ahead += seconds
    },
    /** Creates a payment of 10 USDT; `to` is its address in the stored form. */
    order: async (token = 'USDT') => {
      const order = await createPayment(deps, {
        merchantId: merchant.id,
        appid,
        order: {
          out_trade_no: `order-${++count}`,
          amount: '10',
          currency: 'USDT',
          chain: definition.id,
          token,
          subject: '',
          attach: '',
          return_url: '',
          expires_in: 1800,
        },
      })
      return { ...order, to: kinds.tron.address.parse(order.address)! }
    },
    catchUp: () => catchUp(deps, chain),
    /** Catches up once; returns the reason of the first wait, such as failing nodes. */
    attemptCatchUp: () =>
      followOnce(deps, chain, {
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
    states: async (tradeNo: string) => (await deposits(tradeNo)).map(each => each.state),
    state: async (tradeNo: string) => {
      const row = await firstRow(deps.owner, 'select status from payments where trade_no = $1', [tradeNo])
      return nameOf(paymentStatus, row.status)
    },
    callbacks: async (tradeNo: string) =>
      (await rowsOf(deps.owner, 'select event from callbacks where trade_no = $1 order by seq', [tradeNo])).map(each =>
        each.event.slice(8),
      ),
    balance: async (symbol: string) =>
      (
        await firstRow(deps.owner, 'select balance from ledger_accounts where id = $1', [
          `${merchant.id}/available/${definition.id}:${symbol}`,
        ])
      )?.balance ?? '0',
  }
}
