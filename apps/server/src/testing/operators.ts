import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import { generateSecret, generateSync } from 'otplib'
import type { Deps } from '../deps.ts'
import { addOperator } from '../domains/operators/invitations.ts'
import { openOperatorSession } from '../domains/operators/sessions.ts'
import { authenticatorSealPlace } from '../domains/people/store.ts'
import { recordOperatorAuditEntry } from '../kit/audit.ts'
import { tx } from '../kit/db.ts'
import { password, visitor } from './merchants.ts'

/** Creates an operator who can sign in, with an open session; `fresh` may make calls that need a fresh code. */
export async function testOperator(
  deps: Deps,
  role: OperatorRole,
  { fresh = true, email = `${role}-${crypto.randomUUID()}@example.com` } = {},
) {
  const { id } = await addOperator(deps, { email, role })
  const secret = generateSecret()
  const credentials = [await deps.passwords.hash(password, id), deps.seal.seal(secret, authenticatorSealPlace(id))]
  await tx(deps.pool, async c => {
    await recordOperatorAuditEntry(c, { type: 'operator_changed', subject: id, now: deps.clock() })
    await c.query('update members set invitation_hash = null, invitation_until = null where person_id = $1', [id])
    await c.query('update persons set password_hash = $2, authenticator_secret = $3 where id = $1', [
      id,
      ...credentials,
    ])
  })
  const session = await openOperatorSession(deps, deps.pool, id, visitor, { freshFor: fresh ? 36_000 : 0 })
  return { id, email, token: session, code: () => generateSync({ secret, epoch: deps.clock() }) }
}

/** The e-mails of operators who acted. */
export const emailsOf = (names: readonly { email: string }[]) => names.map(each => each.email)

/** A user of the command line, who has no account. */
export const atShell = (email: string) => ({ operatorId: '', email })
