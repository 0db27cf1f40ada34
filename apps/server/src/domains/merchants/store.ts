import { type MerchantState, merchantStatus } from '@coffer/contract/codes.ts'
import { one, type Queryable, q } from '../../kit/db.ts'

export interface Merchant {
  id: string
  mchid: string
  email: string
  name: string
  status: number
  audit_reason: string
  frozen: boolean
  password_hash: string | null
  phone: string
  area_code: string
  /** Whether the phone answered with a code: only then it may confirm anything. */
  phone_verified: boolean
  time_zone: string
  /** The tag of the language of the last sign-in: mails are written in it. */
  language: string
  address: { street?: string; city?: string; country?: string }
  socials: { telegram?: string; twitter?: string; facebook?: string }
  website: string
  /** Sealed; null while no authenticator is bound. */
  authenticator_secret: string | null
  /** Sealed; given to the merchant and not yet confirmed. */
  authenticator_pending: string | null
  /** The last time step whose code was used. */
  authenticator_step: number
  /** Unix seconds; withdrawals are held for a while after it. */
  factor_changed_at: number
  created_at: number
  deleted_at: number | null
}

const columns = `id, mchid, email, name, status, audit_reason, frozen, password_hash, phone, area_code,
  phone_verified, time_zone, language, address, socials, website, authenticator_secret, authenticator_pending,
  authenticator_step, factor_changed_at, created_at, deleted_at`

export const merchantById = (c: Queryable, id: string) =>
  one<Merchant>(c, 'merchant-by-id', `select ${columns} from merchants where id = $1 and deleted_at is null`, [id])

/** The same, locked until the end of the transaction. */
export const lockMerchant = (c: Queryable, id: string) =>
  one<Merchant>(
    c,
    'merchant-lock',
    `select ${columns} from merchants where id = $1 and deleted_at is null for no key update`,
    [id],
  )

export const merchantByEmail = (c: Queryable, email: string) =>
  one<Merchant>(c, 'merchant-by-email', `select ${columns} from merchants where email = $1 and deleted_at is null`, [
    email,
  ])

export const merchantByMchid = (c: Queryable, mchid: string) =>
  one<Merchant>(c, 'merchant-by-mchid', `select ${columns} from merchants where mchid = $1 and deleted_at is null`, [
    mchid,
  ])

/** Whether an mchid was ever given to somebody, closed accounts included. */
export const mchidIsTaken = async (c: Queryable, mchid: string): Promise<boolean> =>
  (await one(c, 'mchid-taken', 'select 1 from merchants where mchid = $1', [mchid])) !== undefined

/** The newest merchants, or only those in one of the states, at most 200. */
export const listMerchants = (c: Queryable, states: MerchantState[] | null = null) =>
  q<Merchant>(
    c,
    'merchants-list',
    `select ${columns} from merchants where ($1::int[] is null or status = any($1)) and deleted_at is null
     order by created_at desc, id desc limit 200`,
    [states?.map(state => merchantStatus[state])],
  )

type NewMerchant = Pick<Merchant, 'id' | 'mchid' | 'email' | 'name' | 'password_hash' | 'language' | 'created_at'>

/** Gives false when the email address or the mchid is taken. */
export async function insertMerchant(c: Queryable, merchant: NewMerchant): Promise<boolean> {
  const rows = await q(
    c,
    'merchant-insert',
    `insert into merchants (id, mchid, email, name, password_hash, language, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1`,
    [
      merchant.id,
      merchant.mchid,
      merchant.email,
      merchant.name,
      merchant.password_hash,
      merchant.language,
      merchant.created_at,
    ],
  )
  return rows.length === 1
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

/** Takes a time step of the authenticator, so that its code counts once. Gives false when it or a later one was used. */
export async function takeAuthenticatorStep(c: Queryable, id: string, step: number): Promise<boolean> {
  const rows = await q(
    c,
    'merchant-step',
    'update merchants set authenticator_step = $2 where id = $1 and authenticator_step < $2 returning 1',
    [id, step],
  )
  return rows.length === 1
}
