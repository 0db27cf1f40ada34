import { randomInt } from 'node:crypto'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { type Queryable, run, tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { requireActiveMerchant } from '../../merchants/active-merchant.ts'
import { lockAccount } from '../../merchants/store.ts'
import { checkProof, type Proof } from '../proofs/check-proof.ts'
import { deleteRecoveryCodes, hashRecoveryCode } from '../proofs/recovery-code-check.ts'

/** Letters and digits that cannot be mistaken for each other. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 random bits, so that a plain hash is enough. */
const length = 16

const insert = run(
  'recovery-codes-insert',
  'insert into recovery_codes (person_id, code_hash) select $1, unnest($2::bytea[])',
)
const newCode = () => {
  const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)])
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/** Stores ten new recovery codes in place of all others, and returns them. */
export async function replaceRecoveryCodes(c: Queryable, personId: string): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, newCode)
  await deleteRecoveryCodes(c, personId)
  await insert(
    c,
    personId,
    codes.map(code => hashRecoveryCode(personId, code)),
  )
  return codes
}

/** Makes ten recovery codes in place of all others, with a proof. They are shown once. Needs a bound authenticator. */
export async function renewRecoveryCodes(
  deps: Deps,
  { session, proof, from }: { session: Session; proof?: Proof | undefined; from: Visitor },
): Promise<{ codes: string[] }> {
  const { personId, merchantId } = session
  const confirmed = await checkProof(deps, { by: session, proof, action: 'recovery-codes' })
  return tx(deps.pool, async (c, uow) => {
    const locked = requireActiveMerchant(await lockAccount(c, merchantId, personId))
    if (locked.authenticator_secret === null) throw new Refusal('not_bound')
    await confirmed(c)
    recordEvent(deps, uow, { merchantId, personId, type: 'recovery_codes_renewed', from })
    return { codes: await replaceRecoveryCodes(c, personId) }
  })
}
