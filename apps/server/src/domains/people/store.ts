import { run } from '../../kit/db.ts'
import type { SealPlace } from '../../kit/seal.ts'

/** Where a person's authenticator is sealed. */
export const authenticatorSealPlace = (personId: string): SealPlace => ({
  column: 'persons.authenticator_secret',
  row: personId,
})

/** Ends what everybody was in a shop that closes, and with it persons who are in no other one. */
export const removeMembersOfShop = run(
  'members-remove-of-shop',
  `with gone as (update members set removed_at = $2 where merchant_id = $1 and removed_at is null returning person_id)
   update persons p set deleted_at = $2 from gone where p.id = gone.person_id and not exists (
     select from members e where e.person_id = p.id and e.merchant_id <> $1 and e.removed_at is null)`,
)

/** Consumes a time step of a person's authenticator; returns 0 when this or a later one was used before. */
export const consumeAuthenticatorStep = run(
  'person-step',
  `update persons set authenticator_step = $2 where id = $1 and authenticator_step < $2 and deleted_at is null returning 1`,
)
