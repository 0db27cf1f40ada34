import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type pg from 'pg'
import type { Deps } from '../deps.ts'
import { startSession } from '../domains/people/sessions.ts'
import type { Session } from '../http/context.ts'
import { hashSecret } from '../kit/secrets.ts'
import { testMerchant, visitor } from './merchants.ts'

/** A person who works for a shop. */
export interface TestMember {
  personId: string
  email: string
  /** Signs in again, for this shop. */
  signIn: () => Promise<{ token: string; session: Session }>
}

/**
 * Makes a person, who has a shop of their own, a member of another one. The owner of the tables is exempt from the
 * audit entry that this takes.
 */
export async function testMember(
  deps: Deps,
  owner: pg.Pool,
  { merchantId, role }: { merchantId: string; role: MerchantRole },
): Promise<TestMember> {
  const { id: personId, email } = await testMerchant(deps, { password_hash: null })
  await setTestRole(owner, { personId, merchantId, role, now: deps.clock() })
  const signIn = async () => {
    const { token, id } = await startSession(deps, deps.pool, { personId, merchantId, from: visitor })
    return { token, session: { id, personId, merchantId, role, tokenHash: hashSecret(token), name: '' } }
  }
  return { personId, email, signIn }
}

/** Who opened a shop, as its owner. */
export const ownerOf = (merchantId: string) => ({ merchantId, personId: merchantId, role: 'owner' as const })

/** Gives a person a role in a shop. */
export const setTestRole = (
  owner: pg.Pool,
  given: { personId: string; merchantId: string; role: string; now: number },
): Promise<unknown> =>
  owner.query(
    `insert into members (person_id, merchant_id, role, since, created_at) values ($1, $2, $3, $4, $4)
     on conflict (person_id, merchant_id) do update set role = $3`,
    [given.personId, given.merchantId, given.role, given.now],
  )
