import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  type Chain,
  type ChainAdapter,
  type ChainDefinition,
  type ChainKind,
  type ChainView,
  chainAdapters,
} from '@coffer/chains'
import { FakeChain } from '@coffer/chains/fake/chain.ts'
import { chainForms } from '@coffer/chains/forms.ts'
import { mnemonicToSeedSync } from '@scure/bip39'
import { makeApp } from '../../serve.ts'
import { Keys } from '../../signer/keys.ts'
import { createWatchOnlyDeriver } from '../../signer/watch.ts'
import { testStart } from '../../testing/deps.ts'
import { catchUp, payer } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { addressAt, bsc, eth, fixedPrices, moneyWorld } from '../../testing/money.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { readTxids } from './records/export.ts'

/** A UTXO-like kind: a native coin only, non-hex addresses, and the output index as the ordinal. */
const toy: ChainAdapter = {
  roots: false,
  open: definition => new FakeChain({ definition, seed: 1, time: testStart }),
  nodeUrls: {},
  address: {
    parse: text => (/^toy1[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : null),
    show: address => address.toUpperCase(),
    prefix: 'TOY1',
  },
  showTxid: txid => `toy:${txid.slice(2)}`,
  memo: false,
  paymentUri: ({ chain, address, amount }) => `${chain.native.symbol}:${address}?sats=${amount}`,
  keys: {
    path: "m/84'/1'",
    addressOf: key => `toy1${createHash('sha256').update(key).digest('hex').slice(0, 40)}`,
  },
  sending: null,
}
const kind = 'toy' as ChainKind
const definition: ChainDefinition = {
  id: 'toy',
  name: 'Toy',
  kind,
  net: 'mainnet',
  network: 'Toy',
  chainId: 0,
  confirmations: 3,
  blockTime: 600,
  native: { symbol: 'BTC', decimals: 8 },
  tokens: [],
  explorer: null,
}

test('registering a new chain kind is enough to accept payments', async t => {
  Object.assign(chainAdapters, { [kind]: toy })
  Object.assign(chainForms, { [kind]: toy })
  const chain = toy.open(definition, { endpoints: [] }) as FakeChain
  const keys = new Keys(mnemonicToSeedSync('test test test test test test test test test test test junk'))
  const at = createWatchOnlyDeriver(kind, keys.xpub(kind))
  const views: ChainView[] = [{ definition: eth } as Chain, { definition: bsc } as Chain, chain]
  const world = await moneyWorld(t, {
    addressAt: (of, index) => (of === kind ? at(index) : addressAt(of, index)),
    chains: new Map(views.map(view => [view.definition.id, view])),
    prices: fixedPrices({ USDT: '1', BTC: '50000' }, () => testStart),
  })
  await catchUp(world.deps, chain)
  const requested = { chain: 'toy', token: 'BTC' }
  const first = await world.pay(requested)
  const second = await world.pay(requested)
  assert.deepEqual([first.address, second.address], [at(0), at(1)])
  const app = await makeApp(world.deps)
  t.after(() => app.close())
  const look = async () => (await app.inject(`/api/v1/checkout/${first.trade_no}`)).json().data
  const shown = at(0).toUpperCase()
  const { chosen } = await look()
  assert.deepEqual([chosen.address, chosen.uri], [shown, `BTC:${shown}?sats=20000`])

  const outputs: [string, bigint][] = [
    ['toy1change', 5n],
    [at(0), 20_000n],
    [at(1), 10_000n],
    [at(1), 10_000n],
  ]
  const [txid] = chain.mine([outputs.map(([to, amount]) => ({ token: null, from: payer, to, amount }))])
  for (let i = 1; i < definition.confirmations; i++) chain.mine()
  await catchUp(world.deps, chain)
  for (const { trade_no } of [first, second]) assert.equal((await world.payment(trade_no)).state, 'paid')
  const ordinals = (await world.deposits(second.trade_no)).map(each => each.ordinal)
  assert.deepEqual(ordinals.sort(), [2, 3])
  const bare = `toy:${txid!.slice(2)}`
  assert.equal((await look()).deposits[0].txid, bare)
  const exported = await readTxids(world.deps.pool, world.merchant.id, [first.trade_no, second.trade_no])
  assert.deepEqual([exported.get(first.trade_no), exported.get(second.trade_no)], [bare, `${bare} ${bare}`])
  assert.deepEqual(
    (await reconcileChain(world.deps, chain)).map(each => each.verdict),
    ['agrees'],
  )
  await assertBooksAgree(world.owner)
})
