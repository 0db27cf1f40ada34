import { type BlockRef, CallRefused, type Receipt } from '@coffer/chains'
import { parseBaseUnits } from '@coffer/core'
import type { PayableChain } from './sender.ts'
import type { TransactionIntent } from './store.ts'

/** Why a person decides about what a token logged: the balance of a receiver does not confirm it. */
export const balanceUnchangedReason = 'the balance did not rise'

/**
 * Compares what a token logged of a payout or a sweep with the balances of its receivers at the block before and at its
 * own, proven or as most nodes report them. `unknown`: they are not certain now. Where nodes keep no past state, the
 * log is all that is known, and counts.
 */
export async function verifyBalancesMoved(
  chain: PayableChain,
  intent: TransactionIntent,
  receipt: Receipt,
): Promise<boolean | 'unknown'> {
  if (receipt.status !== 'success' || !('token' in intent) || intent.token === null) return true
  try {
    if (intent.kind === 'transfer' || intent.kind === 'batch') return await isPaid(chain, intent, receipt)
    return intent.kind === 'sweep' || intent.kind === 'sweepMany' ? await isSwept(chain, intent.token, receipt) : true
  } catch (error) {
    if (error instanceof CallRefused) return true
    throw error
  }
}

/** Whether each receiver has at least as much more as it was paid. Nobody else moves what receivers have. */
async function isPaid(
  chain: PayableChain,
  intent: Extract<TransactionIntent, { kind: 'transfer' | 'batch' }>,
  receipt: Receipt,
): Promise<boolean | 'unknown'> {
  const paid = new Map<string, bigint>()
  for (const { to, amount } of intent.kind === 'batch' ? intent.payments : [intent])
    paid.set(to, (paid.get(to) ?? 0n) + parseBaseUnits(amount))
  const risen = await readRises(chain, intent.token!, [...paid.keys()], receipt)
  return risen === 'unknown' ? risen : [...paid].every(([to, amount]) => risen.get(to)! >= amount)
}

/**
 * Whether where sweeps go has as much more as all logs of the token in the block say: payouts may leave it in the same
 * block.
 */
async function isSwept(chain: PayableChain, token: string, receipt: Receipt): Promise<boolean | 'unknown'> {
  const logged = receipt.transfers.filter(each => each.token === token && each.amount > 0n)
  const senders = new Set(logged.map(each => each.from))
  const to = [...new Set(logged.map(each => each.to))].filter(each => !senders.has(each))
  if (to.length === 0) return true
  const { blockNumber: number, blockHash: hash } = receipt
  const block = await chain.blockAt(number)
  if (block?.hash !== hash) return 'unknown'
  const risen = await readRises(chain, token, to, receipt)
  const all = await readLogged(chain, token, block)
  if (risen === 'unknown' || all === null) return 'unknown'
  const net = (address: string) =>
    all.reduce(
      (sum, each) => sum + (each.to === address ? each.amount : 0n) - (each.from === address ? each.amount : 0n),
      0n,
    )
  return to.every(address => risen.get(address)! >= net(address))
}

/** All transfers of a token that a block logs; null while they are not certain. */
async function readLogged(chain: PayableChain, token: string, block: BlockRef) {
  const filter = { tokens: [token], native: false, isOurs: () => true }
  if (chain.isVerified) return (await chain.transfersIn(block, filter)).transfers
  return chain.agreed(block.number, block, filter)
}

/** How much more of a token addresses have after a block than before it. */
async function readRises(
  chain: PayableChain,
  token: string,
  addresses: readonly string[],
  { blockNumber: number, blockHash: hash }: Receipt,
): Promise<ReadonlyMap<string, bigint> | 'unknown'> {
  const before = await chain.blockAt(number - 1)
  if (!before) return 'unknown'
  const was = await chain.certainBalances(token, [...addresses], before)
  const is = await chain.certainBalances(token, [...addresses], { number, hash })
  if ([...was, ...is].includes(null)) return 'unknown'
  return new Map(addresses.map((address, i) => [address, is[i]! - was[i]!]))
}
