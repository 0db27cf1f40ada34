import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { reportLastingIncident } from '../chains/lasting-incidents.ts'
import type { PayableChain } from './sender.ts'

/** Why payouts and sweeps of a token wait: its issuer has paused it, or lists an address of ours. */
export type IssuerStopReason = 'issuer: paused' | 'issuer: listed'

/** Seconds after which a stop that nobody ran into again is over: sweeps ask once a minute. */
export const issuerStopExpirySeconds = 180

/**
 * Asks the issuer of a token whether it is paused or refuses one of our addresses. Null if neither; the native coin has
 * none.
 */
export async function fetchIssuerStopReason(
  chain: PayableChain,
  token: string | null,
  ours: readonly string[],
): Promise<IssuerStopReason | null> {
  if (token === null) return null
  for (const address of ours) {
    const word = await chain.issuerWord?.(token, address)
    if (word) return `issuer: ${word}`
  }
  return null
}

/** Reports why the chain refuses a transfer between wallets of ours, if that is the issuer of its token. */
export async function reportRefusedMove(
  deps: Deps,
  chain: PayableChain,
  { token, from, to }: { token: string | null; from: string; to: string },
): Promise<void> {
  for (const wallet of [from, to]) {
    const reason = await fetchIssuerStopReason(chain, token, [wallet])
    if (token !== null && reason !== null)
      return tx(deps.pool, c => reportIssuerStop(deps, c, { chain_id: chain.definition.id, token, reason, wallet }))
  }
}

/**
 * Reports that a token is stopped by its issuer: one incident, which lasts as long as that. `wallet`: the address of
 * ours that is refused.
 */
export async function reportIssuerStop(
  deps: Pick<Deps, 'clock' | 'log'>,
  c: Queryable,
  { chain_id, ...of }: { chain_id: string; token: string; reason: IssuerStopReason; wallet: string },
): Promise<void> {
  const detail = of.reason === 'issuer: paused' ? { token: of.token, reason: of.reason } : of
  if (await reportLastingIncident(c, { kind: 'issuer_stops', chain_id, of: { token: of.token }, detail }, deps.clock()))
    deps.log.error({ chain: chain_id, ...detail }, 'the issuer of a token stops it')
}
