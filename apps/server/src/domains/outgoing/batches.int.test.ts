import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disperseContract } from '@coffer/chains'
import { Token } from '@coffer/chains/evm/generated/contracts.ts'
import { isFull } from '@coffer/local/testing/full.ts'
import { encodeFunctionData, type Hex } from 'viem'
import { deployBatchContracts } from '../../sandbox/chains.ts'
import { rowsOf } from '../../testing/money.ts'
import { payoutWorld } from '../../testing/payout-world.ts'
import { cancelOutgoing } from './cancel-outgoing.ts'

const done = ['sent', 'in block', 'final']
/** Selector of `allowance(address,address)`. */
const allowanceOf = '0xdd62ed3e'
const refused = 'waits: the destination refuses it'

/** A payout world with Disperse deployed. Its token behaves like Tether's. */
async function batchWorld(...given: Parameters<typeof payoutWorld>) {
  const w = await payoutWorld(...given)
  await w.call('evm_setAutomine', true)
  await deployBatchContracts(w.url, w.hot)
  await w.call('evm_setAutomine', false)
  const world = {
    ...w,
    kinds: async () => (await w.outgoing()).map(each => each.intent.kind),
    many: (count: number, requested: Parameters<typeof w.ask>[0] = {}) =>
      Promise.all(Array.from({ length: count }, () => w.ask(requested))),
    /** Mines and passes until nothing is under way. */
    finish: async () => {
      let before = -1
      for (let round = 0; round < 12; round++) {
        await w.pass()
        const rows = await w.outgoing()
        if (rows.length === before && rows.every(each => ['final', 'void'].includes(each.state))) return
        before = rows.length
        await w.mine()
      }
    },
    /** Has the hot wallet allow Disperse an amount, outside the engine. */
    allowOutside: async (amount: bigint) => {
      await w.call('anvil_impersonateAccount', w.hot)
      const data = encodeFunctionData({
        abi: Token.abi,
        functionName: 'approve',
        args: [disperseContract.address as Hex, amount],
      })
      await w.call('eth_sendTransaction', { from: w.hot, to: w.token, data, gas: '0x30000' })
      await w.mine()
      // The engine has not taken this nonce.
      await w.deps.owner.query('update wallets set next_nonce = next_nonce + 1')
    },
    /** Pays one batch, after which the allowance stands. */
    approved: async () => {
      await world.many(5)
      await world.finish()
    },
  }
  return world
}

test('pays five or more of a token in one transaction, and the native coin by itself', async t => {
  const w = await batchWorld(t)
  const requested = await w.many(7)
  const same = await w.ask({ to: requested[0]!.to })
  const coin = await w.ask({ token: null, amount: 1_000n })
  await Promise.all([w.pass(), w.pass({ ...w.deps }), w.pass()])
  assert.deepEqual((await w.kinds()).sort(), ['approve', 'transfer'], 'two servers approve once')
  assert.deepEqual([await w.log(same.id), await w.log(coin.id)], [[], ['sent']])
  await w.mine()
  await Promise.all([w.pass(), w.pass({ ...w.deps })])
  assert.deepEqual((await w.kinds()).sort(), ['approve', 'batch', 'transfer'])
  await w.finish()
  for (const { id } of [...requested, same, coin]) assert.deepEqual(await w.log(id), done, id)
  assert.deepEqual([await w.balance(requested[0]!.to), await w.balance(requested[1]!.to)], [10_000_000n, 5_000_000n])
  assert.equal(await w.balance(w.hot), 1_000_000_000n - 40_000_000n)
  const [posted] = await rowsOf(w.deps.owner, `select sum(amount) as fees from ledger_postings where kind = 'gas'`)
  assert.equal(10n ** 19n - 1_000n - BigInt(posted.fees), await w.chain.balanceOf(null, w.hot))
  // The allowance stays; fewer than five go one by one, and more than 50 in parts.
  await w.many(53)
  await w.pass()
  assert.deepEqual((await w.kinds()).slice(3), ['batch', 'transfer', 'transfer', 'transfer'])
})

test('payouts that come one after the other wait up to two seconds for company', async t => {
  const w = await batchWorld(t)
  await w.approved()
  const before = (await w.kinds()).length
  for (let i = 0; i < 6; i++) {
    await w.ask({ since: w.deps.clock() })
    await w.pass()
  }
  const coin = await w.ask({ token: null, amount: 1_000n, since: w.deps.clock() })
  await w.pass()
  assert.deepEqual((await w.kinds()).slice(before), ['transfer'])
  assert.deepEqual(await w.log(coin.id), ['sent'], 'the native coin has no company')
  w.deps.pass(2)
  await w.pass()
  assert.deepEqual((await w.kinds()).slice(before).sort(), ['batch', 'transfer'])
  // Too few are sent alone then, and what is full does not wait.
  await w.finish()
  const few = await w.ask({ since: w.deps.clock() })
  w.deps.pass(2)
  await w.pass()
  assert.deepEqual(await w.log(few.id), ['sent'])
  await w.many(50, { since: w.deps.clock() })
  await w.pass()
  assert.equal((await w.kinds()).filter(each => each === 'batch').length, 3)
})

test('a token that changes an allowance only by way of zero is approved again', async t => {
  const w = await batchWorld(t)
  await w.allowOutside(7n)
  const requested = await w.many(5)
  await w.finish()
  const intents = (await w.outgoing()).map(each => [each.intent.kind, each.intent.amount?.length ?? 0])
  assert.deepEqual(intents, [
    ['approve', 1],
    ['approve', 78],
    ['batch', 0],
  ])
  for (const { id } of requested) assert.deepEqual(await w.log(id), done)
})

test('what the signer or the chain refuses is tried alone, and the others are paid', async t => {
  const w = await batchWorld(t)
  await w.approved()
  const { policy } = w.signer
  const limit = policy.chains.eth!.assets[w.token]!
  policy.chains.eth!.assets[w.token] = { ...limit, single: 6_000_000n }
  const requested = await w.many(5)
  const large = await w.ask({ amount: 7_000_000n })
  const self = await w.ask({ to: w.hot })
  await w.finish()
  for (const { id } of requested) assert.deepEqual(await w.log(id), done)
  const batches = (await w.outgoing()).filter(each => each.intent.kind === 'batch')
  assert.deepEqual(
    batches.map(each => [each.intent.payments.length, each.outcome]),
    [
      [5, 'success'],
      [5, 'success'],
    ],
  )
  assert.deepEqual(await w.log(large.id), ['voided: signer: too_large'])
  assert.deepEqual(await w.log(self.id), ['voided: signer: bad_address'])
})

test('batches of one pass stay together within the signer’s limit of a day', async t => {
  const w = await batchWorld(t)
  await w.approved()
  const limit = { single: 5_000_000n, daily: 25_000_000n + 290_000_000n }
  w.signer.policy.chains.eth!.assets[w.token] = limit
  const requested = await w.many(60)
  const logs = async () => (await Promise.all(requested.map(each => w.log(each.id)))).map(String)
  await w.finish()
  const kinds = (await w.kinds()).slice(2)
  assert.deepEqual(kinds, ['batch', 'batch'])
  const waits = 'waits: signer: daily_limit'
  assert.deepEqual(
    [(await logs()).filter(each => each === String(done)).length, (await logs()).filter(each => each === waits).length],
    [58, 2],
  )
  assert.equal((await w.outgoing()).filter(each => each.waits !== null).length, 0)
  w.deps.pass(86_400)
  await w.finish()
  assert.equal((await logs()).filter(each => each.endsWith('final')).length, 60)
})

test('what the chain refuses does not hold up the others', async t => {
  const w = await batchWorld(t)
  await w.approved()
  const requested = await w.many(6)
  const bad = requested[2]!
  const { gasFor } = w.chain
  const { gasForBatch } = w.chain.batches!
  const { CallRefused } = await import('@coffer/chains')
  w.chain.gasFor = payout =>
    payout.to === bad.to ? Promise.reject(new CallRefused('blocked', 0)) : gasFor.call(w.chain, payout)
  w.chain.batches!.gasForBatch = (from, token, payments) =>
    payments.some(each => each.to === bad.to)
      ? Promise.reject(new CallRefused('blocked', 0))
      : gasForBatch.call(w.chain.batches, from, token, payments)
  await w.finish()
  for (const { id } of requested) assert.deepEqual(await w.log(id), id === bad.id ? [refused] : done)
  w.deps.pass(180)
  await w.pass()
  assert.deepEqual(await w.log(bad.id), [refused, 'voided: the destination refuses it'])
})

test('a batch that reverts has paid nobody: each of its payouts is paid by itself', async t => {
  const w = await batchWorld(t)
  await w.approved()
  const requested = await w.many(5)
  await w.pass()
  const code = await w.call('eth_getCode', w.token, 'latest')
  await w.call('anvil_setCode', w.token, '0x5f5ffd')
  await w.mine()
  await w.call('anvil_setCode', w.token, code)
  await w.finish()
  for (const { id, to } of requested) {
    assert.deepEqual(await w.log(id), ['sent', 'in block', 'taken back: reverted', ...done])
    assert.equal(await w.balance(to), 5_000_000n)
  }
  assert.deepEqual((await w.kinds()).slice(2), ['batch', ...Array(5).fill('transfer')])
})

test('a person stops one payout of a batch; the others are paid', async t => {
  const w = await batchWorld(t)
  await w.approved()
  const requested = await w.many(6)
  await w.pass()
  const { nonce } = (await w.outgoing()).at(-1)
  const id = { chain_id: 'eth', from_address: w.hot, nonce: Number(nonce) }
  const stop = (item: string | null) => cancelOutgoing(w.deps.pool, id, 'asked', w.deps.clock(), item)
  for (const [item, changes] of [
    [requested[0]!.id, true],
    [requested[1]!.id, true],
    [requested[0]!.id, false],
  ] as const)
    assert.equal(await stop(item), changes)
  await w.finish()
  for (const [i, { id, to }] of requested.entries()) {
    assert.deepEqual(await w.log(id), i < 2 ? ['sent', 'voided: asked'] : ['sent', 'taken back: asked', ...done])
    assert.equal(await w.balance(to), i < 2 ? 0n : 5_000_000n)
  }
})

test('a payout that was stopped too late is not paid by itself when its batch reverts', async t => {
  const w = await batchWorld(t)
  await w.approved()
  const requested = await w.many(5)
  await w.pass()
  const { nonce } = (await w.outgoing()).at(-1)
  const id = { chain_id: 'eth', from_address: w.hot, nonce: Number(nonce) }
  assert.ok(await cancelOutgoing(w.deps.pool, id, 'asked', w.deps.clock(), requested[0]!.id))
  const code = await w.call('eth_getCode', w.token, 'latest')
  await w.call('anvil_setCode', w.token, '0x5f5ffd')
  // The batch is mined before its cancellation is signed.
  await w.mine()
  await w.call('anvil_setCode', w.token, code)
  await w.finish()
  for (const [i, { id, to }] of requested.entries()) {
    const ended = i === 0 ? ['voided: asked'] : ['taken back: reverted', ...done]
    assert.deepEqual(await w.log(id), ['sent', 'in block', ...ended])
    assert.equal(await w.balance(to), i === 0 ? 0n : 5_000_000n)
  }
})

test('a silent signer, a refused approval and a policy without batches', async t => {
  const w = await batchWorld(t)
  const requested = await w.many(5)
  w.signer.isDown = true
  await w.pass()
  assert.deepEqual(await w.kinds(), [], 'no nonce is taken before a dry run by the signer')
  w.signer.isDown = false
  w.signer.before = async ({ kind }) => {
    const { SignerRefused } = await import('../../signer/client.ts')
    if (kind === 'approve') throw new SignerRefused('asset_not_allowed')
  }
  await w.finish()
  assert.deepEqual(await w.kinds(), ['approve', ...Array(5).fill('transfer')])
  for (const { id } of requested) assert.deepEqual(await w.log(id), done)
  w.deps.pass(86_400)
  w.signer.before = async () => {}
  w.signer.policy.chains.eth!.batches = false
  await w.many(5)
  await w.finish()
  assert.deepEqual((await w.kinds()).slice(6), Array(5).fill('transfer'))
})

test('two servers that die at any step pay every payout once', async t => {
  const w = await batchWorld(t)
  let seed = 7
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  const { sign } = w.signer
  const { send, gasFor } = w.chain
  const die = (what: string) => {
    if (random() < 0.25) throw new Error(`died while ${what}`)
  }
  w.signer.sign = async request => {
    die('asking to sign')
    const signed = await sign(request)
    die('storing the signature')
    return signed
  }
  w.chain.send = async raw => {
    die('broadcasting')
    const sent = await send.call(w.chain, raw)
    die('noting the broadcast')
    return sent
  }
  w.chain.gasFor = async payout => {
    die('estimating')
    return gasFor.call(w.chain, payout)
  }
  const requested: Awaited<ReturnType<typeof w.ask>>[] = []
  for (let round = 0; round < 24; round++) {
    for (let i = Math.floor(random() * 9); round < 10 && i >= 0; i--)
      requested.push(await w.ask({ amount: BigInt(1 + Math.floor(random() * 9_000_000)) }))
    await Promise.allSettled([w.pass(), w.pass({ ...w.deps })])
    w.deps.pass(15)
    if (random() < 0.8) await w.mine()
  }
  Object.assign(w.signer, { sign })
  Object.assign(w.chain, { send, gasFor })
  await w.finish()
  assert.ok((await w.kinds()).includes('batch'))
  let paid = 0n
  for (const { id, to, amount } of requested) {
    assert.deepEqual(await w.log(id), done, id)
    assert.equal(await w.balance(to), amount)
    paid += amount
  }
  assert.equal(await w.balance(w.hot), 1_000_000_000n - paid)
  assert.equal((await w.kinds()).filter(kind => kind === 'approve').length, 1)
})

/** What one of three nodes reports: each lie by another node, as no node is special; with `--full` by each of them. */
for (const [what, allowance, liar] of [
  ['nothing', 0n, 0],
  ['little', 1n, 1],
  ['all', 2n ** 256n - 1n, 2],
] as const)
  for (const place of isFull() ? [0, 1, 2] : [liar])
    test(`node ${place} of three reports an allowance of ${what}: batches go on, and it is set once`, async t => {
      const w = await batchWorld(t, { nodes: 3 })
      w.proxies[place]!.intercept = ({ method, params: [call] }) => {
        const isAsked = method === 'eth_call' && (call as { data: string }).data.startsWith(allowanceOf)
        if (!isAsked) return undefined
        return { result: `0x${allowance.toString(16).padStart(64, '0')}` }
      }
      for (let round = 0; round < 2; round++) {
        const payouts = await w.many(5)
        await w.finish()
        for (const { id } of payouts) assert.deepEqual(await w.log(id), done)
      }
      assert.deepEqual(await w.kinds(), ['approve', 'batch', 'batch'])
    })
