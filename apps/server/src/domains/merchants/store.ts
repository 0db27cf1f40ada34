import { type MerchantState, merchantStatus } from '@coffer/contract/codes.ts'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import { insertShopOwner } from '../people/store.ts'

/**
 * A merchant. Times are Unix seconds.
 * - `phone_verified`: the merchant has confirmed a code sent to the phone; codes are only sent to verified phones
 * - `language`: tag of the language of the last sign-in, used for mails
 * - `authenticator_secret`: encrypted; null without an authenticator
 * - `authenticator_step`: the last time step whose code was used
 * - `factor_changed_at`: start of the period during which withdrawals are held
 * - `frozen_reason`: what a frozen merchant may read; empty: nothing
 * - `held_at`: when the merchant reported a foreign sign-in, which holds withdrawals until the operator lifts it; 0 for
 *   never
 */
export type Merchant = Statements['merchant-by-id']['row']

const columns = `id, mchid, email, name, status, audit_reason, frozen, password_hash, phone, area_code,
  phone_verified, time_zone, language, address, socials, website, authenticator_secret,
  authenticator_step, factor_changed_at, created_at, deleted_at, fee_bps, withdraw_fee_bps,
  risk_level, frozen_reason, withdraw_single_max, withdraw_day_max, withdraw_approval_above, held_at,
  security_switch`

const open = `select ${columns} from merchants where deleted_at is null`

export const merchantById = first('merchant-by-id', `${open} and id = $1`)

/** Locks the merchant against other commands until the transaction ends. */
export const lockMerchant = first('merchant-lock', `${open} and id = $1 for no key update`)

/**
 * Locks the merchant exclusively, to close or freeze the account: conflicts with every other lock mode. The holder must
 * not lock payments.
 */
export const lockMerchantExclusively = first('merchant-lock-alone', `${open} and id = $1 for update`)

/**
 * Locks the merchant against closing and freezing. The lock is shared, so that payments of one merchant do not block
 * each other.
 */
export const lockMerchantAgainstClosing = first('merchant-keep-open', `${open} and id = $1 for key share`)

/** Reads the time zone of a merchant, also of the scope of an export. */
export const readMerchantTimeZone = async (c: Queryable, { merchantId }: { merchantId: string }): Promise<string> =>
  (await merchantById(c, merchantId))?.time_zone ?? 'UTC'

export const merchantByEmail = first('merchant-by-email', `${open} and email = $1`)
export const merchantByMchid = first('merchant-by-mchid', `${open} and mchid = $1`)

/** Counts merchants with an mchid, closed ones included. */
export const countMerchantsByMchid = run('mchid-taken', 'select 1 from merchants where mchid = $1')

const list = all(
  'merchants-list',
  `${open} and ($1::int[] is null or status = any($1)) order by created_at desc, id desc limit 200`,
)

/** Lists the 200 newest merchants, optionally only those in the given states. */
export const listMerchants = (c: Queryable, states?: MerchantState[]) => {
  const statuses = states?.map(state => merchantStatus[state])
  return list(c, statuses)
}

/** Merchants, newest first. A text is the number, or part of the e-mail or the name. */
export const { page: findMerchants } = defineList({
  name: 'merchants-search',
  table: 'merchants',
  row: 'm',
  everyone: true,
  columns,
  where: 'm.deleted_at is null',
  counted: {
    counts: 'merchants',
    ofGroup: 'r.status = g.a::int and r.deleted_at is null',
    ofAll: 'r.deleted_at is null',
  },
  filters: {
    status: { counted: 'a', column: 'm.status' },
    text: {
      stored: text => text.trim().replace(/[\\%_]/g, '\\$&'),
      column: text =>
        `(m.mchid = upper(${text}::text) or m.email ilike '%' || ${text} || '%' or m.name ilike '%' || ${text} || '%')`,
    },
  },
})

const insert = run(
  'merchant-insert',
  `insert into merchants (id, mchid, email, name, password_hash, time_zone, language, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1`,
)

/** Inserts a merchant with its owner; returns false when the email or the mchid is taken. */
export async function insertMerchant(
  c: Queryable,
  merchant: Pick<Merchant, 'id' | 'mchid' | 'email' | 'name' | 'password_hash' | 'language' | 'created_at'> & {
    time_zone?: string
  },
): Promise<boolean> {
  const { id, mchid, email, name, password_hash, time_zone = 'UTC', language, created_at } = merchant
  if (!(await insert(c, id, mchid, email, name, password_hash, time_zone, language, created_at))) return false
  await insertShopOwner(c, id, created_at)
  return true
}

type MerchantChanges = Partial<Omit<Merchant, 'id' | 'mchid' | 'created_at'>>

/** Updates columns of a merchant. Their names come from the type, never from input. */
export async function changeMerchant(c: Queryable, id: string, changes: MerchantChanges): Promise<void> {
  const names = Object.keys(changes).sort() as (keyof MerchantChanges)[]
  if (names.length === 0) return
  // Not a named statement: its text depends on the columns.
  const set = names.map((name, index) => `${name} = $${index + 2}`).join(', ')
  await c.query(`update merchants set ${set} where id = $1`, [id, ...names.map(name => changes[name])])
}

const useStep = run(
  'merchant-step',
  'update merchants set authenticator_step = $2 where id = $1 and authenticator_step < $2 returning 1',
)

/** Marks an authenticator time step as used; returns false when this or a later step was already used. */
export const consumeAuthenticatorStep = async (c: Queryable, id: string, step: number): Promise<boolean> =>
  (await useStep(c, id, step)) === 1
