import type { PasskeyAssertion } from '@coffer/contract/kit/schemas.ts'
import type { Deps } from '../../deps.ts'
import { all, first, type Queryable, run } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { OutgoingOwners, OwnerKind, Payout } from '../../owner.ts'
import { SignerRefused, SignerUnavailable } from '../../signer/client.ts'
import { computeReleaseChallenge } from '../../signer/passkey.ts'
import type { PayoutRelease, SignerRefusal } from '../../signer/protocol.ts'

/** Refusals that end once a person releases the payout with a passkey of the signer's policy. */
export const releasableRefusals: SignerRefusal[] = ['passkey_required', 'passkey_invalid', 'passkey_used']
const reasons = releasableRefusals.map(refusal => `signer: ${refusal}`)
/** Payouts of a chain among which those that wait for a release are looked for. */
const dueMax = 500

const readMany = all(
  'payout-releases',
  `select p.owner, p.merchant_id, p.owner_id, p.release
   from json_to_recordset($1::json) as r (owner text, merchant_id text, owner_id text)
   join payout_releases p on p.owner = r.owner and p.merchant_id = r.merchant_id and p.owner_id = r.owner_id`,
)
const readNumber = first(
  'payout-release-number',
  'select number from payout_releases where owner = $1 and merchant_id = $2 and owner_id = $3',
)
const put = run(
  'payout-release-put',
  `insert into payout_releases as p (owner, merchant_id, owner_id, number, release, released_by, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (owner, merchant_id, owner_id) do update
   set number = excluded.number, release = excluded.release, released_by = excluded.released_by, created_at = excluded.created_at
   where p.number < excluded.number`,
)

/** A payout that waits for a release. */
export type HeldPayout = Payout & { chain: string }

/** Adds to each payout its newest release, if it has one. */
export async function attachReleases(c: Queryable, payouts: readonly Payout[]): Promise<Payout[]> {
  const keys = payouts.map(({ owner, merchant_id, id }) => ({ owner, merchant_id, owner_id: id }))
  const found = await readMany(c, JSON.stringify(keys))
  const textOf = (owner: string, merchantId: string, id: string) => `${owner} ${merchantId} ${id}`
  const releases = new Map(found.map(row => [textOf(row.owner, row.merchant_id, row.owner_id), row.release]))
  return payouts.map(payout => {
    const release = releases.get(textOf(payout.owner, payout.merchant_id, payout.id))
    return release ? { ...payout, release } : payout
  })
}

/** Lists payouts that wait for a release, oldest first. */
export async function listHeldPayouts(
  deps: Pick<Deps, 'pool' | 'chains'>,
  owners: OutgoingOwners,
): Promise<HeldPayout[]> {
  const found = await Promise.all(
    [...deps.chains.keys()].flatMap(chain =>
      Object.values(owners).map(async owner => {
        const due = await owner.due(deps.pool, chain, dueMax)
        return due.filter(each => reasons.includes(each.waits)).map(each => ({ ...each, chain }))
      }),
    ),
  )
  return found.flat().sort((a, b) => a.since - b.since)
}

const findHeld = async (deps: Deps, owners: OutgoingOwners, { owner, id }: { owner: OwnerKind; id: string }) =>
  (await listHeldPayouts(deps, owners)).find(each => each.owner === owner && each.id === id)

/** Returns the number of a payout's next release. None is used again. */
const nextNumber = async (c: Queryable, { owner, merchant_id, id }: Payout) =>
  ((await readNumber(c, owner, merchant_id, id))?.number ?? 0) + 1

const nameOf = ({ owner, id }: Payout, number: number) => `${owner} ${id} ${number}`

const challenge = ({ chain, token, to, amount }: HeldPayout, name: string) =>
  computeReleaseChallenge({ id: name, chain, token, to, amount: String(amount) })

/**
 * Returns what a person signs to release a payout: its number, chain, asset, amount and receiver, in base64url; and the
 * chain. Null if it does not wait for that.
 */
export async function createReleaseChallenge(deps: Deps, owners: OutgoingOwners, of: { owner: OwnerKind; id: string }) {
  const held = await findHeld(deps, owners, of)
  if (!held) return null
  return { chain: held.chain, challenge: challenge(held, nameOf(held, await nextNumber(deps.pool, held))) }
}

/**
 * Stores what a person signed, with which the payout is sent. Only the signer knows the passkeys, so it checks whether
 * one of them signed; throws Refusal('passkey_error') if not. Of two concurrent releases one is stored.
 */
export async function releasePayout(
  deps: Deps,
  owners: OutgoingOwners,
  { owner, id, passkey, who }: { owner: OwnerKind; id: string; passkey: PasskeyAssertion; who: string },
): Promise<void> {
  const held = await findHeld(deps, owners, { owner, id })
  if (!held) throw new Refusal('withdrawal_cannot_change', { field: 'id' })
  const next = await nextNumber(deps.pool, held)
  // Two people may have requested the same release: once the first one's is stored, the second signed the previous
  // number.
  for (const number of [next, next - 1]) {
    const release: PayoutRelease = { id: nameOf(held, number), ...passkey.response }
    if (!(await isReleased(deps, held, release))) continue
    await put(deps.pool, owner, held.merchant_id, id, number, release, who, deps.clock())
    return
  }
  throw new Refusal('passkey_error', { field: 'passkey' })
}

async function isReleased({ signer }: Deps, { chain, token, to, amount }: HeldPayout, release: PayoutRelease) {
  try {
    return await signer.isReleased({ chain, token, to, amount: String(amount), release })
  } catch (error) {
    if (error instanceof SignerUnavailable) throw new Refusal('busy')
    if (error instanceof SignerRefused) return false
    throw error
  }
}
