import assert from 'node:assert/strict'
import { disperseContract } from '@coffer/chains'
import { rowsOf } from '../money.ts'
import { feeOf, isSent, type SentTx, sweepers, tokenBalance } from './sim-own.ts'
import { hotWallets, sweeperWallet, treasury } from './sim-signer.ts'
import { type Deed, logsOf, type SimTx } from './sim-tx.ts'
import type { Place, World } from './world.ts'

/** Units of an asset that the operator has the hot wallet hold again: more than any payout takes. */
const refilled = 1_000n
/**
 * Native coin that fees of transactions under way may take beside what was reserved for them, as they rise: none where
 * they have a limit.
 */
const risen = { evm: 10n ** 15n, tron: 0n }
/** What must be worth its move, in the native coin. */
const worthMoving = { evm: 0.01, tron: 1_000 }

type Asset = ReturnType<World['assets']>[number]

/** Assets of a chain with a treasury that have a float. */
const floating = (world: World, place: Place): (Asset & { float: bigint })[] =>
  world.assets(place).flatMap(each => {
    const float = world.floats.get(place.definition.id)?.[each.contract ?? 'native']
    return float === undefined ? [] : [{ ...each, float }]
  })

const hotOf = ({ definition }: Place) => hotWallets[definition.kind]

const held = (place: Place, contract: string | null) =>
  contract === null ? place.chain.balanceOf(hotOf(place)) : tokenBalance(contract, hotOf(place), place.chain.blocks)

/** Mines what the operator sends from the treasury to the hot wallet, until it is final. */
export function sendFromTreasury(world: World, place: Place, contract: string | null, amount: bigint): void {
  const to = hotOf(place)
  const deed: Deed = contract
    ? { kind: 'tokens', transfers: [{ token: contract, from: treasury, to, amount }] }
    : { kind: 'coin', from: treasury, to, amount }
  world.mine(place, [deed])
  for (let i = 0; i < place.definition.confirmations; i++) world.mine(place)
}

/** Sends from the treasury what brings each asset of the hot wallet to what payouts take, where it has less. */
export function refill(world: World, place: Place): void {
  for (const { contract, unit } of floating(world, place)) {
    const lacking = refilled * unit - held(place, contract)
    if (lacking > 0n) sendFromTreasury(world, place, contract, lacking)
  }
}

/** Asserts that the hot wallet holds its float and nothing that is worth moving. */
export function assertNothingAbove(world: World, place: Place): void {
  const { native, kind } = place.definition
  for (const { id, contract, of, decimals, float } of floating(world, place)) {
    const worth =
      worthMoving[kind] * (contract === null ? 1 : world.feeds.inUsdt(native.symbol) / world.feeds.inUsdt(of))
    const most = float + BigInt(Math.ceil(worth * 1e6)) * 10n ** BigInt(decimals - 6)
    assert(held(place, contract) <= most, `${id}: ${held(place, contract)} is left, the float is ${float}`)
  }
}

/** Asserts of each chain that has a treasury where our transactions went, and what they left in the hot wallet. */
export async function assertTreasuries(world: World): Promise<void> {
  for (const place of world.places.filter(each => world.floats.has(each.definition.id))) {
    await assertReceivers(world, place)
    // Of blocks that were final and left, what the operator had sent may come later again.
    if (world.everDeep) continue
    const numbers = await numbersOf(world, place)
    for (const asset of floating(world, place)) assertFloat(place, asset, numbers)
  }
}

/**
 * Asserts of all transactions that any node ever got that deposits go to the treasury, and the hot wallet pays only
 * payouts, gas, and the treasury.
 */
async function assertReceivers(world: World, place: Place): Promise<void> {
  const { id } = place.definition
  const rows = await rowsOf(
    world.owner,
    'select to_address from withdrawals where chain_id = $1 union select to_address from refunds where chain_id = $1',
    [id],
  )
  const hotWallet = hotOf(place)
  const payees = new Set(rows.map(row => row.to_address))
  const ours = await world.ourAddresses(place)
  for (const tx of place.chain.received.values()) {
    const receivers = tx.payments?.map(each => each.to) ?? [tx.to]
    const isCancelled = tx.amount === 0n && tx.to === tx.from
    const isAllowed = (to: string) => {
      if (to === treasury || isCancelled) return true
      if (tx.from === sweeperWallet) return to === sweepers[treasury]
      return (
        tx.from === hotWallet && (payees.has(to) || isGas(tx, to) || (to === disperseContract.address && tx.approves))
      )
    }
    const isGas = (_: SentTx, to: string) => tx.token === null && (to === sweeperWallet || ours.has(to))
    assert(receivers.every(isAllowed), `${id}: ${tx.from} pays ${receivers}`)
    for (const { address } of (tx.json.authorizationList ?? []) as { address: string }[])
      assert.equal(address, sweepers[treasury], `${id}: a deposit address is delegated`)
  }
}

/** Numbers of the hot wallet's transactions, by id: the order in which their amounts were decided. */
async function numbersOf({ owner }: World, place: Place): Promise<Map<string, number>> {
  const of = [place.definition.id, hotOf(place)]
  const rows = await rowsOf(
    owner,
    'select txid, nonce from outgoing_attempts where chain_id = $1 and from_address = $2',
    of,
  )
  return new Map(rows.map(each => [each.txid, each.nonce]))
}

/**
 * Asserts that whatever moved to the treasury left the float in the hot wallet, and what payouts took that were decided
 * later.
 */
function assertFloat(
  place: Place,
  { id, contract, float }: Asset & { float: bigint },
  numbers: ReadonlyMap<string, number>,
): void {
  const hotWallet = hotOf(place)
  let left = 0n
  for (const tx of place.chain.blocks.flatMap(each => each.txs)) {
    left += contract === null ? coinFor(tx, hotWallet) : tokensFor(tx, contract, hotWallet)
    const isMove = isSent(tx) && tx.from === hotWallet && tx.to === treasury && tx.token === contract && !tx.reverted
    if (!isMove) continue
    const least = float - (contract === null ? risen[place.definition.kind] : 0n)
    assert(left + takenLater(place, tx, contract, numbers) >= least, `${id}: a move left ${left} of ${float}`)
  }
}

/**
 * What was decided after a transaction, and mined before it, took of its wallet: on TRON blocks take transactions in
 * any order.
 */
function takenLater(
  { chain, definition }: Place,
  move: SentTx,
  contract: string | null,
  numbers: ReadonlyMap<string, number>,
): bigint {
  if (definition.kind === 'evm') return 0n
  const number = numbers.get(move.txid)!
  const mined = chain.blocks.flatMap(each => each.txs)
  const before = mined.slice(0, mined.indexOf(move)).filter(each => (numbers.get(each.txid) ?? -1) > number)
  const taken = (tx: SimTx) => (contract === null ? coinFor(tx, move.from) : tokensFor(tx, contract, move.from))
  return before.reduce((sum, each) => sum - taken(each), 0n)
}

const tokensFor = (tx: SimTx, token: string, wallet: string) =>
  logsOf(tx)
    .filter(log => log.token === token)
    .reduce((sum, { from, to, amount }) => sum + (to === wallet ? amount : from === wallet ? -amount : 0n), 0n)

function coinFor(tx: SimTx, wallet: string): bigint {
  if (tx.kind === 'tokens') return 0n
  const amount = tx.reverted || (tx.kind === 'sent' && tx.token !== null) ? 0n : tx.amount
  if (tx.to === wallet) return amount
  return tx.kind === 'sent' && tx.from === wallet ? -amount - feeOf(tx) : 0n
}
