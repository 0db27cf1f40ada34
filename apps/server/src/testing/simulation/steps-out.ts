import assert from 'node:assert/strict'
import { chainAdapters } from '@coffer/chains'
import type { Random } from '@coffer/chains/fake/random.ts'
import { formatDecimal } from '@coffer/contract'
import { type ProofAction, withdrawalStatus } from '@coffer/contract/codes.ts'
import type { Proof } from '../../domains/identity/proofs/check-proof.ts'
import { insertTicket } from '../../domains/identity/store.ts'
import { reconcileChain } from '../../domains/ledger/reconcile.ts'
import { cancelRefund } from '../../domains/refunds/cancel-refund.ts'
import { requestRefund } from '../../domains/refunds/request-refund.ts'
import { insertRequest } from '../../domains/sweeps/store.ts'
import { sendTransfer } from '../../domains/transfers/send-transfer.ts'
import { cancelWithdrawal } from '../../domains/withdrawals/cancel-withdrawal.ts'
import { approveWithdrawal, rejectWithdrawal, stopWithdrawal } from '../../domains/withdrawals/decide-withdrawal.ts'
import { requestWithdrawal } from '../../domains/withdrawals/request-withdrawal.ts'
import { newId } from '../../kit/ids.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { visitor } from '../merchants.ts'
import { rowsOf } from '../money.ts'
import { atShell } from '../operators.ts'
import { limits, type Server } from './server.ts'
import { burner, healthy } from './sim-node.ts'
import { isDelegated, tokenBalance } from './sim-own.ts'
import { oneOf, type Steps } from './steps.ts'
import { isAnswer } from './steps-server.ts'
import { refill } from './treasury.ts'
import type { Place, World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a row of the table payments
type Row = any

const { auditing, audit_rejected, transferring, confirming, canceled, abnormal } = withdrawalStatus

/** An address outside that nobody was paid to, and that looks like no other, as people write it on a chain. */
export function newPayee(world: World, chainId: string): string {
  const hex = (++world.payees).toString(16).padStart(4, '0')
  // One in eight refuses all money.
  const middle = world.payees % 8 === 0 ? burner.padEnd(32, 'b') : 'b'.repeat(32)
  return chainAdapters[world.place(chainId).definition.kind].address.show(`0x${hex}${middle}${hex}`)
}

export async function proofFor(world: World, dice: Random, merchantId: string, action: ProofAction): Promise<Proof> {
  const code = `ticket ${dice.below(2 ** 31)}`
  await insertTicket(world.owner, hashSecret(code), merchantId, action, world.clock() + 300)
  return { method: 'ticket', code }
}

/** Percent of a balance that are withdrawn. */
const shares: readonly number[] = [10, 30, 60, 90, 100]

/** Picks a balance and a part of it; null if nobody has one. */
export async function someBalance(
  world: World,
  dice: Random,
  shares: readonly number[],
  merchants: readonly string[] = [world.merchantId, world.otherId],
) {
  const rows = await rowsOf(
    world.owner,
    `select a.merchant_id, a.asset_id, a.balance, s.chain_id, s.decimals from ledger_accounts a join assets s on s.id = a.asset_id
     where a.part = 'available' and a.balance > 100 and a.merchant_id = any($1) order by a.id`,
    [merchants],
  )
  if (rows.length === 0) return null
  const { merchant_id: merchantId, asset_id: assetId, chain_id, balance, decimals } = oneOf(dice, rows)
  const units = (BigInt(balance) * BigInt(oneOf(dice, shares))) / 100n - BigInt(dice.below(3))
  return { merchantId, assetId, chainId: String(chain_id), amount: formatDecimal(units, decimals) }
}

/** Requests withdrawals at once. Asserts that all together are within the limit of a day. */
async function withdraw(world: World, dice: Random, count: number, part = shares): Promise<void> {
  await world.publishPrices()
  const found = await someBalance(world, dice, part)
  if (found) await withdrawAtOnce(world, dice, count, found)
}

type Found = { merchantId: string; assetId: string; chainId: string; amount: string }

/** Requests so many withdrawals of an amount at once. */
export async function withdrawAtOnce(world: World, dice: Random, count: number, found: Found): Promise<void> {
  const proof = await proofFor(world, dice, found.merchantId, 'withdrawal')
  const first = { ...found, address: newPayee(world, found.chainId), proof, from: visitor }
  const rest = await Promise.all(
    Array.from({ length: count - 1 }, async (_, n) => ({
      ...first,
      address: newPayee(world, first.chainId),
      proof: await proofFor(world, dice, first.merchantId, 'withdrawal'),
      remark: String(n),
    })),
  )
  const all = [first, ...rest]
  const requested: PromiseSettledResult<string>[] = []
  // No more at once than the pool has connections for.
  while (all.length > 0)
    requested.push(
      ...(await Promise.allSettled(all.splice(0, 3).map(each => requestWithdrawal(world.server.deps, each)))),
    )
  for (const each of requested) if (each.status === 'rejected' && !isAnswer(each.reason)) throw each.reason
  if (requested.every(each => each.status === 'rejected')) return
  const [used] = await rowsOf(
    world.owner,
    `select coalesce(sum(usdt_value), 0)::text as value from (
       select usdt_value, merchant_id, created_at, status from withdrawals where origin <> 'return'
       -- What refunds cost in gas does not count, nor what operators give back.
       union all select div(usdt_value * amount, total), merchant_id, created_at, status from refunds
       union all select usdt_value, merchant_id, created_at, null from internal_transfers where direction = 'out'
     ) o where merchant_id = $1 and created_at > $2 and (status in (${audit_rejected}, ${canceled})) is not true`,
    [first.merchantId, world.clock() - 86_400],
  )
  assert(BigInt(used.value) <= BigInt(limits.withdrawDayMax) * 10n ** 18n, 'a day has more withdrawals than its limit')
}

async function refund(world: World, dice: Random): Promise<void> {
  await world.publishPrices()
  const isPaid = (each: Row) => each.asset_id && BigInt(each.paid_amount) > 0n
  const paid = (await world.payments()).filter(isPaid).slice(-12)
  if (paid.length === 0) return
  const { trade_no: tradeNo, chain_id, paid_amount, decimals } = await withDecimals(world, oneOf(dice, paid))
  const kind = oneOf(dice, ['surplus', 'part', 'all', 'all'] as const)
  // Also more than was paid.
  const part = (BigInt(paid_amount) * BigInt(oneOf(dice, [20, 50, 100, 150]))) / 100n
  await requestRefund(world.server.deps, {
    merchantId: world.merchantId,
    tradeNo,
    kind,
    basis: 'token',
    gasPayer: oneOf(dice, ['merchant', 'payer'] as const),
    amount: kind === 'part' ? formatDecimal(part, decimals) : undefined,
    address: newPayee(world, chain_id),
    reason: '',
    proof: await proofFor(world, dice, world.merchantId, 'withdrawal'),
    from: visitor,
  })
}

const withDecimals = async (world: World, payment: Row) => ({
  ...payment,
  ...(await rowsOf(world.owner, 'select decimals from assets where id = $1', [payment.asset_id]))[0],
})

/** Decides one withdrawal or refund as a merchant or an operator may. */
async function decide(world: World, dice: Random): Promise<void> {
  const { deps } = world.server
  const rows = await rowsOf(
    world.owner,
    `select 'withdrawal' as what, merchant_id, id, status, created_at from withdrawals where status in (${auditing}, ${transferring}, ${abnormal})
     union all select 'refund', merchant_id, id, status, created_at from refunds where status = ${transferring} order by created_at, id`,
  )
  if (rows.length === 0) return
  const { what, merchant_id: merchantId, id, status } = oneOf(dice, rows)
  if (what === 'refund') return cancelRefund(deps, { merchantId, id, from: visitor })
  if (status !== transferring && dice.chance(0.6))
    return void (await approveWithdrawal(deps, { id, by: atShell('operator') }))
  if (status === auditing && dice.chance(0.5)) return rejectWithdrawal(deps, { id, reason: 'no' })
  if (status !== abnormal && dice.chance(0.4)) return cancelWithdrawal(deps, { merchantId, id, from: visitor })
  await stopWithdrawal(deps, { id, reason: 'by phone' })
}

/** Makes blocks, follows and sends, so that payouts become final. */
export async function goOn(world: World, place: Place, all = false): Promise<void> {
  const { id, confirmations } = place.definition
  await world.server.send(id)
  for (let i = 0; i <= confirmations; i++) world.mine(place, [], all)
  await world.server.follow(id)
  await world.server.send(id)
}

/** Mines what others than our engine move from deposit addresses to where deposits go, all but one unit. */
async function sweptByOthers(world: World, place: Place, isMoved: (address: string) => boolean): Promise<void> {
  const { blocks, depositsGoTo: to } = place.chain
  const rows = await rowsOf(
    world.owner,
    `select address from deposit_addresses where chain_kind = 'evm' order by key_index`,
  )
  const transfers = world
    .assets(place)
    .flatMap(({ contract: token }) =>
      token === null
        ? []
        : rows.map(({ address: from }) => ({ token, from, to, amount: tokenBalance(token, from, blocks) - 1n })),
    )
  const moved = transfers.filter(({ from, amount }) => amount > 0n && isMoved(from))
  if (moved.length > 0) world.mine(place, [{ kind: 'tokens', transfers: moved }])
}

/** Asserts that the native coin of our wallets is what our own transactions left. */
export async function assertNoCoinMissing(world: World, id: string): Promise<void> {
  await world.server.watchCoin(id)
  const halted = await rowsOf(world.owner, `select address, halted from wallets where halted like 'coin_left %'`)
  assert.deepEqual(halted, [], 'no coin is missing')
}

const sendBoth = async (one: Server, other: Server, id: string) => {
  const both = await Promise.allSettled([one.send(id), other.send(id)])
  for (const each of both) if (each.status === 'rejected') throw each.reason
}

export const outSteps: Steps = {
  withdraw: [7, (world, dice) => withdraw(world, dice, 1)],
  'withdraw several at once': [3, (world, dice) => withdraw(world, dice, 2 + dice.below(2))],
  // From five of a token on they are paid in one transaction.
  'withdraw many at once': [3, (world, dice) => withdraw(world, dice, 5 + dice.below(4), [3, 5])],
  refund: [3, refund],
  'transfer to another merchant': [
    2,
    async (world, dice) => {
      const found = await someBalance(world, dice, shares)
      if (!found) return
      const { merchantId } = found
      const account = merchantId === world.merchantId ? world.otherId : world.merchantId
      const [{ email }] = await rowsOf(world.owner, 'select email from persons where id = $1', [account])
      const proof = await proofFor(world, dice, merchantId, 'transfer')
      const sent = { ...found, account: email, note: '', proof, requestKey: undefined, from: visitor }
      await sendTransfer(world.server.deps, sent)
    },
  ],
  'a withdrawal is decided': [4, decide],
  send: [10, (world, dice) => world.server.send(oneOf(dice, world.places).definition.id)],
  'send twice at once': [
    3,
    (world, dice) => sendBoth(world.server, world.start(), oneOf(dice, world.places).definition.id),
  ],
  'payouts become final': [6, (world, dice) => goOn(world, oneOf(dice, world.places))],
  sweep: [
    3,
    async (world, dice) => {
      const place = oneOf(dice, world.places)
      const { id } = place.definition
      const { pool } = world.server.deps
      await insertRequest(pool, newId(), id, dice.chance(0.5) ? world.merchantId : null, world.clock())
      await world.server.sweep(id)
      if (dice.chance(0.5)) return
      // The wallet that sweeps many has got its gas. On TRON an address gets its gas and energy one after the other.
      for (let i = 0; i < (place.definition.kind === 'tron' ? 3 : 1); i++) {
        await goOn(world, place)
        await world.server.sweep(id)
      }
    },
  ],
  'a stranger sweeps': [
    2,
    async (world, dice) => {
      const place = oneOf(dice, world.places)
      await sweptByOthers(world, place, address => isDelegated(address, place.chain.blocks) && dice.chance(0.7))
      if (dice.chance(0.5)) await goOn(world, place)
    },
  ],
  'nodes lie about broadcasts': [
    4,
    async (world, dice) => {
      world.heal()
      const place = oneOf(dice, world.places)
      for (const node of place.nodes) {
        const broadcasts = oneOf(dice, ['honest', 'refused', 'dropped', 'unanswered'] as const)
        node.faults = { ...healthy, broadcasts }
      }
      await world.server.send(place.definition.id)
      world.time += oneOf(dice, [0, 20, 200])
      if (dice.chance(0.5)) await world.server.send(place.definition.id)
    },
  ],
  'a node lies about a payout': [
    3,
    async (world, dice) => {
      world.heal()
      const place = oneOf(dice, world.places)
      await world.server.send(place.definition.id)
      for (let i = 0; i <= place.definition.confirmations; i++) world.mine(place)
      await world.server.follow(place.definition.id)
      oneOf(dice, place.nodes).faults = { ...healthy, lie: oneOf(dice, ['cut', 'amount', 'receiver'] as const) }
      await world.server.send(place.definition.id).finally(() => world.heal())
    },
  ],
  'nodes evict transactions': [
    2,
    async (world, dice) => {
      const { chain } = oneOf(dice, world.places)
      for (const { txid } of [...chain.pool.values()]) if (dice.chance(0.7)) chain.pool.delete(txid)
    },
  ],
  'fees change': [
    3,
    async (world, dice) => {
      const { chain } = oneOf(dice, world.places)
      const times = oneOf(dice, [1, 10, 40, 100])
      Object.assign(chain, { baseFee: 10n ** 8n * BigInt(times), energyPrice: 20n + BigInt(times) * 4n })
      world.time += oneOf(dice, [0, 20, 200])
    },
  ],
  'transactions of ours fail': [
    1,
    async (world, dice) => {
      oneOf(dice, world.places).chain.failing = oneOf(dice, [0, 0.2, 0.5])
    },
  ],
  'the signer fails': [
    3,
    async (world, dice) => {
      world.signer.mood = oneOf(dice, ['down', 'dies', 'dies'] as const)
      const { id } = oneOf(dice, world.places).definition
      await world.server.send(id)
      if (dice.chance(0.5)) await world.server.send(id)
      if (dice.chance(0.7)) world.signer.mood = 'up'
    },
  ],
  'compare balances': [
    2,
    async (world, dice) => {
      world.heal()
      const { id } = oneOf(dice, world.places).definition
      // What a deep reorg took away is missing until an operator has undone its deposits.
      const doubted = await rowsOf(world.owner, 'select from deposits where chain_id = $1 and doubted', [id])
      if (!world.deep.has(id) && doubted.length === 0) {
        const verdicts = await reconcileChain(world.server.deps, world.server.chain(id))
        const short = verdicts.filter(each => each.verdict === 'shortage')
        assert.deepEqual(short, [], 'no money is missing')
      }
      await assertNoCoinMissing(world, id)
    },
  ],
}

/** Brings every withdrawal and refund to an end, as operators, nodes and the signer do that work. */
export async function restOut(world: World): Promise<void> {
  const { owner } = world
  // The lowest of all, so that sweeps whose addresses lack gas for higher fees go on.
  for (const { chain } of world.places) Object.assign(chain, { failing: 0, baseFee: 10n ** 8n, energyPrice: 20n })
  for (let round = 0; round < 30; round++) {
    const decided = await rowsOf(
      owner,
      `select id from withdrawals where status in (${auditing}, ${abnormal}) order by id`,
    )
    for (const { id } of decided) await approveWithdrawal(world.server.deps, { id, by: atShell('operator') })
    for (const place of world.places) {
      refill(world, place)
      // Addresses that are never delegated are out of reach of a signer in vault mode: the operator moves what they
      // hold by the phrase.
      if (world.isVault && round === 10) await sweptByOthers(world, place, () => true)
      await goOn(world, place, true)
      // Each pass takes one step of a sweep of an address, and sends the sweeper what its own sweeps lack.
      await world.server.sweep(place.definition.id)
      // The day after which addresses whose sweeps failed are swept again, of which payouts of siblings are paid.
      if (round % 5 === 3) await owner.query(`update sweeps set again_at = 0 where state = 'failed'`)
    }
    world.time += 200
    const [open] = await rowsOf(
      owner,
      `select (select count(*) from withdrawals where status in (${auditing}, ${transferring}, ${confirming}, ${abnormal}))
         + (select count(*) from refunds where status in (${transferring}, ${confirming}))
         + (select count(*) from outgoing o where o.state in ('assigned', 'sent', 'in_block')) as n`,
    )
    if (open.n === 0) return
  }
  const left = await rowsOf(
    owner,
    `select 'withdrawal' as what, id, status, out_nonce from withdrawals where status in (${auditing}, ${transferring}, ${confirming}, ${abnormal})
     union all select 'refund', id, status, out_nonce from refunds where status in (${transferring}, ${confirming})`,
  )
  const sent = await rowsOf(owner, `select * from outgoing where state in ('assigned', 'sent', 'in_block')`)
  const wallets = await rowsOf(owner, 'select * from wallets where halted is not null or waits is not null')
  const switches = await rowsOf(owner, 'select * from switches')
  assert.fail(`payouts do not become final: ${JSON.stringify({ switches, left, wallets, sent })}`)
}
