import { first, type Queryable, run } from '../../kit/db.ts'

/** An account at a sign-in provider. The subject is the provider's stable identifier; the email address can change. */
export interface Identity {
  provider: string
  subject: string
}

const merchantOf = first('identity-merchant', 'select merchant_id from identities where provider = $1 and subject = $2')

/** Returns the merchant that signs in with this identity. */
export const merchantIdOf = async (c: Queryable, { provider, subject }: Identity): Promise<string | undefined> =>
  (await merchantOf(c, provider, subject))?.merchant_id

const link = run(
  'identity-link',
  `insert into identities (provider, subject, merchant_id, created_at) values ($1, $2, $3, $4)
   on conflict do nothing returning 1`,
)

/** Links an identity to a merchant; returns false when either already has a link for the provider. */
export const linkIdentity = async (
  c: Queryable,
  merchantId: string,
  { provider, subject }: Identity,
  now: number,
): Promise<boolean> => (await link(c, provider, subject, merchantId, now)) === 1

/** Unlinks every identity of a merchant. */
export const unlinkIdentities = run('identities-unlink', 'delete from identities where merchant_id = $1')
