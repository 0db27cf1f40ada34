import { type AccountChain, type BlockId, CallRefused, hasAccounts } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { lockChain, readChain } from '../chains/store.ts'
import { isPayable, type PayableChain } from './sender.ts'
import {
  type ExpectedCoinBalance,
  insertExpectedCoinBalance,
  lockExpectedCoinBalance,
  readWallets,
  setExpectedCoinBalance,
  type Wallet,
} from './store.ts'
import { haltWallet } from './wallets.ts'

/**
 * Native coin of wallets, each as of some block between `from` and `to`; `block` must be one that we follow and have
 * final.
 */
export interface CoinReading {
  block: BlockId
  from: number
  to: number
  balances: Map<string, bigint>
}

/**
 * Compares the native coin of a chain's wallets with what they had at the last comparison less what our transactions
 * have taken since, and halts a wallet that has less: only our transactions take coin. More becomes the new
 * expectation. A reading of a block that is not final here, where too few nodes keep older state, is returned and
 * passed again, until it is.
 */
export async function watchCoin(deps: Deps, chain: PayableChain, waiting: CoinReading | null = null) {
  const { id } = chain.definition
  const wallets = (await readWallets(deps.pool)).filter(each => each.chain_id === id && each.halted === null)
  const row = await readChain(deps.pool, id)
  if (!isPayable(chain) || !hasAccounts(chain) || wallets.length === 0 || !row || row.halted || row.final_number < 0)
    return null
  await tx(deps.pool, async c => {
    // No block becomes final meanwhile, so that what settles later is subtracted.
    await lockChain(c, id)
    await insertExpectedCoinBalance(c, id)
  })
  const reading = waiting ?? (await readCoin(chain, wallets, row.final_number))
  if (!reading || reading.block.number > row.final_number) return reading
  const then = await chain.blockAt(reading.block.number)
  if (then?.hash !== reading.block.hash || !(await chain.agreesOn(then))) return null
  for (const wallet of wallets) {
    const balance = reading.balances.get(wallet.address)
    if (balance !== undefined) await compare(deps, chain, wallet, { ...reading, balance }, then.time)
  }
  return null
}

/**
 * Reads the coin of wallets at the final block or, where too few nodes keep its state, at a newer one. Leaves out what
 * is not certain.
 */
async function readCoin(chain: AccountChain, wallets: readonly Wallet[], final: number): Promise<CoinReading | null> {
  const addresses = wallets.map(each => each.address)
  const known = (balances: readonly (bigint | null)[]) =>
    new Map(addresses.flatMap((each, i) => (typeof balances[i] === 'bigint' ? [[each, balances[i]] as const] : [])))
  const block = await chain.blockAt(final)
  if (!block) return null
  try {
    const balances = known(await chain.certainBalances(null, addresses, block))
    return { block, from: final, to: final, balances }
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
  }
  const recent = await chain.recentBalances(addresses)
  if (!recent) return null
  const { block: newer, slack, balances } = recent
  return { block: newer, from: newer.number - slack, to: newer.number + slack, balances: known(balances) }
}

async function compare(
  deps: Deps,
  { definition: { id, native } }: PayableChain,
  wallet: Wallet,
  reading: { from: number; to: number; balance: bigint },
  time: number,
): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    const coin = await lockExpectedCoinBalance(c, id, wallet.address)
    const found = coin && compareCoin(coin, reading)
    if (!coin || !found) return
    if ('expected' in found) {
      const { expected, fees } = found
      await setExpectedCoinBalance(
        c,
        id,
        wallet.address,
        String(expected),
        String(fees),
        reading.to,
        reading.from,
        time,
      )
      return
    }
    const shown = (units: bigint) => `${formatDecimal(units, native.decimals)} ${native.symbol}`
    const agreedAt = new Date((coin.agreed_time ?? 0) * 1_000).toISOString()
    const since = [String(coin.agreed_block), agreedAt] as const
    const explained = shown(coin.fees + coin.open)
    const reason = encodeHaltReason('coin_left', shown(found.missing), ...since, shown(reading.balance), explained)
    await haltWallet(deps, uow, { chain_id: id, from_address: wallet.address, nonce: wallet.next_nonce }, reason)
  })
}

/**
 * Compares a balance with the expected one. A chain may charge as much again as the fees in receipts, and what its
 * definition states beyond: up to that, `fees`, less is no difference, nor is what open transactions may have taken.
 * Returns null where the reading decides nothing.
 */
export function compareCoin(
  {
    expected,
    fees,
    open,
    compared_to,
    settled_block,
  }: Pick<ExpectedCoinBalance, 'expected' | 'fees' | 'open' | 'compared_to' | 'settled_block'>,
  { from, balance }: { from: number; balance: bigint },
): { expected: bigint; fees: bigint } | { missing: bigint } | null {
  if (from < compared_to) return null
  const missing = expected - balance
  // guard: coin-missing
  if (missing > fees + open) return { missing }
  if (missing > fees) return null
  // A transaction that settled in a later block is in what is expected, and may not be in the balance.
  return missing <= 0n && settled_block > from ? { expected, fees } : { expected: balance, fees: 0n }
}
