import { parseBaseUnits } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import type { OutgoingId, OutgoingItem, OutgoingOwners } from '../../owner.ts'
import { SignerUnavailable } from '../../signer/client.ts'
import type { Treasury } from '../../signer/protocol.ts'
import { readChain, readPayoutStop } from '../chains/store.ts'
import { WalletFunds } from '../outgoing/funds.ts'
import { createSendingFor } from '../outgoing/kinds.ts'
import { NonceAllocator } from '../outgoing/nonces.ts'
import type { FeeTerms, PayableChain, SendingStrategy } from '../outgoing/sender.ts'
import {
  insertWallet,
  NoLongerDueError,
  raiseNonce,
  type TransactionIntent,
  takeNonce,
  type Wallet,
  walletOfRole,
} from '../outgoing/store.ts'
import { ensureTreasury, OwnTreasuryError } from '../outgoing/wallets.ts'
import type { ChosenSweepCandidate } from './choose.ts'
import { countCoinClaims, insertSweeps, moveFunded, type NewSweep, type readFundedSweeps } from './store.ts'

/** What one pass over the deposits of a chain knows. */
export interface SweepPass<Of extends PayableChain = PayableChain> {
  deps: Deps
  chain: Of
  owners: OutgoingOwners
  hot: Wallet
  sending: SendingStrategy
  terms: FeeTerms
  /** Vault mode: the signer does not hold the keys of deposit addresses. */
  isVault: boolean
  treasury: Treasury | null
  /** Where deposits go: the treasury or, without one, the hot wallet. */
  to: string
}

/** A sweep that goes on: its address waits for nothing. */
export type FundedSweep = Awaited<ReturnType<typeof readFundedSweeps>>[number]

export interface SweptAsset {
  id: string
  symbol: string
  contract: string | null
}

/** Null while nothing may be swept on a chain. */
export async function openSweepPass(
  deps: Deps,
  chain: PayableChain,
  owners: OutgoingOwners,
): Promise<SweepPass | null> {
  const { id, kind } = chain.definition
  const [row, stopped] = await Promise.all([readChain(deps.pool, id), readPayoutStop(deps.pool, id, '')])
  const hot = await walletOfRole(deps.pool, id, 'hot')
  if (!row?.enabled || row.halted !== null || stopped || !hot || hot.halted !== null) return null
  try {
    const holdsDeposits = await deps.signer.holdsDeposits(kind)
    const treasury = await ensureTreasury(deps, chain)
    const to = treasury?.address ?? hot.address
    const sending = createSendingFor(chain)
    return { deps, chain, owners, hot, sending, terms: await sending.terms(), isVault: !holdsDeposits, treasury, to }
  } catch (error) {
    if (error instanceof SignerUnavailable || error instanceof OwnTreasuryError) return null
    throw error
  }
}

/** Whether the hot wallet waits for an asset, as in `120 USDT, 0.1 ETH`. */
export const isWalletWaitingForAsset = ({ waits }: Wallet, symbol: string) =>
  (waits ?? '').split(', ').some(each => each.endsWith(` ${symbol}`))

export const makeSweep = ({ merchant_id, address, key_index, reason }: ChosenSweepCandidate, weight = 1): NewSweep => ({
  merchant_id,
  id: newId(),
  address,
  key_index,
  reason,
  weight,
})

/** Stores sweeps of an asset that begin in a state. */
export const startSweeps = (
  c: Queryable,
  { deps, hot }: SweepPass,
  asset: SweptAsset,
  state: 'funding' | 'funded' | 'sent',
  rows: readonly NewSweep[],
) => insertSweeps(c, { chainId: hot.chain_id, assetId: asset.id, state, now: deps.clock() }, rows)

/** Reads what the hot wallet has left for sweeps, and its next nonces. */
export async function readHotFunds({
  deps,
  chain,
  hot,
  terms,
}: SweepPass): Promise<{ funds: WalletFunds; nonces: NonceAllocator }> {
  const wallet = (await walletOfRole(deps.pool, hot.chain_id, 'hot'))!
  const { funds, unsigned } = await WalletFunds.read(deps, chain, wallet.address, terms)
  return { funds, nonces: new NonceAllocator({ deps, wallet, terms }, unsigned) }
}

/** What the hot wallet does for sweeps. */
export type SweepPreparationIntent = Extract<TransactionIntent, { kind: 'gas' | 'delegate' | 'undelegate' }>

/**
 * Has the hot wallet prepare sweeps, if `isDue` with the nonce that it has taken. Returns false while the wallet lacks
 * the coin that it sends, or the signer does not allow it.
 */
export async function sendFromHotWallet(
  pass: SweepPass,
  intent: SweepPreparationIntent,
  gas: bigint,
  items: readonly OutgoingItem[],
  isDue: (c: Queryable, nonce: number) => Promise<boolean>,
): Promise<boolean> {
  const { deps, hot } = pass
  const { funds, nonces } = await readHotFunds(pass)
  if (!(await nonces.allows(intent, gas))) return false
  if (intent.kind === 'gas' && !(await funds.take(null, parseBaseUnits(intent.amount), await funds.costOf(gas))))
    return false
  const of = { chainId: hot.chain_id, address: hot.address, intent, gas, items, now: deps.clock() }
  return commitUnlessNonceTaken(deps, async c => {
    await takeNonce(c, of, async id => nonces.isNext(id) && (await isDue(c, id.nonce)))
  })
}

/** Has a deposit address send what is swept of it, and pay for that itself, if `isDue` with the nonce taken. */
async function sendSwept(
  pass: SweepPass,
  { merchant_id, id, address, key_index: index }: Pick<NewSweep, 'merchant_id' | 'id' | 'address' | 'key_index'>,
  { token, amount, gas }: { token: string | null; amount: bigint; gas: bigint },
  isDue: (c: Queryable, id: OutgoingId) => Promise<boolean>,
): Promise<void> {
  const { deps, hot } = pass
  await storeDepositWallet(pass, address, index)
  const intent = { kind: 'sweep', token, to: null, index, amount: String(amount) } as const
  const items = [{ owner: 'sweep' as const, merchant_id, id, amount }]
  const of = { chainId: hot.chain_id, address, intent, gas, items, now: deps.clock() }
  await commitUnlessNonceTaken(deps, async c => {
    await takeNonce(c, of, taken => isDue(c, taken))
  })
}

/** The same for the token of a sweep that goes on. */
export const sendToken = (pass: SweepPass, sweep: FundedSweep, amount: bigint, gas: bigint): Promise<void> =>
  sendSwept(pass, sweep, { token: sweep.contract, amount, gas }, (c, taken) => moveSweepToSent(pass, c, sweep, taken))

/** Moves a sweep that goes on to sent, if nothing else is to be paid by the coin of its address. */
export const moveSweepToSent = async (
  { deps }: SweepPass,
  c: Queryable,
  { id }: FundedSweep,
  taken: OutgoingId,
): Promise<boolean> => (await isCoinFree(c, taken, false)) && moveFunded(c, id, 'sent', deps.clock())

/** The same for native coin, by a sweep that begins with it. */
export const sendCoin = (
  pass: SweepPass,
  asset: SweptAsset,
  row: NewSweep,
  amount: bigint,
  gas: bigint,
): Promise<void> =>
  sendSwept(pass, row, { token: null, amount, gas }, async (c, taken) => {
    if (!(await isCoinFree(c, taken, true))) return false
    await startSweeps(c, pass, asset, 'sent', [row])
    return true
  })

/** Whether nothing else is to be paid by the coin of an address; for native coin, no sweep either that was sent gas. */
const isCoinFree = async (c: Queryable, { chain_id, from_address, nonce }: OutgoingId, isCoin: boolean) =>
  (await countCoinClaims(c, chain_id, from_address, nonce, isCoin))!.n === 0

/** Stores a deposit address as a wallet, with its next nonce where it has nonces. */
export async function storeDepositWallet(
  { deps, chain, sending }: SweepPass,
  address: string,
  index: number,
): Promise<void> {
  const { id, kind } = chain.definition
  const { nonces } = sending
  const nonce = (await nonces?.next(address)) ?? 0
  await insertWallet(deps.pool, id, address, kind, 'deposit', index, nonce, deps.clock())
  // Each delegation of the address has used one up, too.
  if (nonces) await raiseNonce(deps.pool, id, address, nonce)
}

/** Runs a transaction. Returns false when another process took the nonce, so that it is tried again. */
export async function commitUnlessNonceTaken(deps: Deps, work: Parameters<typeof tx<void>>[1]): Promise<boolean> {
  try {
    await tx(deps.pool, work)
  } catch (error) {
    if (error instanceof NoLongerDueError) return false
    const { constraint = '' } = error as { constraint?: string }
    // The same sweep exists already.
    if (!['sweeps_one', 'outgoing_items_once'].includes(constraint)) throw error
  }
  return true
}
