import { ChainUnavailable, isChainError } from '@coffer/chains'
import { computeValueInUsdt } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'
import { SignerUnavailable } from '../../signer/client.ts'
import { type ChainAssets, readChainAssets } from '../chains/assets.ts'
import { isMoveToTreasury } from '../outgoing/advance.ts'
import { IsolatedRunner } from '../outgoing/alone.ts'
import { cancelOutgoing } from '../outgoing/cancel-outgoing.ts'
import { WalletFunds } from '../outgoing/funds.ts'
import { reportRefusedMove } from '../outgoing/issuer-stops.ts'
import { createSendingFor } from '../outgoing/kinds.ts'
import { NonceAllocator } from '../outgoing/nonces.ts'
import { estimateTransferLimit, isPayable, type PayableChain, readCertainBalance } from '../outgoing/sender.ts'
import { endNonceTakenTransaction, nonceTakenReason } from '../outgoing/settle.ts'
import { temporaryRefusals } from '../outgoing/sign-attempt.ts'
import { readOpenOutgoing, setHotWalletEmptying, type Wallet, walletOfRole } from '../outgoing/store.ts'
import { ensureTreasury, haltWallet, OwnTreasuryError } from '../outgoing/wallets.ts'
import { readPrices } from './choose.ts'

const cancelReason = 'what the wallet has moves to the treasury'

/**
 * Reads the treasury of a chain. Throws Refusal('operation_failed') without one that is not ours, or while the signer
 * does not answer.
 */
export async function requireTreasury(deps: Deps, chainId: string): Promise<{ chain: PayableChain; treasury: string }> {
  const chain = deps.chains.get(chainId)
  if (!chain || !isPayable(chain)) throw new Refusal('operation_failed', { field: 'chain' })
  const found = await ensureTreasury(deps, chain).catch(error => {
    if (error instanceof SignerUnavailable) throw new Refusal('operation_failed', { field: 'signer' })
    if (error instanceof OwnTreasuryError) return null
    throw error
  })
  if (!found) throw new Refusal('operation_failed', { field: 'treasury' })
  return { chain, treasury: found.address }
}

/**
 * Begins to move all that the hot wallet of a chain has to the treasury, once it is agreed: after its key may have
 * leaked. The wallet is halted for everything else until it is resumed. Throws Refusal('operation_failed') without a
 * wallet or a treasury.
 */
export async function startEmptyingHotWallet(
  deps: Deps,
  { chainId, reason, agree }: { chainId: string; reason: string; agree?: AgreementCheck },
): Promise<{ waits: boolean }> {
  const { chain } = await requireTreasury(deps, chainId)
  const answer = await tx(deps.pool, async (c, uow) => {
    const wallet = await walletOfRole(c, chainId, 'hot')
    if (!wallet) throw new Refusal('operation_failed', { field: 'chain' })
    if ((await agree?.(c)) === 'waits') return { waits: true }
    await haltWallet(deps, uow, { chain_id: chainId, from_address: wallet.address, nonce: wallet.next_nonce }, reason)
    await setHotWalletEmptying(c, chainId, deps.clock())
    return { waits: false }
  })
  if (!answer.waits)
    await emptyWallet(deps, chain).catch(error => {
      // The job goes on with it.
      if (!isChainError(error)) throw error
    })
  return answer
}

/**
 * One pass over a hot wallet that is being emptied: cancels what is in no block, and sends the balance of each asset to
 * the treasury, the most valuable first and the native coin, which pays the fees, last. Does nothing for other wallets.
 * Goes on with what is left, or comes in, until the wallet is resumed, also while withdrawals are stopped or the chain
 * is halted.
 */
export async function emptyWallet(deps: Deps, chain: PayableChain): Promise<void> {
  const { id } = chain.definition
  if ((await walletOfRole(deps.pool, id, 'hot'))?.emptying_since == null) return
  const treasury = await ensureTreasury(deps, chain).catch(error => {
    if (error instanceof SignerUnavailable) return null
    throw error
  })
  if (!treasury) return
  await freeNonces(deps, id)
  const sending = createSendingFor(chain)
  const terms = await sending.terms()
  const wallet = (await walletOfRole(deps.pool, id, 'hot'))!
  // What another transaction has replaced takes nothing any more.
  const { funds, unsigned } = await WalletFunds.read(
    deps,
    chain,
    wallet.address,
    terms,
    each => each.waits !== nonceTakenReason,
  )
  const nonces = new NonceAllocator({ deps, wallet, terms }, unsigned)
  const alone = new IsolatedRunner(deps, chain)
  const moveAll = async (token: string | null) => {
    const left = await funds.left(token)
    if (left <= 0n) return
    const way = { from: wallet.address, token, to: treasury.address }
    const gas = await estimateTransferLimit(sending, { ...way, amount: left })
    if (gas === null) await reportRefusedMove(deps, chain, way)
    const cost = gas === null ? 0n : await funds.costOf(gas)
    const amount = token === null ? left - cost : left
    // Less coin than its own fee stays.
    if (gas === null || (token === null && amount <= cost)) return
    const intent = { kind: 'sweep', token, to: null, index: null, amount: String(amount) } as const
    const refusals = await nonces.dryRun(intent, gas)
    const refusal = refusals?.find(each => each !== null)
    if (refusal && temporaryRefusals.includes(refusal)) await tx(deps.pool, c => nonces.report(c, intent, refusal))
    // What the policy does not name stays.
    if (refusals === null || refusal || !(await funds.take(token, amount, cost))) return
    await nonces.take({}, { intent, gas, items: [] })
  }
  // A token that cannot be moved keeps nothing else here.
  for (const { contract } of await orderByValue(deps, id, funds, alone))
    await alone.run(`emptying of ${contract}`, () => moveAll(contract))
  alone.end()
}

const passRefusal = (error: unknown) => {
  if (!(error instanceof Refusal)) throw error
}

/**
 * Cancels what is in no block, so that moves need not wait for it, and ends moves whose nonce somebody else has used.
 */
async function freeNonces(deps: Deps, chainId: string): Promise<void> {
  for (const row of await readOpenOutgoing(deps.pool, chainId)) {
    if (row.role !== 'hot' || row.state === 'in_block') continue
    if (row.waits === nonceTakenReason) {
      // Another process may have ended it.
      if (isMoveToTreasury(row)) await endNonceTakenTransaction(deps, {}, row).catch(passRefusal)
    } else if (!isMoveToTreasury(row) && row.cancel_reason === null)
      await cancelOutgoing(deps.pool, row, cancelReason, deps.clock())
  }
}

/** Assets of a chain, those first of which the wallet has most by value, the native coin last. */
async function orderByValue(deps: Deps, chainId: string, funds: WalletFunds, alone: IsolatedRunner) {
  const assets = [...(await readChainAssets(deps.pool, chainId)).values()]
  const worth: { asset: (typeof assets)[number]; value: bigint }[] = []
  for (const asset of assets) {
    const left = (await alone.run(`balance of ${asset.id}`, () => funds.left(asset.contract))) ?? 0n
    const prices = await readPrices(deps, [asset.price_of])
    worth.push({ asset, value: prices && left > 0n ? computeValueInUsdt(left, asset.decimals, prices[0]!) : 0n })
  }
  const rank = ({ asset, value }: (typeof worth)[number]) => (asset.contract === null ? -1n : value)
  return worth.toSorted((a, b) => (rank(b) > rank(a) ? 1 : rank(b) < rank(a) ? -1 : 0)).map(each => each.asset)
}

export interface TreasuryTransfer {
  asset: NonNullable<ReturnType<ChainAssets['get']>>
  units: bigint
}

/** Reads what would move from the hot wallet of a chain to the treasury, and what would be cancelled for it. */
export async function readTreasuryTransfers(
  deps: Deps,
  chainId: string,
): Promise<{ wallet: Wallet; treasury: string; moves: TreasuryTransfer[]; cancels: number }> {
  const { chain, treasury } = await requireTreasury(deps, chainId)
  const wallet = await walletOfRole(deps.pool, chainId, 'hot')
  if (!wallet) throw new Refusal('operation_failed', { field: 'chain' })
  const [assets, open] = await Promise.all([readChainAssets(deps.pool, chainId), readOpenOutgoing(deps.pool, chainId)])
  const moves = await Promise.all(
    [...assets.values()].map(async asset => {
      const units = await readCertainBalance(chain, asset.contract, wallet.address)
      if (units === null) throw new ChainUnavailable('nodes do not agree on the balance of a wallet')
      return { asset, units }
    }),
  )
  const cancels = open.filter(
    ({ role, state, intent }) =>
      role === 'hot' && state !== 'in_block' && (intent.kind === 'transfer' || intent.kind === 'batch'),
  )
  return { wallet, treasury, moves: moves.filter(each => each.units > 0n), cancels: cancels.length }
}
