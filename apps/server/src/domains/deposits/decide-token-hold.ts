import type { Deps } from '../../deps.ts'
import { first, run, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'

const lockHold = first('asset-hold-lock', 'select hold from assets where id = $1 for no key update')
const setHold = run(
  'asset-decide',
  `with decided as (
     update assets set hold = $2::text, compared = greatest(compared, $3) where id = $1
     returning id, chain_id
   ), released as (
     update deposits d set held_at = 0 from decided a
     where d.chain_id = a.chain_id and d.asset_id = a.id and d.held_at > 0 and $2::text is null
   ), resolved as (
     update incidents i set resolved_at = $4 from decided a
     where i.chain_id = a.chain_id and i.detail ->> 'asset_id' = a.id and i.kind in ('token_differs', 'token_unknown') and i.resolved_at is null
     returning coalesce(i.part_of, i.id) as whole
   ), entries as (
     insert into incident_entries (incident_id, what, who, text, created_at) select whole, 'closed', $5, $6, $4 from resolved
   )
   select 1 as decided from decided`,
)

interface Decision {
  assetId: string
  decision: 'release' | 'refuse'
  who?: string
  reason?: string
  agree?: AgreementCheck
}

/**
 * Releases a token that is on hold, or was refused: its held deposits are credited as their logs say, without a
 * comparison. Refuses it for good: they are dropped, and further transfers of it are ignored. `decideHeld` carries both
 * out, once it is agreed. Throws Refusal('operation_failed') when the token is not on hold.
 */
export async function decideTokenHold(
  deps: Pick<Deps, 'pool' | 'clock' | 'config'>,
  { assetId, decision, who = '', reason = '', agree }: Decision,
): Promise<{ waits: boolean }> {
  const hold = decision === 'release' ? null : 'refused'
  const comparedTo = decision === 'release' ? deps.config.compareDeposits : 0
  return tx(deps.pool, async c => {
    const before = (await lockHold(c, assetId))?.hold
    if (before !== 'held' && !(before === 'refused' && decision === 'release'))
      throw new Refusal('operation_failed', { field: 'asset' })
    if ((await agree?.(c)) === 'waits') return { waits: true }
    await setHold(c, assetId, hold, comparedTo, deps.clock(), who, reason)
    return { waits: false }
  })
}
