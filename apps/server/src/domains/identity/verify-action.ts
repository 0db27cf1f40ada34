import type { ProofAction } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import { checkProof, type Proof } from './check-proof.ts'
import { insertTicket } from './tickets.ts'

const ticketSeconds = 300

/** Exchanges a code for a single-use ticket for one action, valid for five minutes. Does not accept a ticket. */
export async function verifyAction(
  deps: Deps,
  input: { merchantId: string; proof: Proof; action: ProofAction },
): Promise<{ ticket: string; expires_in: number }> {
  if (input.proof.method === 'ticket') throw new Refusal('proof_needed')
  const spend = await checkProof(deps, input)
  const ticket = newSecret()
  await tx(deps.pool, async c => {
    await spend(c)
    await insertTicket(c, {
      ticket_hash: hashSecret(ticket),
      merchant_id: input.merchantId,
      action: input.action,
      expires_at: deps.clock() + ticketSeconds,
    })
  })
  return { ticket, expires_in: ticketSeconds }
}
