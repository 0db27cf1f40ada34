import { disperseContract, sweeperOf } from '@coffer/chains'
import type { JsonObject } from '@coffer/chains/evm/encoding.ts'
import { Disperse, Sweeper } from '@coffer/chains/evm/generated/contracts.ts'
import { decodeFunctionData, type Hex, parseTransaction, recoverTransactionAddress } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { hex } from './sim-json.ts'
import { hotWallet, treasury } from './sim-signer.ts'
import { logsOf, type Sent, type SimTx } from './sim-tx.ts'

/** Gas that every transaction of ours uses, and the tip of the market. */
export const gasUsed = 21_000n
/** Returns what a transaction in a block cost. */
export const feeOf = ({ tron, price }: Pick<Sent, 'tron' | 'price'>): bigint => tron?.fee ?? gasUsed * price
export const marketTip = 100_000_000n

/** What balances are computed from: blocks, or what is to become one. */
type Block = { txs: readonly SimTx[] }

export type SentTx = Sent & { txid: string; json: JsonObject }
export const isSent = (tx: SimTx): tx is SentTx => tx.kind === 'sent'

/** Where Sweeper is on every simulated chain: one for each wallet that deposits can go to. */
export const sweepers: Record<string, string> = {
  [hotWallet]: sweeperOf(hotWallet).address,
  [treasury]: sweeperOf(treasury).address,
}
const isSweeper = (address: string) => Object.values(sweepers).includes(address)

/**
 * Reads a signed transaction: a sweep of many addresses, a transfer of a token or the native coin, a batch of them, or
 * an allowance for batches.
 */
export async function readSigned(raw: string, txid: string): Promise<SentTx> {
  const serialized = raw as `0x04${string}`
  const from = (await recoverTransactionAddress({ serializedTransaction: serialized })).toLowerCase()
  const {
    chainId,
    nonce = 0,
    gas = 0n,
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
    to,
    value = 0n,
    data,
    r,
    s,
    yParity,
    authorizationList = [],
  } = parseTransaction(serialized)
  const input = data ?? '0x'
  const what = whatOf(to!.toLowerCase(), value, input)
  const authorizes = await Promise.all(
    authorizationList.map(async authorization => {
      const address = (await recoverAuthorizationAddress({ authorization })).toLowerCase()
      return { address, nonce: authorization.nonce }
    }),
  )
  const list = authorizationList.map(({ address, ...each }) => ({
    chainId: hex(each.chainId),
    address: address.toLowerCase(),
    nonce: hex(each.nonce),
    yParity: hex(each.yParity ?? 0),
    r: each.r,
    s: each.s,
  }))
  const json: JsonObject = {
    type: raw.slice(0, 4) === '0x04' ? '0x4' : '0x2',
    ...(list.length > 0 && { authorizationList: list }),
    chainId: hex(chainId),
    nonce: hex(nonce),
    gas: hex(gas),
    maxFeePerGas: hex(maxFeePerGas),
    maxPriorityFeePerGas: hex(maxPriorityFeePerGas),
    from,
    to,
    value: hex(value),
    input,
    accessList: [],
    yParity: hex(yParity ?? 0),
    r,
    s,
    hash: txid,
  }
  return {
    kind: 'sent',
    from,
    nonce,
    maxFee: maxFeePerGas,
    tip: maxPriorityFeePerGas,
    price: 0n,
    ...what,
    authorizes,
    txid,
    json,
  }
}

function whatOf(
  to: string,
  value: bigint,
  input: Hex,
): Pick<Sent, 'token' | 'to' | 'amount' | 'payments' | 'approves' | 'sweeps'> {
  if (to === disperseContract.address) {
    const { args } = decodeFunctionData({ abi: Disperse.abi, data: input })
    const [token, all] = args as unknown as [string, { to: string; amount: bigint }[]]
    const payments = all.map(each => ({ to: each.to.toLowerCase(), amount: each.amount }))
    return { token: token.toLowerCase(), to, amount: payments.reduce((sum, each) => sum + each.amount, 0n), payments }
  }
  if (isSweeper(to)) {
    const { args } = decodeFunctionData({ abi: Sweeper.abi, data: input })
    const [token, owners] = args as unknown as [string, string[]]
    return { token: token.toLowerCase(), to, amount: 0n, sweeps: owners.map(each => each.toLowerCase()) }
  }
  const receiver = `0x${input.slice(34, 74)}`
  const amount = BigInt(`0x${input.slice(74) || '0'}`)
  if (input.startsWith('0xa9059cbb')) return { token: to, to: receiver, amount }
  if (input.startsWith('0x095ea7b3')) return { token: null, to: receiver, amount: 0n, approves: { token: to, amount } }
  return { token: null, to, amount: value }
}

/** Returns what Disperse may spend of a token: what was allowed last, which is more than will ever be spent. */
export const allowanceOf = (token: string, owner: string, blocks: readonly Block[]): bigint =>
  sentIn(blocks).findLast(tx => tx.from === owner && tx.approves?.token === token && !tx.reverted)?.approves?.amount ??
  0n

const sentIn = (blocks: readonly Block[]) => blocks.flatMap(({ txs }) => txs.filter(isSent))

/** Returns the next nonce of an address: its transactions and delegations use one up each. */
export const nonceOf = (address: string, blocks: readonly Block[]): number =>
  sentIn(blocks).filter(tx => tx.from === address || tx.delegated?.includes(address)).length

/** Reports whether an address is delegated to Sweeper. */
export const isDelegated = (address: string, blocks: readonly Block[]): boolean =>
  sentIn(blocks).some(tx => tx.delegated?.includes(address))

/**
 * Returns what a sweep does after some blocks. An authorization for another nonce and a call without a delegation do
 * nothing.
 */
export function sweptBy({ token, to: sweeper, sweeps = [], authorizes = [] }: SentTx, blocks: readonly Block[]) {
  const delegated = authorizes
    .filter(({ address, nonce }) => nonceOf(address, blocks) === nonce)
    .map(each => each.address)
  const to = sweeper === sweepers[treasury] ? treasury : hotWallet
  const left = sweeps
    .filter(each => delegated.includes(each) || isDelegated(each, blocks))
    .map(from => ({ from, to, amount: tokenBalance(token!, from, blocks) - 1n }))
  return { delegated, left: left.filter(each => each.amount > 0n) }
}

/** Returns what our own transactions gave an address of the native coin less what they took, fees included. */
export function coinMoved(address: string, blocks: readonly Block[]): bigint {
  let sum = 0n
  for (const tx of sentIn(blocks)) {
    const value = tx.token === null && !tx.reverted ? tx.amount : 0n
    if (tx.to === address) sum += value
    if (tx.from === address) sum -= value + feeOf(tx)
  }
  return sum
}

/** Returns the balance of a token. */
export function tokenBalance(token: string, owner: string, blocks: readonly Block[]): bigint {
  const logs = blocks.flatMap(block => block.txs.flatMap(logsOf)).filter(log => log.token === token)
  return logs.reduce(
    (sum, { from, to, amount }) => sum + (to === owner ? amount : 0n) - (from === owner ? amount : 0n),
    0n,
  )
}
