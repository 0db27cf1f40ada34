import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS, type PayoutWorld, payoutWorld, tronPayoutWorld } from '../../testing/payout-world.ts'
import { clearSwitch, readAnySwitch, setSwitch } from '../chains/store.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { postEntries } from '../ledger/store.ts'
import { resumeWallets } from './wallets.ts'
import { type CoinReading, watchCoin } from './watch-coin.ts'

const states = async (w: Pick<PayoutWorld, 'outgoing'>) => (await w.outgoing()).map(each => each.state)
const wallet = (w: Pick<PayoutWorld, 'deps'>) => firstRow(w.deps.owner, 'select * from wallets')
const done = ['sent', 'in block', 'final']

/** What holds for every kind of chain: how its world opens, and an amount of its native coin. */
const everyKind = [
  { kind: 'EVM', open: payoutWorld, some: 10n ** 17n, gasPrice: '0x2540be400' },
  { kind: 'TRON', open: tronPayoutWorld, some: 3_000_000n, gasPrice: '0x0' },
] as const

/** Watches the native coin of the wallets of a world, as the job does. */
function watcher(w: PayoutWorld | Awaited<ReturnType<typeof tronPayoutWorld>>) {
  let waiting: CoinReading | null = null
  return async () => {
    waiting = await watchCoin(w.deps, w.chain, waiting)
    return (await wallet(w)).halted as string | null
  }
}

for (const { kind, open, some, gasPrice } of everyKind) {
  test(`${kind}: what a foreign key takes of the native coin halts the wallet, and what came or we sent does not`, async t => {
    const w = await open(t)
    const watch = watcher(w)
    // Began, compared, and where nodes keep no past state, compared once the block is final.
    const settled = async () => {
      for (let i = 0; i < 3; i++) {
        await w.mine(CONFIRMATIONS)
        assert.equal(await watch(), null)
      }
    }
    await settled()
    await w.pay([[{ token: null, to: w.hot, amount: some }]])
    await settled()
    const symbol = w.definition.native.symbol
    const expected = await firstRow(w.deps.owner, 'select expected from wallet_coin')
    assert.equal(expected.expected, String(await w.chain.balanceOf(null, w.hot)), 'what came is expected')
    await w.call('anvil_impersonateAccount', w.hot)
    const value = `0x${(some / 2n).toString(16)}`
    await w.call('eth_sendTransaction', { from: w.hot, to: w.receiver(9), value, gas: '0x5208', gasPrice })
    await w.mine()
    assert.equal(await watch(), null, 'not final')
    for (let i = 0; i < 3; i++) {
      await w.mine(CONFIRMATIONS)
      await watch()
    }
    const missing = kind === 'EVM' ? '0.05021' : '1.5'
    const pattern = new RegExp(`^coin_left \\| ${missing} ${symbol} \\| \\d+ \\| 20\\S+Z \\| `)
    assert.match((await watch()) ?? '', pattern)
    assert.deepEqual(await rowsOf(w.deps.owner, `select kind, detail ->> 'wallet' as wallet from incidents`), [
      { kind: 'wallet_halted', wallet: w.hot },
    ])
    await w.ask()
    await w.pass()
    assert.deepEqual(await states(w), [], 'nothing is signed')
    await resumeWallets(w.deps, w.definition.id)
    await settled()
  })

  test(`${kind}: pays a token and the native coin, once final, posts the exact fees, and agrees with the chain to the unit`, async t => {
    const w = await open(t)
    const usdt = await w.ask()
    const coin = await w.ask({ token: null, amount: some })
    // The wallet was funded from outside.
    const found = { merchantId: null, part: 'suspense', assetId: `${w.definition.id}:USDT` } as const
    const spare = {
      kind: 'adjustment',
      debit: { ...found, part: 'chain' },
      credit: found,
      amount: 995_000_000n,
    } as const
    await postEntries(w.deps.pool, [{ group: { source: 'test:found', postings: [spare] } }], w.deps.clock())
    const before = await w.chain.balanceOf(null, w.hot)
    const watch = watcher(w)
    const agrees = async () => {
      assert.equal(await watch(), null, 'no coin is missing')
      for (const each of await reconcileChain(w.deps, w.chain)) assert.equal(each.verdict, 'agrees', each.asset_id)
    }
    await agrees()
    await w.pass()
    await agrees()
    assert.deepEqual([await states(w), await w.log(usdt.id)], [['sent', 'sent'], ['sent']])
    for (let depth = 1; depth < CONFIRMATIONS; depth++) {
      await w.mine()
      await agrees()
      await w.pass()
      await agrees()
      assert.deepEqual(
        [await states(w), await w.log(usdt.id)],
        [
          ['in_block', 'in_block'],
          ['sent', 'in block'],
        ],
      )
    }
    await w.mine()
    await w.pass()
    assert.deepEqual([await w.log(usdt.id), await w.log(coin.id)], [done, done])
    assert.deepEqual([await w.balance(usdt.to), await w.chain.balanceOf(null, coin.to)], [5_000_000n, some])
    const [posted] = await rowsOf(w.deps.owner, `select sum(amount) as fees from ledger_postings where kind = 'gas'`)
    assert.equal(BigInt(posted.fees), before - (await w.chain.balanceOf(null, w.hot)) - some)
    assert.ok(BigInt(posted.fees) > 0n)
    await w.pass()
    await w.confirm()
    assert.equal((await w.attempts()).length, 2)
    const token = (await reconcileChain(w.deps, w.chain)).find(each => each.asset_id === found.assetId)!
    assert.deepEqual([token.verdict, token.chain, token.found, token.held], ['agrees', 995_000_000n, 995_000_000n, 0n])
    await agrees()
  })

  test(`${kind}: a payout that is reorged out of its block is paid once`, async t => {
    const w = await open(t)
    const payout = await w.ask()
    await w.pass()
    await w.mine()
    await w.pass()
    assert.deepEqual(await w.log(payout.id), ['sent', 'in block'])
    await w.reorg(1, 'lost')
    await w.mine()
    await w.pass()
    assert.deepEqual(await w.log(payout.id), ['sent', 'in block', 'out of block'])
    w.deps.pass(15)
    await w.pass()
    await w.mine()
    await w.pass()
    await w.confirm()
    assert.deepEqual(await w.log(payout.id), ['sent', 'in block', 'out of block', 'in block', 'final'])
    assert.deepEqual([(await w.attempts()).length, await w.balance(payout.to)], [1, 5_000_000n])
  })

  test(`${kind}: a payout that reverts has failed, costs its fee, and can be paid anew`, async t => {
    const w = await open(t)
    const payout = await w.ask()
    const watch = watcher(w)
    for (let i = 0; i < 2; i++) await watch()
    await w.pass()
    await w.call('anvil_setCode', w.token, '0x5f5ffd')
    await w.mine()
    await w.pass()
    assert.deepEqual(await w.log(payout.id), ['sent', 'in block'])
    await w.confirm()
    assert.deepEqual(await w.log(payout.id), ['sent', 'in block', 'failed: reverted'])
    const [row] = await w.outgoing()
    assert.deepEqual([row.state, row.outcome, BigInt(row.fee) > 0n], ['final', 'reverted', true])
    assert.deepEqual(await rowsOf(w.deps.owner, 'select live from outgoing_items'), [{ live: false }])
    for (let i = 0; i < 3; i++) {
      await w.mine(CONFIRMATIONS)
      assert.equal(await watch(), null, 'its fee is no missing coin')
    }
  })

  test(`${kind}: what the signer will never sign gets no nonce, a wallet short of its coin says so, and others are paid`, async t => {
    const w = await open(t)
    w.signer.policy.chains[w.definition.id]!.assets[w.token] = { single: 5_000_000n, daily: 10n ** 12n }
    const large = await w.ask({ amount: 5_000_001n })
    const beyond = await w.ask({ token: null, amount: 20_000n * some })
    const good = await w.ask()
    await w.pass()
    assert.ok((await wallet(w)).waits.endsWith(w.definition.native.symbol))
    await w.pass()
    await w.mine()
    await w.pass()
    await w.confirm()
    assert.deepEqual(
      [await w.log(large.id), await w.log(beyond.id), await w.log(good.id)],
      [['voided: signer: too_large'], [], done],
    )
    assert.equal((await w.outgoing()).length, 1)
    assert.deepEqual(await rowsOf(w.deps.owner, 'select kind from incidents'), [{ kind: 'payout_refused' }])
  })
}

test('fees under way are no shortage of native coin', async t => {
  const w = await payoutWorld(t, { funded: false })
  await w.call('anvil_setBalance', w.hot, `0x${(10n ** 18n).toString(16)}`)
  const eth = await w.ask({ token: null, amount: 10n ** 18n - 10n ** 16n })
  const change = { merchantId: null, part: 'suspense', assetId: 'eth:ETH' } as const
  const rest = { kind: 'adjustment', debit: { ...change, part: 'chain' }, credit: change, amount: 10n ** 16n } as const
  await postEntries(w.deps.pool, [{ group: { source: 'test:found', postings: [rest] } }], w.deps.clock())
  await w.pass()
  await w.mine(CONFIRMATIONS + 1)
  const before = (await reconcileChain(w.deps, w.chain)).find(each => each.asset_id === 'eth:ETH')!
  assert.ok(before.found < before.chain - eth.amount, 'the fee has left the chain and is not posted')
  assert.equal(before.verdict, 'agrees')
  await w.pass()
  assert.deepEqual(await w.log(eth.id), done)
  const after = (await reconcileChain(w.deps, w.chain)).find(each => each.asset_id === 'eth:ETH')!
  assert.deepEqual([after.found, after.verdict], [after.chain, 'agrees'])
})

test('a crash after the nonce was taken, or after the signature, pays once', async t => {
  const w = await payoutWorld(t)
  const payout = await w.ask()
  w.signer.isDown = true
  await w.pass()
  assert.deepEqual(await states(w), [], 'no nonce is taken without a dry run by the signer')
  w.signer.isDown = 'to sign'
  await w.pass()
  assert.deepEqual(await states(w), ['assigned'])
  w.signer.isDown = false
  const { sign } = w.signer
  w.signer.sign = async request => {
    await sign(request)
    throw new Error('the server died')
  }
  await assert.rejects(w.pass(), /died/)
  assert.deepEqual([await states(w), (await w.attempts()).length], [['assigned'], 0])
  w.signer.sign = sign
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(payout.id), done)
  assert.equal(await w.balance(payout.to), 5_000_000n)
  assert.equal(await w.chain.nonce(w.hot), 1)
})

test('stored bytes are broadcast although no node could be reached, and again every 15 seconds, unchanged', async t => {
  const w = await payoutWorld(t)
  const payout = await w.ask()
  const [node] = w.proxies
  const stored: number[] = []
  node!.intercept = async ({ method }) => {
    if (method !== 'eth_sendRawTransaction') return undefined
    stored.push((await w.attempts()).length)
    return { error: { code: -32000, message: 'busy' } }
  }
  await w.pass()
  const [first] = await w.attempts()
  assert.deepEqual([first.broadcasts, first.refused, stored], [1, 'busy', [1]])
  node!.reset()
  await w.pass()
  assert.equal((await w.attempts())[0].broadcasts, 1, 'too early')
  for (const count of [2, 3]) {
    w.deps.pass(15)
    await w.pass()
    const [again, ...more] = await w.attempts()
    assert.deepEqual([again.broadcasts, again.refused, again.raw, more.length], [count, null, first.raw, 0])
  }
  await w.mine()
  await w.confirm()
  assert.deepEqual(await w.log(payout.id), done)
})

test('a broadcast whose answer is lost, or is a refusal, may have been accepted', async t => {
  const w = await payoutWorld(t)
  const payout = await w.ask()
  w.proxies[0]!.intercept = async ({ method, params }, ask) => {
    if (method !== 'eth_sendRawTransaction') return undefined
    await ask(method, ...params)
    return { error: { code: -32000, message: 'nonce too low' } }
  }
  await w.pass()
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(payout.id), done)
  assert.deepEqual([(await w.attempts()).length, await w.chain.nonce(w.hot)], [1, 1])
})

test('two servers with one wallet pay everything once', async t => {
  const w = await payoutWorld(t)
  const requested = await Promise.all(Array.from({ length: 12 }, () => w.ask()))
  const other = { ...w.deps }
  for (let round = 0; round < 3; round++) {
    await Promise.all([w.pass(), w.pass(other), w.pass()])
    await w.mine()
  }
  await w.confirm()
  for (const { id, to } of requested) assert.deepEqual([await w.log(id), await w.balance(to)], [done, 5_000_000n])
  assert.equal(await w.chain.nonce(w.hot), 12)
  const rows = await w.outgoing()
  assert.deepEqual(
    rows.map(each => each.nonce),
    Array.from({ length: 12 }, (_, nonce) => nonce),
  )
})

test('a payout withdrawn at the last moment takes no nonce', async t => {
  const w = await payoutWorld(t)
  const gone = await w.ask()
  const stays = await w.ask()
  const { gasFor } = w.chain
  w.chain.gasFor = async payout => {
    await w.deps.owner.query('update test_payouts set due = false where id = $1', [gone.id])
    return gasFor.call(w.chain, payout)
  }
  await w.pass()
  assert.deepEqual([await w.log(gone.id), await w.log(stays.id)], [[], ['sent']])
  assert.deepEqual(
    (await w.outgoing()).map(each => each.nonce),
    [0],
  )
})

test('a payout that the chain refuses is void after three minutes without a nonce, and holds up no other', async t => {
  const w = await payoutWorld(t)
  const bad = await w.ask({ token: null, amount: 7n, to: w.forwarder })
  const good = await w.ask()
  await w.pass()
  const waits = 'waits: the destination refuses it'
  assert.deepEqual([await w.log(bad.id), await w.log(good.id)], [[waits], ['sent']])
  w.deps.pass(180)
  await w.pass()
  assert.deepEqual(await w.log(bad.id), [waits, 'voided: the destination refuses it'])
  assert.equal((await w.outgoing()).length, 1)
})

test('a wallet short of a token or of gas waits, and says what it lacks', async t => {
  const w = await payoutWorld(t)
  const large = await w.ask({ amount: 1_500_000_000n })
  const small = await w.ask()
  const eth = await w.ask({ token: null, amount: 10n ** 18n })
  await w.pass()
  assert.deepEqual([await w.log(large.id), await w.log(small.id), await w.log(eth.id)], [[], [], ['sent']])
  assert.equal((await wallet(w)).waits, '505 USDT')
  await w.pay([[{ token: w.token, to: w.hot, amount: 505_000_000n }]])
  await w.pass()
  assert.deepEqual([await w.log(large.id), await w.log(small.id)], [['sent'], ['sent']])
  assert.equal((await wallet(w)).waits, null)
  await w.call('anvil_setBalance', w.hot, '0x10')
  const poor = await w.ask({ amount: 1n })
  await w.mine()
  await w.pay([[{ token: w.token, to: w.hot, amount: 10_000_000n }]])
  await w.pass()
  assert.deepEqual(await w.log(poor.id), [])
  assert.match((await wallet(w)).waits, /ETH$/)
})

test('a node that hides or invents what the wallet has makes no payout wait, and none fail', async t => {
  const w = await payoutWorld(t, { nodes: 3 })
  const small = await w.ask()
  const large = await w.ask({ amount: 1_500_000_000n })
  for (const told of [0n, 10n ** 30n]) {
    w.proxies[0]!.intercept = ({ method }) => {
      if (method === 'eth_estimateGas') return { result: '0xfde8' }
      return /^eth_(getBalance|call)$/.test(method) ? { result: `0x${told.toString(16).padStart(64, '0')}` } : undefined
    }
    await w.pass()
    assert.deepEqual([await w.log(small.id), await w.log(large.id)], [['sent'], []])
    assert.equal((await wallet(w)).waits, '505 USDT')
  }
})

test('nothing new is sent while withdrawals are stopped or the chain is halted', async t => {
  const w = await payoutWorld(t)
  const first = await w.ask()
  w.signer.isDown = 'to sign'
  await w.pass()
  w.signer.isDown = false
  const second = await w.ask()
  await setSwitch(w.deps.pool, 'withdrawals_stopped', 'test', w.deps.clock())
  await w.pass()
  assert.deepEqual([await states(w), await w.log(second.id)], [['assigned'], []])
  await clearSwitch(w.deps.pool, 'withdrawals_stopped')
  await w.deps.owner.query(`update chains set halted = 'test'`)
  await w.pass()
  assert.deepEqual([await states(w), await w.log(second.id)], [['assigned'], []])
  await w.deps.owner.query('update chains set halted = null')
  await w.pass()
  await w.mine()
  await w.confirm()
  assert.deepEqual([await w.log(first.id), await w.log(second.id)], [done, done])
})

test('one lying node cannot make a payout fail or final, nor stop others', async t => {
  const w = await payoutWorld(t, { nodes: 3 })
  const watch = watcher(w)
  await w.mine(CONFIRMATIONS)
  assert.equal(await watch(), null)
  const payout = await w.ask()
  await w.pass()
  await w.mine()
  w.proxies[0]!.intercept = async ({ method, params }, ask) => {
    // It reports no balances either, and proves none.
    if (/^eth_(getBalance|call|getProof)$/.test(method)) return { result: `0x${'0'.repeat(64)}` }
    if (method !== 'eth_getTransactionReceipt') return undefined
    const receipt = (await ask(method, ...params)) as object | null
    return { result: receipt && { ...receipt, status: '0x0' } }
  }
  await w.pass()
  await w.confirm()
  // It becomes final meanwhile if both honest nodes answer before the liar.
  assert.deepEqual((await w.log(payout.id)).slice(0, 2), ['sent', 'in block'])
  await reconcileChain(w.deps, w.chain)
  assert.deepEqual([await watch(), await readAnySwitch(w.deps.pool, 'withdrawals_stopped')], [null, undefined])
  const another = await w.ask()
  await w.pass()
  assert.deepEqual(await w.log(another.id), ['sent'])
  w.proxies[0]!.reset()
  await w.pass()
  assert.deepEqual(await w.log(payout.id), done)
})
