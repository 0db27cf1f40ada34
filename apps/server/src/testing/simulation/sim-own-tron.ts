import type { Random } from '@coffer/chains/fake/random.ts'
import { ENERGY_TOTALS, readRaw } from '@coffer/chains/tron/facade-broadcast.ts'
import { coinMoved, isSent, type SentTx, tokenBalance } from './sim-own.ts'
import { hotWallets } from './sim-signer.ts'
import type { SimTx, TronTerms } from './sim-tx.ts'

type Block = { txs: readonly SimTx[] }
export type TronTx = SentTx & { tron: TronTerms }

/** In sun: what transactions pay for bandwidth that is not free, and for the account of a new receiver. */
const bandwidth = 345_000n
const activation = 1_100_000n
/** What the hot wallet has staked: energy for a few sweeps at once. */
const staked = 40_000_000_000n
const energyPerTrx = BigInt(ENERGY_TOTALS.TotalEnergyLimit / ENERGY_TOTALS.TotalEnergyWeight)

/** Reads a signed transaction in hex, without 0x. */
export async function readTron(raw: string): Promise<TronTx> {
  const { txid, does, from, to, amount, data, feeLimit, expiration, refBlock, signer } = await readRaw(raw)
  if (signer !== from) throw new Error('signed by another key')
  const isCall = does === 'call'
  const id = `0x${txid}`
  const lends = does === 'lend' ? amount : does === 'take back' ? -amount : 0n
  const paid = isCall
    ? { token: to, to: `0x${data.slice(34, 74)}`, amount: BigInt(`0x${data.slice(74)}`) }
    : { token: null, to, amount: lends === 0n ? amount : 0n }
  const json = {
    type: '0x2',
    chainId: '0x1',
    nonce: '0x0',
    gas: '0x0',
    maxFeePerGas: '0x0',
    maxPriorityFeePerGas: '0x0',
    from,
    to,
    value: isCall ? '0x0' : `0x${paid.amount.toString(16)}`,
    input: data,
    accessList: [],
    yParity: '0x0',
    r: '0x1',
    s: '0x1',
    hash: id,
    raw: `0x${raw}`,
  }
  const fees = { nonce: 0, maxFee: 0n, tip: 0n, price: 0n }
  const tron = { feeLimit, expiration: Number(expiration), refBlock, lends, fee: 0n }
  return { kind: 'sent', from, ...paid, ...fees, tron, txid: id, json }
}

/** Energy of a transfer of a token: twice as much to an address that has none of it. */
export const energyFor = (token: string, to: string, blocks: readonly Block[]): bigint =>
  tokenBalance(token, to, blocks) > 0n ? 65_000n : 131_000n

const lent = (blocks: readonly Block[], isCounted: (tx: SentTx) => boolean) =>
  blocks
    .flatMap(({ txs }) => txs.filter(isSent))
    .filter(isCounted)
    .reduce((sum, each) => sum + (each.tron?.lends ?? 0n), 0n)

/** Energy that a provider lends to an address, until a time (s). */
export interface Rented {
  energy: bigint
  until: number
}

/** Returns the energy that was lent to an address and what was rented for it. What it uses of it comes back at once. */
export const energyOf = (address: string, blocks: readonly Block[], rented: bigint): bigint =>
  (lent(blocks, each => each.to === address) * energyPerTrx) / 1_000_000n + rented

/** Returns the staked coin that an address can lend. */
export const lendable = (address: string, blocks: readonly Block[]): bigint =>
  (address === hotWallets.tron ? staked : 0n) - lent(blocks, each => each.from === address)

type Seen = { blocks: readonly (Block & { number: number; hash: string; time: number })[] }

/** Why nodes refuse a transaction, whatever it does; null if they take it. */
export function refusalOf({ tron, txid }: TronTx, { blocks }: Seen): string | null {
  if (blocks.some(({ txs }) => txs.some(each => each.txid === txid))) return 'DUP_TRANSACTION_ERROR'
  const isNamed = blocks.some(({ number, hash }) => {
    return (number % 65_536).toString(16).padStart(4, '0') + hash.slice(18, 34) === tron.refBlock
  })
  if (!isNamed) return 'TAPOS_ERROR'
  // Compared with the block before the one that takes it.
  return tron.expiration <= blocks.at(-1)!.time * 1_000 ? 'TRANSACTION_EXPIRATION_ERROR' : null
}

type Conditions = {
  energyPrice: bigint
  /** Probability that it fails, or that its token moves nothing. */
  failing: number
  random: Random
  balanceOf: (address: string) => bigint
  rentedTo: (address: string) => bigint
}

/** Executes a transaction after some blocks; null if no block takes it, because it would not be valid. */
export function executed(tx: TronTx, blocks: readonly Block[], conditions: Conditions): TronTx | null {
  const { energyPrice, failing, random, balanceOf, rentedTo } = conditions
  const { from, token, to, amount, tron } = tx
  const paid = random.chance(0.5) ? bandwidth : 0n
  const coins = balanceOf(from) - paid
  const costing = (fee: bigint) => ({ ...tx, tron: { ...tron, fee } })
  if (coins < 0n) return null
  if (tron.lends !== 0n) {
    const isThere = coinMoved(to, blocks) > 0n || balanceOf(to) > 0n
    return isThere && tron.lends <= lendable(from, blocks) ? costing(paid) : null
  }
  if (token === null) {
    const fee = balanceOf(to) > 0n ? 0n : activation
    return coins >= amount + fee ? costing(paid + fee) : null
  }
  const needed = energyFor(token, to, blocks)
  const own = energyOf(from, blocks, rentedTo(from))
  const burned = needed > own ? (needed - own) * energyPrice : 0n
  const most = coins < tron.feeLimit ? coins : tron.feeLimit
  if (burned > most) return { ...costing(paid + most), reverted: true }
  const isFailing = random.chance(failing)
  const mute = isFailing && random.chance(0.5)
  const lacks = tokenBalance(token, from, blocks) < amount
  return { ...costing(paid + burned), reverted: lacks || (isFailing && !mute), mute }
}
