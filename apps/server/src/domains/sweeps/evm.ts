import { type Chain, type ChainDefinition, sweeperOf } from '@coffer/chains'
import { powerOfTen } from '@coffer/core'
import type { Queryable } from '../../kit/db.ts'
import type { OutgoingItem } from '../../owner.ts'
import type { IsolatedRunner } from '../outgoing/alone.ts'
import { TransactionCosts } from '../outgoing/costs.ts'
import { WalletFunds } from '../outgoing/funds.ts'
import { estimateTransferLimit, quoteDataFee, readCertainBalance } from '../outgoing/sender.ts'
import { computeSentNativeCoin, setCancelled, takeNonce, walletOfRole } from '../outgoing/store.ts'
import { ensureWallet } from '../outgoing/wallets.ts'
import { missingCoinReason, unminedSweepTimeoutSeconds } from './cancel-sweeps-without-coin.ts'
import { type ChosenSweepCandidate, omitEmptyAddresses, quotePerAddress } from './choose.ts'
import {
  commitUnlessNonceTaken,
  type FundedSweep,
  makeSweep,
  type SweepPass as PassOf,
  type SweptAsset,
  sendCoin,
  sendFromHotWallet,
  sendToken,
  startSweeps,
} from './pass.ts'
import { countOtherGas, formatSweepStepId, markSweepsFailed, readWaitingSweeps } from './store.ts'
import type { SweepStrategy } from './sweeping.ts'

/** Shares of a fee: the first sweep of an address pays for its delegation. */
const weights = { first: 33, later: 15 }
/** Seconds before gas is sent again after the signer refused it. */
const gasPause = 3_600

type Pass = PassOf<Chain>

/**
 * Sweeping where transactions have nonces: tokens of leased addresses many at once, by delegation to Sweeper (EIP-7702)
 * where the chain has it, and others one by one, with gas sent first. Fixed addresses and those for native coin are
 * never delegated, because a delegated address refuses plain transfers of native coin; so in vault mode they are not
 * swept.
 */
export const evmSweepStrategy: SweepStrategy = {
  hasVault: true,
  canBatch: async (chain, to) =>
    chain.definition.delegates === true && ((await chain.batches?.isDeployed(sweeperOf(to).address)) ?? false),
  costOf: (chain, _, isBatched) => quotePerAddress(chain, isBatched),
  async help(pass: Pass, alone) {
    await raiseGas(pass, alone)
    await alone.run('gas of the sweeper', () => refillSweeper(pass))
  },
  sweep(pass: Pass, asset, chosen, isBatched) {
    if (isBatched) return sweepMany(pass, asset, chosen)
    return (asset.contract === null ? sweepNative : fund)(pass, asset, chosen[0]!)
  },
  goOn: (pass: Pass, sweep) => sweepOne(pass, sweep),
}

/** Sweeps up to 50 addresses in one transaction of the sweeper. Returns false while it lacks gas. */
async function sweepMany(pass: Pass, asset: SweptAsset, chosenBefore: ChosenSweepCandidate[]) {
  const { deps, chain, hot, terms, isVault, to } = pass
  const wallet = await ensureWallet(deps, chain, 'sweeper')
  if (!wallet || wallet.halted !== null) return false
  const candidates = await omitEmptyAddresses(chain, asset, chosenBefore)
  if (candidates.length === 0) return true
  const sweeper = sweeperOf(to).address
  const states = await chain.batches!.accounts(candidates.map(each => each.address))
  // An authorization for another nonce would be skipped silently.
  const found = candidates.flatMap((each, i) => {
    const state = states[i]
    return state ? [{ each, authorize: state.delegatedTo === sweeper ? null : state.nonce }] : []
  })
  const able = isVault ? found.filter(({ authorize }) => !authorize) : found
  if (able.length === 0) return true
  const chosen = able.map(({ each }) => each)
  const owners = able.map(({ each: { key_index: index, signature }, authorize }) =>
    signature !== null && authorize !== null ? { index, authorize, signature } : { index, authorize },
  )
  const gas = chain.batches!.gasForSweep(owners)
  const intent = { kind: 'sweepMany', token: asset.contract, owners } as const
  const { funds } = await WalletFunds.read(deps, chain, wallet.address, terms)
  if (!(await funds.take(null, 0n, await funds.costOf(gas, intent)))) {
    await sendGas(pass, funds.lacking.get(null)!)
    return false
  }
  const rows = chosen.map((each, i) => makeSweep(each, owners[i]!.authorize === null ? weights.later : weights.first))
  const items = rows.map(({ merchant_id, id }, i) => {
    return { owner: 'sweep' as const, merchant_id, id, amount: chosen[i]!.amount }
  })
  const of = { chainId: hot.chain_id, address: wallet.address, intent, gas, items, now: deps.clock() }
  await commitUnlessNonceTaken(deps, async c => {
    if (await takeNonce(c, of, async () => true)) await startSweeps(c, pass, asset, 'sent', rows)
  })
  return true
}

/** Sends the sweeper gas from the hot wallet: twice what it lacks, within what signers allow by default. */
async function sendGas(pass: Pass, lacking: bigint): Promise<void> {
  const { deps, chain } = pass
  const most = mostGas(chain.definition)
  const amount = lacking * 2n < most ? lacking * 2n : most
  const { address } = (await ensureWallet(deps, chain, 'sweeper'))!
  await giveGas(pass, { address, index: null, amount }, [], isOnlyGas(pass, null))
}

/** Sends the sweeper what its own sweeps lack: fees may have risen since their nonce was taken. */
async function refillSweeper(pass: Pass): Promise<void> {
  const { deps, chain, terms } = pass
  const wallet = await walletOfRole(deps.pool, chain.definition.id, 'sweeper')
  if (!wallet || wallet.halted !== null) return
  const { funds, open } = await WalletFunds.read(deps, chain, wallet.address, terms)
  if (open > 0 && !(await funds.take(null, 0n, 0n))) await sendGas(pass, funds.lacking.get(null)!)
}

/**
 * Sends addresses what their sweeps have lacked for so long: fees rose, or coin that came with a block left with it.
 * What lacks more than gas is native coin itself, which left or was invented by nodes: its sweep is cancelled, so that
 * later ones go on.
 */
async function raiseGas(pass: Pass, alone: IsolatedRunner): Promise<void> {
  const { deps, hot } = pass
  const found = await readWaitingSweeps(deps.pool, hot.chain_id, deps.clock() - unminedSweepTimeoutSeconds)
  for (const [address, all] of Map.groupBy(found, each => each.address))
    await alone.run(`gas of ${address}`, () => raiseGasOf(pass, address, all))
}

async function raiseGasOf(
  pass: Pass,
  address: string,
  all: Awaited<ReturnType<typeof readWaitingSweeps>>,
): Promise<void> {
  const { deps, chain, hot, terms } = pass
  const held = await readCertainBalance(chain, null, address)
  const mined = await chain.nonce(address)
  const own = all.filter(each => each.nonce >= mined)
  if (held === null || own.length === 0) return
  const coinIn = (each: (typeof own)[number]) => (each.cancel_reason === null ? computeSentNativeCoin(each.intent) : 0n)
  const costs = new TransactionCosts(chain, terms)
  let amount = -held
  for (const each of own) {
    const fee = terms.isTooLow?.(each.max_fee) ? undefined : each.max_fee
    amount += (await costs.of(each.gas, each.intent, fee)) + coinIn(each)
  }
  const index = own[0]!.key_index
  if (amount > mostGas(chain.definition)) {
    for (const each of own.filter(each => coinIn(each) > 0n))
      await setCancelled(deps.pool, hot.chain_id, address, each.nonce, missingCoinReason, deps.clock())
  } else if (amount > 0n) await giveGas(pass, { address, index, amount }, [], isOnlyGas(pass, index))
}

/** Whether nothing else is under way to the same address: another process may have read the same need. */
function isOnlyGas({ deps, hot }: Pass, index: number | null) {
  return async (c: Queryable, nonce: number) => {
    const since = deps.clock() - gasPause
    return (await countOtherGas(c, hot.chain_id, hot.address, nonce, index, since))!.n === 0
  }
}

/** Sends gas from the hot wallet, if `isDue`, as `sendFromHotWallet` does. */
async function giveGas(
  pass: Pass,
  { address, index, amount }: { address: string; index: number | null; amount: bigint },
  items: readonly OutgoingItem[],
  isDue: (c: Queryable, nonce: number) => Promise<boolean>,
): Promise<boolean> {
  const gas = await pass.chain.gasFor({ from: pass.hot.address, token: null, to: address, amount })
  const intent = { kind: 'gas', token: null, to: null, index, amount: String(amount) } as const
  return sendFromHotWallet(pass, intent, gas, items, isDue)
}

const mostGas = ({ native }: ChainDefinition) => powerOfTen(native.decimals) / 50n

/** Sends a deposit address the gas for its sweep. Returns false while the wallet lacks it or the signer refuses. */
async function fund(pass: Pass, asset: SweptAsset, chosen: ChosenSweepCandidate): Promise<boolean> {
  const { deps, chain, sending, terms, to } = pass
  const { address, key_index: index } = chosen
  if ((await omitEmptyAddresses(chain, asset, [chosen])).length === 0) return true
  const transfer = { from: address, token: asset.contract, to, amount: chosen.amount - 1n }
  const needed = await estimateTransferLimit(sending, transfer)
  const row = makeSweep(chosen)
  // The issuer is asked in the next pass.
  if (needed === null)
    return commitUnlessNonceTaken(deps, async c => {
      await startSweeps(c, pass, asset, 'funded', [row])
      await markSweepsFailed(c, [row.id], '', deps.clock(), 'funded')
    })
  // Fees may rise meanwhile.
  const amount = terms.most(needed) + (await new TransactionCosts(chain, terms).of(needed))
  const items = [
    { owner: 'sweep' as const, merchant_id: row.merchant_id, id: formatSweepStepId('gas', row.id), amount },
  ]
  return giveGas(pass, { address, index, amount }, items, async c => {
    await startSweeps(c, pass, asset, 'funding', [row])
    return true
  })
}

/** Sweeps native coin from a deposit address, which pays the fee itself. The unused part of the fee stays. */
async function sweepNative(pass: Pass, asset: SweptAsset, chosen: ChosenSweepCandidate): Promise<boolean> {
  const { chain, sending, terms, to } = pass
  const balance = await readCertainBalance(chain, null, chosen.address)
  const gas = await estimateTransferLimit(sending, { from: chosen.address, token: null, to, amount: 1n })
  if (gas === null || balance === null) return true
  // Fees may rise meanwhile.
  const amount = balance - terms.most(gas) - (await new TransactionCosts(chain, terms).of(gas))
  if (amount > 0n) await sendCoin(pass, asset, makeSweep(chosen), amount, gas)
  return true
}

/** Sweeps the token of an address that has received its gas, except one unit. */
async function sweepOne(pass: Pass, sweep: FundedSweep): Promise<void> {
  const { deps, chain, sending, terms, to } = pass
  const { id, address, contract: token } = sweep
  const balance = await readCertainBalance(chain, token, address)
  const coins = await readCertainBalance(chain, null, address)
  if (balance === null || coins === null) return
  const amount = balance - 1n
  const gas = amount > 0n ? await estimateTransferLimit(sending, { from: address, token, to, amount }) : null
  if (gas === null || coins < terms.most(gas) + (await quoteDataFee(chain, gas))) {
    // Fees rose beyond what was sent, or the token refuses: it is tried again in a day.
    await markSweepsFailed(deps.pool, [id], '', deps.clock(), 'funded')
    return
  }
  await sendToken(pass, sweep, amount, gas)
}
