import type { Deps } from '../../deps.ts'
import { run, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'

const setHold = run(
  'asset-decide',
  `with decided as (
     update assets set hold = $2::text, compared = greatest(compared, $3) where id = $1 and (hold = 'held' or hold = 'refused' and $2::text is null)
     returning id, chain_id
   ), released as (
     update deposits d set held_at = 0 from decided a
     where d.chain_id = a.chain_id and d.asset_id = a.id and d.held_at > 0 and $2::text is null
   ), resolved as (
     update incidents i set resolved_at = $4 from decided a
     where i.chain_id = a.chain_id and i.detail ->> 'asset_id' = a.id and i.kind in ('token_differs', 'token_unknown') and i.resolved_at is null
   )
   select 1 as decided from decided`,
)

/**
 * Releases a token that is on hold, or was refused: its held deposits are credited as their logs say, without a comparison. Refuses it
 * for good: they are dropped, and further transfers of it are ignored. `decideHeld` carries both out. Throws
 * Refusal('operation_failed') when the token is not on hold.
 */
export async function decideToken(
  deps: Pick<Deps, 'pool' | 'clock' | 'config'>,
  { assetId, decision }: { assetId: string; decision: 'release' | 'refuse' },
): Promise<void> {
  const hold = decision === 'release' ? null : 'refused'
  const first = decision === 'release' ? deps.config.compareDeposits : 0
  const decided = await tx(deps.pool, c => setHold(c, assetId, hold, first, deps.clock()))
  if (decided === 0) throw new Refusal('operation_failed', { field: 'asset' })
}
