import { CallRefused, chainAdapters, TooMuchGas } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { registry } from '../../kit/metrics.ts'
import type { OutgoingOwner, OutgoingOwners, Payout } from '../../owner.ts'
import { SignerUnavailable } from '../../signer/client.ts'
import type { SignerRefusal } from '../../signer/protocol.ts'
import { type ChainAssets, findAssetByContract, readChainAssets } from '../chains/assets.ts'
import { endUnseenIncidents, reportLastingIncident, unseenIncidentSeconds } from '../chains/lasting-incidents.ts'
import { incidents, readChain, readPayoutStop } from '../chains/store.ts'
import { signatureRetryPauseSeconds } from './advance.ts'
import type { IsolatedRunner } from './alone.ts'
import { WalletFunds } from './funds.ts'
import {
  fetchIssuerStopReason,
  type IssuerStopReason,
  issuerStopExpirySeconds,
  reportIssuerStop,
} from './issuer-stops.ts'
import { createSendingFor } from './kinds.ts'
import { NonceAllocator } from './nonces.ts'
import { payBatches } from './pay-batches.ts'
import { attachReleases, releasableRefusals } from './release-payout.ts'
import type { PayableChain, SendingStrategy } from './sender.ts'
import { temporaryRefusals } from './sign-attempt.ts'
import { setWalletShortage, type TransactionIntent, type Wallet } from './store.ts'

/** Transactions of a wallet that are in no block: nodes hold at least 16 of an account. */
const inFlightMax = 16
/** Payouts considered in one pass. */
const dueMax = 500
/**
 * Seconds for which a wallet lacks funds before the operator is notified: sweeps bring them within minutes, if there
 * are any.
 */
const shortAfter = 900
/**
 * Seconds for which the chain must refuse a payout before it is void, and between two tries: nodes may differ for a
 * while.
 */
const voidAfter = 180
const retryAfter = 10

const queueAge = new Gauge({
  name: 'coffer_payout_queue_seconds',
  help: 'Age of the oldest payout without a transaction',
  labelNames: ['chain'],
  registers: [registry],
})

/**
 * When the chain first refused each payout, and the signer last, by owner and id. Kept by the caller between passes.
 */
export type PayoutRefusals = Map<string, number>

const keyOf = ({ owner, merchant_id, id }: Payout) => `${owner} ${merchant_id} ${id}`

/** What one pass over the payouts of a chain knows. */
interface Pass {
  deps: Deps
  chain: PayableChain
  sending: SendingStrategy
  owners: OutgoingOwners
  wallet: Wallet
  funds: WalletFunds
  nonces: NonceAllocator
  refusals: PayoutRefusals
  /** What issuers of tokens said in this pass. */
  stopped: Map<string, IssuerStopReason | null>
}

/**
 * Assigns the next nonce to each funded payout that is due, oldest first, and one to a batch of up to 50 of the same
 * token. Payouts of a token that the wallet is short of wait, as do those over a limit of the signer, and other tokens
 * go on, as they do past one that cannot be prepared. Assigns nothing while withdrawals are stopped, or the chain or
 * the wallet is halted. Returns whether any is due.
 */
export async function payDue(
  deps: Deps,
  chain: PayableChain,
  owners: OutgoingOwners,
  wallet: Wallet,
  refusals: PayoutRefusals,
  alone: IsolatedRunner,
): Promise<boolean> {
  const { id } = chain.definition
  const row = await readChain(deps.pool, id)
  if (!row?.enabled || row.halted !== null || wallet.halted !== null) return false
  if (await readPayoutStop(deps.pool, id, '')) return false
  const found = await readDuePayouts(deps, owners, id)
  // The list may have changed since the request.
  const isListed = ({ to }: Payout) => deps.sanctioned(chainAdapters[chain.definition.kind].address.show(to))
  const payable = found.filter(each => !isListed(each))
  for (const each of found)
    if (!payable.includes(each))
      await alone.run(keyOf(each), () => endPayout(deps, owners, id, each, 'the address is on a sanctions list'))
  queueAge.set({ chain: id }, payable[0] ? Math.max(0, deps.clock() - payable[0].since) : 0)
  if (payable.length === 0) return storeWaits(deps, wallet, new Map(), new Map()).then(() => false)
  const own = owners.sweep?.withoutCarried ? await owners.sweep.withoutCarried(id, payable) : payable
  const due = await attachReleases(deps.pool, own)
  const sending = createSendingFor(chain)
  const terms = await sending.terms()
  const { funds, open, unsigned } = await WalletFunds.read(deps, chain, wallet.address, terms)
  const nonces = new NonceAllocator({ deps, terms, wallet }, unsigned)
  const pass: Pass = { deps, chain, sending, owners, wallet, funds, nonces, refusals, stopped: new Map() }
  await reportLimits(deps, nonces, due)
  const { single, taken } = await payBatches({ ...pass, alone }, due, inFlightMax - open)
  let room = inFlightMax - open - taken
  for (const payout of alone.failedLast(single, keyOf)) {
    if (room <= 0 || alone.isDown) break
    // guard: paid-apart
    if (await alone.run(keyOf(payout), () => payOne(pass, payout))) room--
  }
  await storeWaits(deps, wallet, funds.lacking, await readChainAssets(deps.pool, id))
  return true
}

/**
 * Takes a nonce for one payout. Returns whether it did; not while the wallet is short, nor where the signer or the
 * chain refuses the payout.
 * @throws SignerUnavailable while the signer does not answer
 */
async function payOne(pass: Pass, payout: Payout): Promise<boolean> {
  const { deps, chain, owners, funds, nonces, refusals } = pass
  const { token, to, amount, release } = payout
  if (!(await funds.covers(token, amount))) return false
  if (token !== null && (await isStoppedByIssuer(pass, payout))) return false
  const limited = `limit ${keyOf(payout)} ${release?.id}`
  if (deps.clock() - (refusals.get(limited) ?? -signatureRetryPauseSeconds) < signatureRetryPauseSeconds) return false
  const gas = await estimateGas(pass, payout)
  if (gas === null) return false
  const paid = { token, to, index: null, amount: String(amount) }
  const intent = { kind: 'transfer', ...paid, ...(release && { release }) } as const
  const answer = await nonces.dryRun(intent, gas)
  if (!answer) throw new SignerUnavailable('no answer to a dry run')
  const [refusal] = answer
  if (refusal) {
    refusals.set(limited, deps.clock())
    if ([...temporaryRefusals, ...releasableRefusals].includes(refusal))
      await wait(deps, owners, nonces, payout, intent, refusal)
    else await endPayout(deps, owners, chain.definition.id, payout, `signer: ${refusal}`)
    return false
  }
  refusals.delete(limited)
  if (!(await funds.take(token, amount, await funds.costOf(gas)))) return false
  return (await nonces.take(owners, { intent, gas, items: [payout] })) !== null
}

/** Reads what is due on a chain, oldest first. */
export async function readDuePayouts(deps: Deps, owners: OutgoingOwners, chainId: string): Promise<Payout[]> {
  const all = await Promise.all(
    Object.values(owners).map((owner: OutgoingOwner) => owner.due(deps.pool, chainId, dueMax)),
  )
  return all.flat().sort((a, b) => a.since - b.since)
}

/** Ends a payout that gets no nonce. Its amount is released. */
async function endPayout(
  deps: Deps,
  owners: OutgoingOwners,
  chainId: string,
  payout: Payout,
  reason: string,
): Promise<void> {
  await tx(deps.pool, async (_, uow) => {
    if (!(await owners[payout.owner]!.unsent(uow, payout, 'voided', reason))) return
    const detail = { [payout.owner]: payout.id, reason }
    uow.add(incidents, [{ id: newId(), kind: 'payout_refused', chain_id: chainId, detail, created_at: deps.clock() }])
    deps.log.error({ chain: chainId, ...detail }, 'a payout is cancelled')
  })
}

/** Has a payout wait for a limit of the signer, or for a person's release. */
const wait = (
  deps: Deps,
  owners: OutgoingOwners,
  nonces: NonceAllocator,
  payout: Payout,
  intent: TransactionIntent,
  refusal: SignerRefusal,
) =>
  tx(deps.pool, async (c, uow) => {
    const isNew = await owners[payout.owner]!.unsent(uow, payout, 'waits', `signer: ${refusal}`)
    if (isNew) await nonces.report(c, intent, `signer: ${refusal}`)
  })

/** Notes which limits of the signer payouts still wait for. */
async function reportLimits(deps: Deps, nonces: NonceAllocator, due: readonly Payout[]): Promise<void> {
  const limited = new Map(
    due.flatMap(({ token, waits }) => (waits.startsWith('signer: ') ? [[`${token} ${waits}`, { token, waits }]] : [])),
  )
  for (const { token, waits } of limited.values())
    await tx(deps.pool, c => nonces.report(c, { kind: 'transfer', token }, waits))
}

/**
 * Whether the issuer of a token stopped it for us, and so what waited for that goes on waiting. It is asked once a
 * pass, and only for what it stopped before.
 */
async function isStoppedByIssuer(pass: Pass, payout: Payout): Promise<boolean> {
  if (!payout.waits.startsWith('issuer: ') && !pass.stopped.get(payout.token!)) return false
  return (await waitForIssuer(pass, payout)) !== null
}

/**
 * Has a payout wait for the issuer of its token, if it has paused the token or lists our wallet. Returns why, or null.
 */
async function waitForIssuer(pass: Pass, payout: Payout): Promise<IssuerStopReason | null> {
  const { deps, chain, owners, wallet, stopped } = pass
  const token = payout.token!
  if (!stopped.has(token)) stopped.set(token, await fetchIssuerStopReason(chain, token, [wallet.address]))
  const reason = stopped.get(token) ?? null
  if (reason === null) return null
  await tx(deps.pool, async (c, uow) => {
    await owners[payout.owner]!.unsent(uow, payout, 'waits', reason)
    await reportIssuerStop(deps, c, { chain_id: chain.definition.id, token, reason, wallet: wallet.address })
  })
  return reason
}

/**
 * Why a payout waits, and ends, that the chain would not execute. What its contract says is not shown: anybody may have
 * written it.
 */
const refusedByChain = 'the destination refuses it'
/** The same, where it would be executed, for more gas than the chain's definition allows. */
const tooMuchGas = 'the destination takes too much gas'
/** Whether a payout waits, as others need not, by its reason. */
export const isPayoutSpecificReason = (reason: string) => /^(signer: |issuer: |the destination )/.test(reason)

/**
 * Estimates the gas of a payout. Null when nodes agree that the chain would not execute it; once that has lasted, the
 * payout is void, since it was never signed.
 */
async function estimateGas(pass: Pass, payout: Payout): Promise<bigint | null> {
  const { deps, chain, sending, owners, wallet, refusals } = pass
  const { token, to, amount, owner } = payout
  const key = keyOf(payout)
  const tried = `tried ${key}`
  const now = deps.clock()
  if (now - (refusals.get(tried) ?? -retryAfter) < retryAfter) return null
  try {
    const gas = await sending.limitFor({ from: wallet.address, token, to, amount }, true)
    refusals.delete(key)
    refusals.delete(tried)
    return gas
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    // guard: issuer-asked
    if (token !== null && (await waitForIssuer(pass, payout)) !== null) return null
    const since = refusals.get(key) ?? now
    refusals.set(key, since)
    refusals.set(tried, now)
    const isOver = now - since >= voidAfter
    const reason = { chain: chain.definition.id, id: payout.id, reason: error.message }
    deps.log.warn(reason, isOver ? 'the chain refuses a payout: cancelled' : 'the chain refuses a payout')
    const why = error instanceof TooMuchGas ? tooMuchGas : refusedByChain
    await tx(deps.pool, (_, uow) => owners[owner]!.unsent(uow, payout, isOver ? 'voided' : 'waits', why))
    if (isOver) for (const each of [key, tried]) refusals.delete(each)
    return null
  }
}

/** Stores what the wallet lacks, such as `0.5 ETH, 120 USDT`, for the operator. */
async function storeWaits(
  deps: Deps,
  wallet: Wallet,
  lacking: ReadonlyMap<string | null, bigint>,
  assets: ChainAssets,
) {
  const parts = [...lacking].map(([token, amount]) => {
    const asset = findAssetByContract(assets, token)
    return asset ? `${formatDecimal(amount, asset.decimals)} ${asset.symbol}` : String(token)
  })
  const waits = parts.length > 0 ? parts.join(', ') : null
  const { chain_id, address, waits_since: since } = wallet
  const now = deps.clock()
  await endUnseenIncidents(deps.pool, ['payout_waits'], chain_id, now - unseenIncidentSeconds, now)
  await endUnseenIncidents(deps.pool, ['issuer_stops'], chain_id, now - issuerStopExpirySeconds, now)
  if (waits === null && since === null) return
  await tx(deps.pool, async c => {
    if ((await setWalletShortage(c, chain_id, address, waits, now)) > 0 && waits === null)
      await endUnseenIncidents(c, ['wallet_short'], chain_id, now + 1, now)
    if (waits === null || since === null || now - since < shortAfter) return
    const row = { kind: 'wallet_short', chain_id, of: { wallet: address }, detail: { wallet: address, lacks: waits } }
    if (await reportLastingIncident(c, row, now))
      deps.log.error({ chain: chain_id, ...row.detail }, 'a wallet lacks funds for queued payouts')
  })
}
