import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'

/** The application that requests a payout with its key, and its own number for it. */
export interface PayoutReference {
  appid: string
  outNo: string
  /** Identifies the request: the same number with another body is refused. */
  bodyHash: Buffer
  /** Refuses, in the transaction, a key whose scope was taken away meanwhile. */
  recheck?: ScopeRecheck
}

type Find = (
  c: Queryable,
  merchantId: string,
  appid: string,
  outNo: string,
) => Promise<{ id: string; body_hash: Buffer | null } | undefined>

/**
 * Makes a payout once for a number of an application, and returns its id. The number is looked up before and, when
 * `make` fails, again: another request with it may have been faster, and its payout must not be reported as refused.
 * @throws Refusal('reference_conflict') if the number was used for another request
 */
export async function createOncePerNumber(
  { pool }: Deps,
  find: Find,
  merchantId: string,
  { appid, outNo, bodyHash }: PayoutReference,
  make: () => Promise<string>,
): Promise<string> {
  const made = async () => {
    const row = await find(pool, merchantId, appid, outNo)
    if (row && !row.body_hash?.equals(bodyHash)) throw createUsedNumberRefusal()
    return row?.id
  }
  const earlier = await made()
  if (earlier) return earlier
  try {
    return await make()
  } catch (error) {
    const meanwhile = await made()
    if (meanwhile) return meanwhile
    throw error
  }
}

/**
 * Refuses a number that was used before. `createOncePerNumber` returns what was made for it if the request is the same.
 */
export const createUsedNumberRefusal = () => new Refusal('reference_conflict', { field: 'out_no' })
