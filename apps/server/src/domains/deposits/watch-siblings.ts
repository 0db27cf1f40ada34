import type { ChainDefinition } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { all, tx } from '../../kit/db.ts'
import { isSiblingSql } from '../chains/assets.ts'
import { endLastingIncident, reportLastingIncident } from '../chains/lasting-incidents.ts'

/** The kind of the incident about deposits of a sibling. */
export const siblingIncidentKind = 'other_token'

/**
 * Tokens of a chain, with how many deposits wait for an operator because it is a sibling, and whether an incident says
 * so: also of one that was listed since.
 */
const siblings = all(
  'siblings-waiting',
  `select a.id, a.symbol, (
       select count(*) from deposits d where d.chain_id = $1 and d.asset_id = a.id and ${isSiblingSql('a')} and d.state = 'seen' and d.held_at is not null) as n,
     exists (select from incidents i where i.chain_id = $1 and i.kind = '${siblingIncidentKind}' and i.resolved_at is null
       and i.detail ->> 'asset_id' = a.id) as is_open
   from assets a where a.chain_id = $1 and a.contract is not null`,
)

/**
 * Opens one incident for each sibling of a token whose deposits wait for an operator, and ends it once all are decided.
 */
export async function watchSiblings(
  { pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>,
  { id, siblings: known = [] }: Pick<ChainDefinition, 'id' | 'siblings'>,
): Promise<void> {
  for (const { id: asset_id, symbol, n, is_open } of await siblings(pool, id)) {
    const isWaiting = (n ?? 0) > 0
    if (isWaiting === is_open) continue
    const of = { asset_id }
    const issuer = known.find(each => each.symbol === symbol)?.issuer ?? ''
    await tx(pool, async c => {
      if (!isWaiting) return endLastingIncident(c, { kind: siblingIncidentKind, chain_id: id, of }, clock())
      return reportLastingIncident(
        c,
        { kind: siblingIncidentKind, chain_id: id, of, detail: { ...of, issuer } },
        clock(),
      )
    })
    if (isWaiting) log.warn({ chain: id, asset: asset_id, n }, 'deposits of a token that is not accepted wait')
  }
}
