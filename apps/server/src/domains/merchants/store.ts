import { type MerchantState, merchantStatus } from '@coffer/contract/codes.ts'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import { isPresentSql } from '../../kit/member.ts'

/**
 * A merchant, with the person `person_id`: who opened the shop or, of an account, another member. Times are Unix
 * seconds.
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

const columns = `m.id, m.mchid, p.id as person_id, p.email, m.name, m.status, m.audit_reason, m.frozen, p.password_hash, p.phone, p.area_code,
  p.phone_verified, m.time_zone, p.language, m.address, m.socials, m.website, p.authenticator_secret,
  p.authenticator_step, m.factor_changed_at, m.created_at, m.deleted_at, m.fee_bps, m.withdraw_fee_bps,
  m.risk_level, m.frozen_reason, m.withdraw_single_max, m.withdraw_day_max, m.withdraw_approval_above, m.held_at,
  p.security_switch`

/** The owner whose email is the shop's: at first who opened it. */
const ofOwner = 'join persons p on p.id = coalesce(m.contact_id, m.id)'
const open = `select ${columns} from merchants m ${ofOwner} where m.deleted_at is null`

export const merchantById = first('merchant-by-id', `${open} and m.id = $1`)

/** Locks the merchant and its owner against other commands until the transaction ends. */
export const lockMerchant = first('merchant-lock', `${open} and m.id = $1 for no key update`)

/**
 * Locks the merchant exclusively, to close or freeze the account: conflicts with every other lock mode. The holder must
 * not lock payments.
 */
export const lockMerchantExclusively = first('merchant-lock-alone', `${open} and m.id = $1 for update`)

/**
 * Locks the merchant against closing and freezing. The lock is shared, so that payments of one merchant do not block
 * each other.
 */
export const lockMerchantAgainstClosing = first('merchant-keep-open', `${open} and m.id = $1 for key share of m`)

/** Reads the time zone of a merchant, also of the scope of an export. */
export const readMerchantTimeZone = async (c: Queryable, { merchantId }: { merchantId: string }): Promise<string> =>
  (await merchantById(c, merchantId))?.time_zone ?? 'UTC'

/** A shop and one of its members. */
export type Account = Statements['account-by-id']['row']

const account = `select ${columns}, e.role, p.factor_changed_at as person_changed_at from members e
  join merchants m on m.id = e.merchant_id join persons p on p.id = e.person_id
  where m.deleted_at is null and p.deleted_at is null and ${isPresentSql}`

/** Reads a member ($2) of a shop. */
export const accountById = first('account-by-id', `${account} and e.merchant_id = $1 and e.person_id = $2`)

/** Locks the shop, the person and what the person is in it. */
export const lockAccount = first(
  'account-lock',
  `${account} and e.merchant_id = $1 and e.person_id = $2 for no key update`,
)

/** The same, keeping what the person is in the shop until the transaction ends. */
export const keepAccount = first(
  'account-keep',
  `${account} and e.merchant_id = $1 and e.person_id = $2 for share of e`,
)

/** What of a person's shops a sign-in opens: the one last used that is not frozen, at first the own one. */
const toOpen = 'order by m.frozen, e.used_at desc, m.id <> e.person_id, m.created_at, m.id limit 1'

/** Lists the members of a shop with one of the roles, who opened it first. */
export const accountsOfRoles = all(
  'accounts-of-roles',
  `${account} and e.merchant_id = $1 and e.role = any($2)
   order by e.person_id <> m.id, e.created_at, e.person_id`,
)

/** Finds who signs in, by email or id, and the shop that a sign-in opens. */
export const accountToOpenByEmail = first(
  'account-open-by-email',
  `${account} and p.realm = 'shop' and p.email = $1 ${toOpen}`,
)
const accountToOpen = first('account-open', `${account} and e.person_id = $1 and e.merchant_id <> '' ${toOpen}`)

/** Locks what a sign-in of a person opens. */
export async function lockAccountToOpen(c: Queryable, personId: string): Promise<Account | undefined> {
  const found = await accountToOpen(c, personId)
  return found && lockAccount(c, found.id, personId)
}

/** Lists the shops of a person, with what the person is there. */
export const accountsOfPerson = all(
  'accounts-of-person',
  `${account} and e.person_id = $1 and e.merchant_id <> '' order by m.created_at, m.id`,
)

/** The shop that opened under this email. */
export const merchantByEmail = first(
  'merchant-by-email',
  `${open} and p.email = $1 and p.deleted_at is null order by m.created_at, m.id limit 1`,
)
export const merchantByMchid = first('merchant-by-mchid', `${open} and m.mchid = $1`)

/** Counts merchants with an mchid, closed ones included. */
export const countMerchantsByMchid = run('mchid-taken', 'select 1 from merchants where mchid = $1')

const list = all(
  'merchants-list',
  `${open} and ($1::int[] is null or m.status = any($1)) order by m.created_at desc, m.id desc limit 200`,
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
  joins: ofOwner,
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
        `(m.mchid = upper(${text}::text) or m.name ilike '%' || ${text} || '%' or exists (
          select from persons o where o.id = coalesce(m.contact_id, m.id) and o.email ilike '%' || ${text} || '%'))`,
    },
  },
})

/** The owner of a new shop has its id. */
const insert = run(
  'merchant-insert',
  `with person as (
     insert into persons (id, realm, email, password_hash, language, created_at) values ($1, 'shop', $3, $5, $7, $8)
     on conflict (realm, email) where deleted_at is null do nothing returning id
   ), shop as (
     insert into merchants (id, mchid, name, time_zone, created_at) select id, $2, $4, $6, $8 from person returning id
   )
   insert into members (person_id, merchant_id, role, since, created_at) select id, id, 'owner', $8, $8 from shop`,
)

/** Inserts a merchant with its owner; returns false when the email is taken. */
export async function insertMerchant(
  c: Queryable,
  merchant: Pick<Merchant, 'id' | 'mchid' | 'email' | 'name' | 'password_hash' | 'language' | 'created_at'> & {
    time_zone?: string
  },
): Promise<boolean> {
  const { id, mchid, email, name, password_hash, time_zone = 'UTC', language, created_at } = merchant
  return (await insert(c, id, mchid, email, name, password_hash, time_zone, language, created_at)) === 1
}

/** What identifies or addresses who signs in. */
type OfPerson =
  | 'email'
  | 'password_hash'
  | 'phone'
  | 'area_code'
  | 'phone_verified'
  | 'language'
  | 'authenticator_secret'
  | 'authenticator_step'
  | 'security_switch'
type OfMerchant = Exclude<keyof Merchant, OfPerson | 'id' | 'person_id' | 'mchid' | 'created_at' | 'factor_changed_at'>

/** Updates columns of a shop. Their names come from the type, never from input. */
export const changeMerchant = (c: Queryable, id: string, changes: Partial<Pick<Merchant, OfMerchant>>): Promise<void> =>
  change(c, 'merchants', id, changes)

/** Updates columns of a person. Their names come from the type, never from input. */
export const changePerson = (c: Queryable, id: string, changes: Partial<Pick<Merchant, OfPerson>>): Promise<void> =>
  change(c, 'persons', id, changes)

async function change(c: Queryable, table: 'merchants' | 'persons', id: string, changes: object): Promise<void> {
  const named = Object.entries(changes).sort(([one], [other]) => (one < other ? -1 : 1))
  // Not a named statement: its text depends on the columns.
  const set = named.map(([name], index) => `${name} = $${index + 2}`).join(', ')
  await c.query(`update ${table} set ${set} where id = $1`, [id, ...named.map(([, value]) => value)])
}

/**
 * Holds money because what a person ($1) signs in with has changed: all of the shops that the person owns, and
 * elsewhere what the person asks for.
 */
export const holdAfterFactorChange = run(
  'factor-changed',
  `with person as (update persons set factor_changed_at = $2 where id = $1)
   update merchants m set factor_changed_at = $2 from members e
   where e.person_id = $1 and e.role = 'owner' and ${isPresentSql} and m.id = e.merchant_id and m.deleted_at is null`,
)
