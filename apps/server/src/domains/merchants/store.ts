import { type MerchantState, merchantStatus } from '@coffer/contract/codes.ts'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'

/**
 * A merchant. `phone_verified`: the phone answered with a code; only then it may confirm anything. `language`: its tag, of the
 * last sign-in; mails are written in it. `authenticator_secret` is sealed, null while none is bound; `authenticator_pending` is
 * sealed too, given to the merchant and not yet confirmed; `authenticator_step` is the last time step whose code was used.
 * For a while after `factor_changed_at` withdrawals are held. Times are unix seconds.
 */
export type Merchant = Statements['merchant-by-id']['row']

const columns = `id, mchid, email, name, status, audit_reason, frozen, password_hash, phone, area_code,
  phone_verified, time_zone, language, address, socials, website, authenticator_secret, authenticator_pending,
  authenticator_step, factor_changed_at, created_at, deleted_at`

const open = `select ${columns} from merchants where deleted_at is null`

export const merchantById = first('merchant-by-id', `${open} and id = $1`)

/** The same, locked until the end of the transaction. */
export const lockMerchant = first('merchant-lock', `${open} and id = $1 for no key update`)

export const merchantByEmail = first('merchant-by-email', `${open} and email = $1`)

export const merchantByMchid = first('merchant-by-mchid', `${open} and mchid = $1`)

const withMchid = run('mchid-taken', 'select 1 from merchants where mchid = $1')

/** Whether an mchid was ever given to somebody, closed accounts included. */
export const mchidIsTaken = async (c: Queryable, mchid: string): Promise<boolean> => (await withMchid(c, mchid)) > 0

const list = all(
  'merchants-list',
  `${open} and ($1::int[] is null or status = any($1)) order by created_at desc, id desc limit 200`,
)

/** The newest merchants, or only those in one of the states, at most 200. */
export const listMerchants = (c: Queryable, states?: MerchantState[]) =>
  list(
    c,
    states?.map(state => merchantStatus[state]),
  )

type NewMerchant = Pick<Merchant, 'id' | 'mchid' | 'email' | 'name' | 'password_hash' | 'language' | 'created_at'>

const insert = run(
  'merchant-insert',
  `insert into merchants (id, mchid, email, name, password_hash, language, created_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1`,
)

/** Gives false when the email address or the mchid is taken. */
export async function insertMerchant(c: Queryable, merchant: NewMerchant): Promise<boolean> {
  const { id, mchid, email, name, password_hash, language, created_at } = merchant
  return (await insert(c, id, mchid, email, name, password_hash, language, created_at)) === 1
}

export type MerchantChanges = Partial<Omit<Merchant, 'id' | 'mchid' | 'created_at'>>

/** Writes the given columns. The names are those of our own type, never input. */
export async function changeMerchant(c: Queryable, id: string, changes: MerchantChanges): Promise<void> {
  const names = Object.keys(changes).sort() as (keyof MerchantChanges)[]
  if (names.length === 0) return
  // Not a named statement: there are as many texts as sets of columns.
  const set = names.map((name, index) => `${name} = $${index + 2}`).join(', ')
  await c.query(`update merchants set ${set} where id = $1`, [id, ...names.map(name => changes[name])])
}

const takeStep = run(
  'merchant-step',
  'update merchants set authenticator_step = $2 where id = $1 and authenticator_step < $2 returning 1',
)

/** Takes a time step of the authenticator, so that its code counts once. Gives false when it or a later one was used. */
export const takeAuthenticatorStep = async (c: Queryable, id: string, step: number): Promise<boolean> =>
  (await takeStep(c, id, step)) === 1
