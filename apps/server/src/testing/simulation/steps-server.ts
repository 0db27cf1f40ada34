import assert from 'node:assert/strict'
import { paymentMode } from '@coffer/contract'
import { availableAccount, groupPostings, houseAccount, makePosting } from '@coffer/core'
import { leaseCallbacks } from '../../domains/callbacks/callback-lease.ts'
import { deliverCallback } from '../../domains/callbacks/deliver-callback.ts'
import { callbackLeaseSeconds } from '../../domains/callbacks/jobs.ts'
import { readChainAssets, selectWatchedAssets } from '../../domains/chains/assets.ts'
import { requestChainReread } from '../../domains/chains/request-reread.ts'
import { leaseChain, readChain } from '../../domains/chains/store.ts'
import { applyBlocks } from '../../domains/deposits/apply-blocks.ts'
import { applyReorg } from '../../domains/deposits/apply-reorg.ts'
import { OutOfOrder } from '../../domains/deposits/out-of-order.ts'
import { rereadChain } from '../../domains/deposits/reread-chain.ts'
import { resumeChain } from '../../domains/deposits/resume-chain.ts'
import { undoDeposit } from '../../domains/deposits/undo-deposit.ts'
import { WatchedAddressSet } from '../../domains/deposits/watched-address-set.ts'
import { postEntries } from '../../domains/ledger/store.ts'
import { foldStatistics } from '../../domains/statistics/fold-statistics.ts'
import { stopWithdrawal } from '../../domains/withdrawals/decide-withdrawal.ts'
import { Refusal } from '../../kit/refusal.ts'
import { rowsOf } from '../money.ts'
import { isCut } from './crash.ts'
import { oneOf, type Steps } from './steps.ts'
import { sentOf } from './steps-chain.ts'
import type { Place, World } from './world.ts'

/** Claims and sends due callbacks like the background job. Returns the number sent. */
export async function deliverDue(world: World): Promise<number> {
  const { deps } = world.server
  const now = world.clock()
  const due = await leaseCallbacks(deps.pool, {
    now,
    until: now + callbackLeaseSeconds,
    limit: 20,
    free: {},
    perKey: 8,
  })
  for (const each of due) await deliverCallback(deps, each, { random: () => 0.5 })
  return due.length
}

/**
 * Resumes halted chains as an operator does. Asserts that each was halted by a reorg of final blocks. Where another one
 * has left the ancestor meanwhile, that chain will be halted again.
 */
export async function resumeHalted(world: World): Promise<void> {
  for (const { id } of await rowsOf(world.owner, 'select id from chains where halted is not null order by id')) {
    assert(world.deep.has(id), `${id} was halted although no final block was left`)
    const ancestor = (await resumeChain(world.server.deps, { chainId: id }))!
    if (world.place(id).chain.blocks[ancestor.number]?.hash === ancestor.hash) world.deep.delete(id)
  }
}

/** Undoes doubted deposits whose transaction is neither mined nor pending, as an operator does. */
export async function giveUpLost(world: World): Promise<void> {
  const doubted = await rowsOf(
    world.owner,
    'select id, chain_id, txid from deposits where doubted order by seen_at, id',
  )
  for (const { id, chain_id, txid } of doubted) {
    const { chain } = world.place(chain_id)
    const isThere = chain.blocks.some(block => block.txs.some(tx => tx.txid === txid))
    if (isThere || chain.isWaiting(txid)) continue
    for (const mend of [stopReturn, lend, null])
      try {
        await undoDeposit(world.server.deps, { depositId: id })
        break
      } catch (error) {
        if (!mend || !(error instanceof Refusal) || error.reason !== 'insufficient_balance') throw error
        await mend(world, id)
      }
  }
}

/** Stops what gives a lost deposit back: the wallet may never have what it would be paid from. */
async function stopReturn(world: World, depositId: string): Promise<void> {
  const rows = await rowsOf(world.owner, 'select id from withdrawals where returns = $1 order by id', [depositId])
  for (const { id } of rows)
    await stopWithdrawal(world.server.deps, { id, reason: 'lost', who: 'operator' }).catch(error => {
      if (!isAnswer(error)) throw error
    })
}

/** Lends a merchant what a lost deposit was credited with, because it was withdrawn meanwhile. */
async function lend(world: World, depositId: string): Promise<void> {
  const [row] = await rowsOf(world.owner, 'select merchant_id, asset_id, amount from deposits where id = $1', [
    depositId,
  ])
  const { merchant_id, asset_id, amount } = row
  const move = makePosting(
    'adjustment',
    houseAccount('suspense', asset_id),
    availableAccount(merchant_id, asset_id),
    BigInt(amount),
  )
  await postEntries(world.owner, [{ group: groupPostings(`test:lent:${depositId}`, [move]) }], world.clock())
  world.lent.set(asset_id, (world.lent.get(asset_id) ?? 0n) + BigInt(amount))
}

/** Reads final blocks again from one on, as an operator does. Returns whether the first of them is final. */
async function readAgain(world: World, { definition: { id, kind } }: Place, block: number): Promise<boolean> {
  const { deps } = world.server
  if (((await readChain(deps.pool, id))?.final_number ?? -1) < block) return false
  await requestChainReread(deps, { chainId: id, block, apply: true })
  const book = new WatchedAddressSet(deps, kind)
  await book.refresh()
  const filter = book.filter(...selectWatchedAssets(await readChainAssets(deps.pool, id)))
  while ((await rereadChain(deps, world.server.chain(id), { filter, most: 8 })) > 0);
  return true
}

/** Reads again what most nodes misreported, once they are honest. */
export async function readHidden(world: World): Promise<void> {
  for (const [id, block] of world.hidden) {
    world.heal()
    // A block that is not final yet cannot be read again.
    if (await readAgain(world, world.place(id), block)) world.hidden.delete(id)
  }
}

export const serverSteps: Steps = {
  follow: [
    16,
    async (world, dice) => {
      await world.server.follow(oneOf(dice, world.places).definition.id)
    },
  ],
  'follow twice at once': [
    2,
    async (world, dice) => {
      const { id } = oneOf(dice, world.places).definition
      const other = world.start()
      const both = await Promise.allSettled([world.server.follow(id), other.follow(id)])
      for (const each of both) if (each.status === 'rejected') throw each.reason
    },
  ],
  'a process freezes': [
    2,
    async (world, dice) => {
      const { id } = oneOf(dice, world.places).definition
      const lease = async () => (await leaseChain(world.owner, id, dice.below(2 ** 31), true))!.fence
      const other = world.start()
      const frozen = Promise.withResolvers<void>()
      const thawed = Promise.withResolvers<void>()
      const at = dice.below(40)
      other.mortal.plan({ at, what: 'frozen', frozen: frozen.resolve, thawed: thawed.promise })
      const following = other.follow(id, { fence: await lease() }).then(
        () => null,
        error => error,
      )
      await Promise.race([frozen.promise, following])
      // PostgreSQL ends transactions that stand idle.
      await other.mortal.cut()
      await world.server.follow(id, { fence: await lease() }).finally(async () => {
        for (let i = 0; i < 3; i++) world.mine(world.place(id))
        const row = () => rowsOf(world.owner, 'select last_number, final_number from chains where id = $1', [id])
        const before = await row()
        thawed.resolve()
        const error = await following
        if (error && !isCut(error) && !isAnswer(error)) throw error
        assert.deepEqual(await row(), before, 'a process that was frozen wrote after another one went on')
      })
    },
  ],
  'a block comes again or too early': [
    3,
    async (world, dice) => {
      const place = oneOf(dice, world.places)
      const { definition, chain } = place
      const { deps } = world.server
      const [row] = await rowsOf(world.owner, 'select last_number, halted from chains where id = $1', [definition.id])
      if (row.halted) return
      const number = Math.max(0, row.last_number + oneOf(dice, [-3, -1, 0, 2, 3]))
      const found = chain.blocks[number]
      if (!found || number === row.last_number + 1) return
      const { hash, parentHash, time } = found
      const block = { number, hash, parentHash, time }
      const ours = await world.ourAddresses(place)
      const filter = {
        tokens: world.assets(place).flatMap(each => each.contract ?? []),
        native: true,
        isOurs: (it: string) => ours.has(it),
      }
      const { transfers } = await world.server.chain(definition.id).transfersIn(block, filter)
      const read = { from: number, parentHash, block, transfers, asOf: 1_000 }
      const event = { type: 'block' as const, ...read, final: -1, settled: [], settledFrom: 0 }
      const applied = await applyBlocks(deps, { chainId: definition.id, event }).catch(error => {
        if (error instanceof OutOfOrder) return false
        throw error
      })
      assert(!applied, 'a block that is not the next one was applied')
    },
  ],
  'a block is read without all addresses': [
    2,
    async world => {
      const { deps } = world.server
      const payments = (await world.payments()).filter(
        each => each.payment_mode === paymentMode.contract && each.address,
      )
      const payment = payments.at(-1)
      if (!payment) return
      const place = world.place(payment.chain_id)
      const { id } = place.definition
      await world.server.follow(id)
      const to = payment.address.toLowerCase()
      const [row] = await rowsOf(
        world.owner,
        `select key_index, last_number, last_hash, halted from deposit_addresses d join chains h on h.kind = d.chain_kind
         where d.address = $1 and h.id = $2`,
        [to, id],
      )
      const { head } = place.chain
      if (row.halted || row.last_hash !== head.hash) return
      const { contract: token } = world.assets(place).find(each => each.id === payment.asset_id)!
      const amount = BigInt(payment.amount)
      world.mine(place, [
        token ? { kind: 'tokens', transfers: sentOf(world, { token, to, amount }) } : { kind: 'coin', to, amount },
      ])
      const { number, hash, parentHash, time } = place.chain.head
      const block = { number, hash, parentHash, time }
      // As if this address had been given out by another process while the block was read.
      const read = { from: number, parentHash, block, transfers: [], asOf: row.key_index }
      const event = { type: 'block' as const, ...read, final: number, settled: [], settledFrom: number }
      const applied = await applyBlocks(deps, { chainId: id, event }).catch(error => {
        if (error instanceof OutOfOrder) return false
        throw error
      })
      assert(!applied, 'a block that was read without all addresses was applied')
    },
  ],
  'unwind and read again': [
    2,
    async (world, dice) => {
      const { id } = oneOf(dice, world.places).definition
      const known = await rowsOf(
        world.owner,
        `select b.number, b.hash, c.last_number, c.last_hash from chain_blocks b join chains c on c.id = b.chain_id
         where c.id = $1 and b.number >= c.final_number and c.halted is null order by b.number`,
        [id],
      )
      if (known.length === 0) return
      const { number, hash, last_number, last_hash } = oneOf(dice, known)
      const reorg = { chainId: id, ancestor: { number, hash }, dropped: [{ number: last_number, hash: last_hash }] }
      await applyReorg(world.server.deps, reorg)
      const again = await applyReorg(world.server.deps, reorg)
      assert(!again, 'a reorg was applied twice')
    },
  ],
  'read again': [
    1,
    async (world, dice) => {
      await readAgain(world, oneOf(dice, world.places), dice.below(100))
    },
  ],
  'find coin': [
    4,
    async world => {
      for (const { definition } of world.places) await world.server.findCoin(definition.id)
    },
  ],
  deliver: [
    6,
    async (world, dice) => {
      world.answersWith = oneOf(dice, ['ok', 'ok', 'ok', 'error', 'cut'])
      await deliverDue(world)
      if (dice.chance(0.3)) await deliverDue(world)
    },
  ],
  'fold statistics': [
    2,
    async world => {
      const { deps } = world.server
      await Promise.all([foldStatistics(deps), foldStatistics(deps)])
    },
  ],
  'give up': [
    1,
    async world => {
      await giveUpLost(world)
    },
  ],
  restart: [
    2,
    async world => {
      world.server = world.start()
    },
  ],
}

/** Reports whether an error is an expected outcome: a refusal or unavailable nodes. */
export const isAnswer = (error: unknown) =>
  error instanceof Refusal ||
  ['ChainUnavailable', 'RateLimited', 'BlockOrphaned', 'ResponseTooLarge', 'CallRefused'].includes(
    (error as Error).name,
  ) ||
  / has no block \d+$/.test(String((error as Error).message))
