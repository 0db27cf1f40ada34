import { type AccountChain, chainAdapters } from '@coffer/chains'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { nodeName } from '../../outside/open-chain.ts'
import type { ChainAsset } from '../chains/assets.ts'
import { endLastingIncident, reportLastingIncident } from '../chains/lasting-incidents.ts'

type Asset = Pick<ChainAsset, 'id' | 'contract'> & { chain_id: string }
const kind = 'balances_differ'
/** Addresses that the incident names. */
const namedMax = 5

/**
 * Reports that nodes do not agree on balances, so that an asset was not compared: as an incident once two readings
 * after each other have had it, with what each node says of the first address.
 */
export async function openBalanceDisagreement(
  { pool, clock, log }: Deps,
  chain: AccountChain,
  { id, chain_id, contract }: Asset,
  addresses: readonly string[],
  isLasting: boolean,
): Promise<void> {
  log.warn({ chain: chain_id, asset: id, addresses: addresses.length }, 'reconcile: nodes do not agree on balances')
  if (!isLasting) return
  const told = (await chain.balancesByNode?.(contract, addresses[0]!)) ?? []
  const reason = encodeHaltReason('each_node', ...told.map(({ url, says }) => `${nodeName(chain_id, url)}: ${says}`))
  const named = addresses.slice(0, namedMax).map(chainAdapters[chain.definition.kind].address.show)
  const detail = { asset_id: id, token: contract ?? 'native', addresses: named, reason }
  await tx(pool, c => reportLastingIncident(c, { kind, chain_id, of: { asset_id: id }, detail }, clock()))
}

/** Ends the incident: nodes agree again. */
export const endBalanceDisagreement = ({ pool, clock }: Deps, { id, chain_id }: Asset): Promise<number> =>
  endLastingIncident(pool, { kind, chain_id, of: { asset_id: id } }, clock())
