import type { Deps } from '../../../deps.ts'
import { count, type Queryable, run } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { hashSecret } from '../../../kit/secrets.ts'
import type { Merchant } from '../../merchants/store.ts'
import type { ConsumeCredential } from '../codes/check-code.ts'

export const deleteRecoveryCodes = run('recovery-codes-drop', 'delete from recovery_codes where person_id = $1')
const consume = run(
  'recovery-code-use',
  'update recovery_codes set used_at = $3 where person_id = $1 and code_hash = $2 and used_at is null returning 1',
)
const isUnused = run(
  'recovery-code-unused',
  'select 1 from recovery_codes where person_id = $1 and code_hash = $2 and used_at is null',
)
/** Counts the recovery codes that a person has left. */
export const countRecoveryCodes = count(
  'recovery-codes-left',
  'select count(*)::int as n from recovery_codes where person_id = $1 and used_at is null',
)

/** Returns the stored form of a code as typed: case, hyphens and look-alike letters do not matter. */
export const hashRecoveryCode = (personId: string, typed: string): Buffer => {
  const code = typed
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
  return hashSecret(`recovery ${personId} ${code}`)
}

/** Checks a recovery code; the returned function uses it up. Throws Refusal('recovery_code_error') for `field`. */
export async function checkRecoveryCode(
  deps: Deps,
  { person_id: id }: Pick<Merchant, 'person_id'>,
  typed: string,
  field: string,
): Promise<ConsumeCredential> {
  const hash = hashRecoveryCode(id, typed)
  const wrong = () => new Refusal('recovery_code_error', { field })
  if (!(await isUnused(deps.pool, id, hash))) throw wrong()
  return async (c: Queryable) => {
    if (!(await consume(c, id, hash, deps.clock()))) throw wrong()
  }
}
