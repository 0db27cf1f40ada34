import { all, count, run } from '../../kit/db.ts'
import { isPresentSql } from '../../kit/member.ts'
import type { SealPlace } from '../../kit/seal.ts'

/** Where a person's authenticator is sealed. */
export const authenticatorSealPlace = (personId: string): SealPlace => ({
  column: 'persons.authenticator_secret',
  row: personId,
})

/** Returns 1 when a person of a shop has an email. */
export const isEmailOfPerson = run(
  'person-email-taken',
  `select 1 from persons where realm = 'shop' and email = $1 and deleted_at is null`,
)

/** Locks everybody who works for a shop, so that no other shop of theirs is left at the same moment. */
export const lockPeopleOfShop = run(
  'persons-lock-of-shop',
  `select 1 from persons where id in (select person_id from members where merchant_id = $1 and removed_at is null)
   order by id for no key update`,
)

/** Counts the owners of a shop. */
export const countOwnersOfShop = count(
  'shop-owners',
  `select count(*) as n from members e where e.merchant_id = $1 and e.role = 'owner' and ${isPresentSql}`,
)

/** Ends what everybody was in a shop that closes, and lists who is in no other one. The caller has locked them. */
export const removeMembersOfShop = all(
  'members-remove-of-shop',
  `with gone as (update members set removed_at = $2 where merchant_id = $1 and removed_at is null returning person_id)
   select person_id from gone where not exists (
     select from members e where e.person_id = gone.person_id and e.merchant_id <> $1 and e.removed_at is null)
   order by person_id`,
)

/** Consumes a time step of a person's authenticator; returns 0 when this or a later one was used before. */
export const consumeAuthenticatorStep = run(
  'person-step',
  `update persons set authenticator_step = $2 where id = $1 and authenticator_step < $2 and deleted_at is null returning 1`,
)
