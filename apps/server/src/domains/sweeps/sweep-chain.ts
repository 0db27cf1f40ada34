import { type Chain, type ChainDefinition, sweeperOf } from '@coffer/chains'
import { tenTo } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import type { Item, OutgoingId } from '../../owner.ts'
import { SignerUnavailable } from '../../signer/client.ts'
import type { Treasury } from '../../signer/protocol.ts'
import { assetsOfChain, type ChainAsset, isWatched } from '../chains/assets.ts'
import { readChain, readStop } from '../chains/store.ts'
import { Alone } from '../outgoing/alone.ts'
import { Costs } from '../outgoing/costs.ts'
import { Funds } from '../outgoing/funds.ts'
import { sendingOn } from '../outgoing/kinds.ts'
import { Nonces } from '../outgoing/nonces.ts'
import { dataFeeOf, heldBy, limitOrRefused, type Sender, type Sending, type Terms } from '../outgoing/sender.ts'
import {
  coinSentBy,
  insertWallet,
  NotDue,
  raiseNonce,
  setCancelled,
  takeNonce,
  type Wallet,
  walletOfRole,
} from '../outgoing/store.ts'
import { TreasuryIsOurs, treasuryOf, walletOf } from '../outgoing/wallets.ts'
import { absentReason, raiseAfter } from './cancel-absent.ts'
import { type Chosen, choose, costEach, holding } from './choose.ts'
import { isStoppedByIssuer } from './issuer-blocks.ts'
import { stepId } from './owner.ts'
import {
  coinClaims,
  deleteRequests,
  fundedSweeps,
  insertSweeps,
  moveFunded,
  otherGas,
  readCandidates,
  readRequests,
  type Sweep,
  setFailed,
  waitingSweeps,
} from './store.ts'

/** Most addresses of one transaction. */
const batchMax = 50
/** Shares of a fee: the first sweep of an address pays for its delegation. */
const weights = { first: 33, later: 15 }
/** Seconds before gas is sent again after the signer refused it. */
const gasPause = 3_600

export interface Pass<Of extends Sender = Chain> {
  deps: Deps
  chain: Of
  hot: Wallet
  sending: Sending
  terms: Terms
  /** Vault mode: the signer does not hold the keys of deposit addresses. */
  isVault: boolean
  treasury: Treasury | null
  /** Where deposits go: the treasury or, without one, the hot wallet. */
  to: string
}
export interface SweptAsset {
  id: string
  symbol: string
  contract: string | null
}

/**
 * Sweeps deposits of a chain to its treasury or hot wallet: tokens of leased addresses many at once, by delegation to
 * Sweeper (EIP-7702) where the chain has it, and others one by one, with gas sent first. Fixed addresses and those for
 * native coin are never delegated, because a delegated address refuses plain transfers of native coin; so in vault mode
 * they are not swept. Does nothing while withdrawals are stopped, the chain or its hot wallet is halted, or the signer
 * does not answer.
 */
export async function sweepChain(deps: Deps, chain: Chain): Promise<void> {
  const { id } = chain.definition
  const started = deps.clock()
  const pass = await openPass(deps, chain)
  if (!pass) return
  const requested = await readRequests(deps.pool, id)
  const alone = new Alone(deps, chain)
  for (const sweep of await fundedSweeps(deps.pool, id))
    await alone.run(`sweep ${sweep.id}`, () => sweepOne(pass, sweep))
  await raiseGas(pass, alone)
  await alone.run('gas of the sweeper', () => refillSweeper(pass))
  let isDone = true
  for (const asset of (await assetsOfChain(deps.pool, id)).values())
    if (!(await alone.run(`sweeps of ${asset.id}`, () => sweepAsset(pass, asset, started, alone)))) isDone = false
  if (isDone) await deleteRequests(deps.pool, requested)
  alone.end()
}

/** Sweeps deposits of one asset. Returns false where something is left for the next pass. */
async function sweepAsset(pass: Pass, asset: ChainAsset, started: number, alone: Alone): Promise<boolean> {
  const { deps, chain, hot, terms, isVault, treasury, to } = pass
  const { id, kind } = chain.definition
  if (!isWatched(asset) || (isVault && asset.contract === null)) return true
  if (await readStop(deps.pool, id, asset.id)) return true
  // guard: sweeps-ask-issuer
  if (await isStoppedByIssuer(pass, asset)) return false
  const sweeper = sweeperOf(to).address
  const given = { chainId: id, assetId: asset.id, kind, isVault, sweeper, now: started }
  const candidates = await readCandidates(deps.pool, given)
  if (candidates.length === 0) return true
  const batched = asset.contract !== null && (await canDelegate(chain, sweeper))
  const of = async (isBatched: boolean) => {
    const { gas, beyond } = await costEach(chain, isBatched)
    const cost = terms.most(gas) + beyond
    const own = candidates.filter(each => (batched && each.leased_for === 'token') === isBatched)
    const given = { candidates: own, cost, isNeeded: !treasury && lacks(hot, asset.symbol) }
    return choose(deps, chain.definition, asset, given)
  }
  const many = await of(true)
  const single = isVault ? [] : await of(false)
  let isDone = true
  for (let i = 0; i < many.length; i += batchMax) {
    const part = many.slice(i, i + batchMax)
    const swept = await alone.run(`sweep of ${part[0]!.address}`, () => sweepMany(pass, asset, sweeper, part))
    if (!swept) isDone = false
  }
  const sweepSingle = asset.contract === null ? sweepNative : fund
  for (const each of alone.failedLast(single, ({ address }) => `sweep of ${address}`)) {
    if (alone.isDown) return false
    if (!(await alone.run(`sweep of ${each.address}`, () => sweepSingle(pass, asset, each)))) isDone = false
  }
  return isDone
}

/** Null while nothing may be swept on a chain. */
export async function openPass<Of extends Sender>(deps: Deps, chain: Of): Promise<Pass<Of> | null> {
  const { id, kind } = chain.definition
  const [row, stopped] = await Promise.all([readChain(deps.pool, id), readStop(deps.pool, id, '')])
  const hot = await walletOfRole(deps.pool, id, 'hot')
  if (!row?.enabled || row.halted !== null || stopped || !hot || hot.halted !== null) return null
  try {
    const holdsDeposits = await deps.signer.holdsDeposits(kind)
    const treasury = await treasuryOf(deps, chain)
    const to = treasury?.address ?? hot.address
    const sending = sendingOn(chain)
    return { deps, chain, hot, sending, terms: await sending.terms(), isVault: !holdsDeposits, treasury, to }
  } catch (error) {
    if (error instanceof SignerUnavailable || error instanceof TreasuryIsOurs) return null
    throw error
  }
}

/** Whether the hot wallet waits for an asset, as in `120 USDT, 0.1 ETH`. */
export const lacks = ({ waits }: Wallet, symbol: string) =>
  (waits ?? '').split(', ').some(each => each.endsWith(` ${symbol}`))

/** Whether tokens of leased addresses are swept many at once. */
export const canDelegate = async (chain: Chain, sweeper: string) =>
  chain.definition.delegates === true && ((await chain.batches?.isDeployed(sweeper)) ?? false)

export const sweepRow = ({ merchant_id, address, key_index, reason }: Chosen, weight = 1) => ({
  merchant_id,
  id: newId(),
  address,
  key_index,
  reason,
  weight,
})

/** Sweeps up to 50 addresses in one transaction of the sweeper. Returns false while it lacks gas. */
async function sweepMany(pass: Pass, asset: SweptAsset, sweeper: string, chosenBefore: Chosen[]) {
  const { deps, chain, hot, terms, isVault } = pass
  const wallet = await walletOf(deps, chain, 'sweeper')
  if (!wallet || wallet.halted !== null) return false
  const candidates = await holding(chain, asset, chosenBefore)
  if (candidates.length === 0) return true
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
  const { funds } = await Funds.read(deps, chain, wallet.address, terms)
  if (!(await funds.take(null, 0n, await funds.costOf(gas, intent)))) {
    await sendGas(pass, funds.lacking.get(null)!)
    return false
  }
  const rows = chosen.map((each, i) => sweepRow(each, owners[i]!.authorize === null ? weights.later : weights.first))
  const items = rows.map(({ merchant_id, id }, i) => {
    return { owner: 'sweep' as const, merchant_id, id, amount: chosen[i]!.amount }
  })
  const of = { chainId: hot.chain_id, address: wallet.address, intent, gas, items, now: deps.clock() }
  await once(deps, async c => {
    if (await takeNonce(c, of, async () => true))
      await insertSweeps(c, { ...at(hot, asset, deps), state: 'sent' }, rows)
  })
  return true
}

/** Reads what the hot wallet has left for sweeps, and its next nonces. */
export async function hotFunds<Of extends Sender>({
  deps,
  chain,
  hot,
  terms,
}: Pick<Pass<Of>, 'deps' | 'chain' | 'hot' | 'terms'>) {
  const wallet = (await walletOfRole(deps.pool, hot.chain_id, 'hot'))!
  const { funds, unsigned } = await Funds.read(deps, chain, wallet.address, terms)
  return { funds, nonces: new Nonces({ deps, wallet, terms }, unsigned) }
}

/** Sends the sweeper gas from the hot wallet: twice what it lacks, within what signers allow by default. */
async function sendGas(pass: Pass, lacking: bigint): Promise<void> {
  const { deps, chain } = pass
  const most = gasMost(chain.definition)
  const amount = lacking * 2n < most ? lacking * 2n : most
  const { address } = (await walletOf(deps, chain, 'sweeper'))!
  await giveGas(pass, { address, index: null, amount }, [], onlyGas(pass, null))
}

/** Sends the sweeper what its own sweeps lack: fees may have risen since their nonce was taken. */
async function refillSweeper(pass: Pass): Promise<void> {
  const { deps, chain, terms } = pass
  const wallet = await walletOfRole(deps.pool, chain.definition.id, 'sweeper')
  if (!wallet || wallet.halted !== null) return
  const { funds, open } = await Funds.read(deps, chain, wallet.address, terms)
  if (open > 0 && !(await funds.take(null, 0n, 0n))) await sendGas(pass, funds.lacking.get(null)!)
}

/**
 * Sends addresses what their sweeps have lacked for so long: fees rose, or coin that came with a block left with it.
 * What lacks more than gas is native coin itself, which left or was invented by nodes: its sweep is cancelled, so that
 * later ones go on.
 */
async function raiseGas(pass: Pass, alone: Alone): Promise<void> {
  const { deps, hot } = pass
  const found = await waitingSweeps(deps.pool, hot.chain_id, deps.clock() - raiseAfter)
  for (const [address, all] of Map.groupBy(found, each => each.address))
    await alone.run(`gas of ${address}`, () => raiseGasOf(pass, address, all))
}

async function raiseGasOf(pass: Pass, address: string, all: Awaited<ReturnType<typeof waitingSweeps>>): Promise<void> {
  const { deps, chain, hot, terms } = pass
  const held = await heldBy(chain, null, address)
  const mined = await chain.nonce(address)
  const own = all.filter(each => each.nonce >= mined)
  if (held === null || own.length === 0) return
  const coinIn = (each: (typeof own)[number]) => (each.cancel_reason === null ? coinSentBy(each.intent) : 0n)
  const costs = new Costs(chain, terms)
  let amount = -held
  for (const each of own) {
    const fee = terms.isTooLow(each.max_fee) ? undefined : each.max_fee
    amount += (await costs.of(each.gas, each.intent, fee)) + coinIn(each)
  }
  const index = own[0]!.key_index
  if (amount > gasMost(chain.definition)) {
    for (const each of own.filter(each => coinIn(each) > 0n))
      await setCancelled(deps.pool, hot.chain_id, address, each.nonce, absentReason, deps.clock())
  } else if (amount > 0n) await giveGas(pass, { address, index, amount }, [], onlyGas(pass, index))
}

/** Whether nothing else is under way to the same address: another process may have read the same need. */
function onlyGas({ deps, hot }: Pass, index: number | null) {
  return async (c: Queryable, nonce: number) => {
    const since = deps.clock() - gasPause
    return (await otherGas(c, hot.chain_id, hot.address, nonce, index, since))!.n === 0
  }
}

/**
 * Sends gas from the hot wallet, if `isDue` with the nonce that it has taken. Returns false while the wallet lacks the
 * coin, or the signer does not allow it.
 */
async function giveGas(
  { deps, chain, hot, terms }: Pass,
  to: { address: string; index: number | null; amount: bigint },
  items: readonly Item[],
  isDue: (c: Queryable, nonce: number) => Promise<boolean>,
): Promise<boolean> {
  const { address, index, amount } = to
  const gas = await chain.gasFor({ from: hot.address, token: null, to: address, amount })
  const intent = { kind: 'gas', token: null, to: null, index, amount: String(amount) } as const
  const { funds, nonces } = await hotFunds({ deps, chain, hot, terms })
  if (!(await nonces.allows(intent, gas)) || !(await funds.take(null, amount, await funds.costOf(gas)))) return false
  const of = { chainId: hot.chain_id, address: hot.address, intent, gas, items, now: deps.clock() }
  return once(deps, async c => {
    await takeNonce(c, of, async id => nonces.isNext(id) && (await isDue(c, id.nonce)))
  })
}

const gasMost = ({ native }: ChainDefinition) => tenTo(native.decimals) / 50n

/** Sends a deposit address the gas for its sweep. Returns false while the wallet lacks it or the signer refuses. */
async function fund(pass: Pass, asset: SweptAsset, chosen: Chosen): Promise<boolean> {
  const { deps, chain, hot, sending, terms, to } = pass
  const { address, key_index: index } = chosen
  if ((await holding(chain, asset, [chosen])).length === 0) return true
  const transfer = { from: address, token: asset.contract, to, amount: chosen.amount - 1n }
  const needed = await limitOrRefused(sending, transfer)
  const row = sweepRow(chosen)
  // The issuer is asked in the next pass.
  if (needed === null)
    return once(deps, async c => {
      await insertSweeps(c, { ...at(hot, asset, deps), state: 'funded' }, [row])
      await setFailed(c, [row.id], '', deps.clock(), 'funded')
    })
  // Fees may rise meanwhile.
  const amount = terms.most(needed) + (await new Costs(chain, terms).of(needed))
  const items = [{ owner: 'sweep' as const, merchant_id: row.merchant_id, id: stepId('gas', row.id), amount }]
  return giveGas(pass, { address, index, amount }, items, async c => {
    await insertSweeps(c, { ...at(hot, asset, deps), state: 'funding' }, [row])
    return true
  })
}

/** Sweeps native coin from a deposit address, which pays the fee itself. The unused part of the fee stays. */
async function sweepNative(
  { deps, chain, hot, sending, terms, to }: Pass,
  asset: SweptAsset,
  chosen: Chosen,
): Promise<boolean> {
  const balance = await heldBy(chain, null, chosen.address)
  const gas = await limitOrRefused(sending, { from: chosen.address, token: null, to, amount: 1n })
  if (gas === null || balance === null) return true
  // Fees may rise meanwhile.
  const amount = balance - terms.most(gas) - (await new Costs(chain, terms).of(gas))
  if (amount <= 0n) return true
  const row = sweepRow(chosen)
  const { key_index: index, merchant_id } = chosen
  await openDeposit(deps, chain, chosen.address, index)
  const intent = { kind: 'sweep', token: null, to: null, index, amount: String(amount) } as const
  const items = [{ owner: 'sweep' as const, merchant_id, id: row.id, amount }]
  const of = { chainId: hot.chain_id, address: chosen.address, intent, gas, items, now: deps.clock() }
  await once(deps, async c => {
    if (await takeNonce(c, of, id => hasCoin(c, id, true)))
      await insertSweeps(c, { ...at(hot, asset, deps), state: 'sent' }, [row])
  })
  return true
}

/** Sweeps the token of an address that has received its gas, except one unit. */
async function sweepOne(
  { deps, chain, hot, sending, terms, to }: Pass,
  { merchant_id, id, address, contract, key_index }: Sweep,
) {
  const balance = await heldBy(chain, contract, address)
  const coins = await heldBy(chain, null, address)
  if (balance === null || coins === null) return
  const amount = balance - 1n
  const gas = amount > 0n ? await limitOrRefused(sending, { from: address, token: contract, to, amount }) : null
  if (gas === null || coins < terms.most(gas) + (await dataFeeOf(chain, gas))) {
    // Fees rose beyond what was sent, or the token refuses: it is tried again in a day.
    await setFailed(deps.pool, [id], '', deps.clock(), 'funded')
    return
  }
  await openDeposit(deps, chain, address, key_index)
  const intent = { kind: 'sweep', token: contract, to: null, index: key_index, amount: String(amount) } as const
  const items = [{ owner: 'sweep' as const, merchant_id, id, amount }]
  const of = { chainId: hot.chain_id, address, intent, gas, items, now: deps.clock() }
  await once(deps, async c => {
    await takeNonce(c, of, async taken => (await hasCoin(c, taken, false)) && moveFunded(c, id, 'sent', deps.clock()))
  })
}

/** Whether nothing else is to be paid by the coin of an address; for native coin, no sweep either that was sent gas. */
export const hasCoin = async (c: Queryable, { chain_id, from_address, nonce }: OutgoingId, isCoin: boolean) =>
  (await coinClaims(c, chain_id, from_address, nonce, isCoin))!.n === 0

export const at = (hot: Wallet, asset: SweptAsset, { clock }: Deps) => ({
  chainId: hot.chain_id,
  assetId: asset.id,
  now: clock(),
})

/** Stores a deposit address as a wallet with nonces. */
export async function openDeposit(deps: Deps, chain: Sender, address: string, index: number): Promise<void> {
  const { id, kind } = chain.definition
  const nonce = (await sendingOn(chain).nonces?.next(address)) ?? 0
  await insertWallet(deps.pool, id, address, kind, 'deposit', index, nonce, deps.clock())
  // Each delegation of the address has used one up, too.
  await raiseNonce(deps.pool, id, address, nonce)
}

/** Runs a transaction. Returns false when another process took the nonce, so that it is tried again. */
export async function once(deps: Deps, work: Parameters<typeof tx<void>>[1]): Promise<boolean> {
  try {
    await tx(deps.pool, work)
  } catch (error) {
    if (error instanceof NotDue) return false
    const { constraint = '' } = error as { constraint?: string }
    // The same sweep exists already.
    if (!['sweeps_one', 'outgoing_items_once'].includes(constraint)) throw error
  }
  return true
}
