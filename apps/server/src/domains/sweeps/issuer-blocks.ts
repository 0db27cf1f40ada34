import { chainAdapters, isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import type { ChainAsset } from '../chains/assets.ts'
import { endLastingIncident, reportLastingIncident } from '../chains/lasting-incidents.ts'
import { fetchIssuerStopReason, type IssuerStopReason, reportIssuerStop } from '../outgoing/issuer-stops.ts'
import type { PayableChain } from '../outgoing/sender.ts'
import {
  deleteIssuerBlock,
  insertIssuerBlock,
  markFailuresChecked,
  markIssuerBlockChecked,
  readIssuerBlocks,
  readUncheckedFailures,
  retryFailedSweeps,
} from './store.ts'

/** Seconds between two questions whether an address is still listed. */
const listedPause = 3_600
/** Address under which is stored that all sweeps of a token stop. */
const all = ''

/** `to`: where sweeps of the chain go. */
interface Asking {
  deps: Deps
  chain: PayableChain
  to: string
}
type SweptToken = Pick<ChainAsset, 'id' | 'contract'>
/** A sweep that failed with the amount of the deposits at its address. */
type Failed = Awaited<ReturnType<typeof readUncheckedFailures>>[number]

/**
 * Asks the issuer of a token about what failed and what it stopped before, and returns whether all sweeps of the token
 * stop: it is paused, or their destination is listed. A listed deposit address is blocked by itself, and asked about
 * every hour until it is free. Nothing changes while too few nodes answer.
 */
export async function isStoppedByIssuer(pass: Asking, asset: SweptToken): Promise<boolean> {
  const { deps, chain, to } = pass
  if (asset.contract === null || !chain.issuerWord) return false
  const { id } = chain.definition
  const blocks = await readIssuerBlocks(deps.pool, id, asset.id)
  const failed = await readUncheckedFailures(deps.pool, id, asset.id)
  const due = blocks.filter(each => each.address !== all && each.asked_at <= deps.clock() - listedPause)
  const isStopped = blocks.some(each => each.address === all)
  if (!isStopped && due.length === 0 && failed.length === 0) return false
  const ofAll = await fetchIssuerStopReason(chain, asset.contract, [to]).catch(error => {
    if (!isChainError(error)) throw error
    return 'no answer' as const
  })
  if (ofAll === 'no answer') return isStopped
  if (ofAll !== null) return stop(pass, asset, ofAll)
  if (isStopped) await free(pass, asset, all)
  for (const { address } of due) {
    const isListed = (await chain.issuerWord(asset.contract, address)) === 'listed'
    if (isListed) await markIssuerBlockChecked(deps.pool, asset.id, address, deps.clock())
    else await free(pass, asset, address)
  }
  for (const each of failed) {
    if ((await chain.issuerWord(asset.contract, each.address)) === 'listed') await block(pass, asset, each)
    await markFailuresChecked(deps.pool, id, asset.id, each.address)
  }
  return false
}

/** Notes that all sweeps of a token stop, by one incident. */
async function stop({ deps, chain, to }: Asking, asset: SweptToken, reason: IssuerStopReason): Promise<true> {
  const { id } = chain.definition
  await tx(deps.pool, async c => {
    await insertIssuerBlock(c, id, asset.id, all, reason, deps.clock())
    await reportIssuerStop(deps, c, { chain_id: id, token: asset.contract!, reason, wallet: to })
  })
  return true
}

async function block({ deps, chain }: Asking, asset: SweptToken, { address, amount }: Failed): Promise<void> {
  const { id, kind } = chain.definition
  const addresses = [chainAdapters[kind].address.show(address)]
  const of = { asset_id: asset.id, addresses }
  const isNew = await tx(deps.pool, async c => {
    await insertIssuerBlock(c, id, asset.id, address, 'issuer: listed', deps.clock())
    const detail = { ...of, amount: String(amount) }
    return reportLastingIncident(c, { kind: 'deposit_blocked', chain_id: id, of, detail }, deps.clock())
  })
  if (isNew) deps.log.error({ chain: id, ...of }, 'the issuer of a token lists a deposit address')
}

async function free({ deps, chain }: Asking, asset: SweptToken, address: string): Promise<void> {
  const { id, kind } = chain.definition
  await tx(deps.pool, async c => {
    await deleteIssuerBlock(c, asset.id, address)
    await retryFailedSweeps(c, id, asset.id, address === all ? null : address, deps.clock())
    if (address === all) return
    const of = { asset_id: asset.id, addresses: [chainAdapters[kind].address.show(address)] }
    await endLastingIncident(c, { kind: 'deposit_blocked', chain_id: id, of }, deps.clock())
  })
}
