import { type MerchantLogEntryType, merchantRecordFields } from '@coffer/contract/merchants/entries.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Deps } from '../../deps.ts'
import { all, type Queryable, run, toJson, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { lockMerchant } from '../merchants/store.ts'
import { requestDocuments } from '../work-orders/change-order.ts'

const insert = run(
  'merchant-entry-insert',
  'insert into merchant_entries (merchant_id, what, who, text, details, created_at) values ($1, $2, $3, $4, $5, $6)',
)
/** Entries that are shown, newest first. */
const shown = 100
const newest = all(
  'merchant-entries',
  `select what, who, text, details, created_at from merchant_entries where merchant_id = $1 order by id desc limit ${shown}`,
)

interface Entry {
  merchantId: string
  what: MerchantLogEntryType
  /** The operator's e-mail; empty: the merchant, or nobody who was signed in. */
  who?: string | undefined
  /** The reason, the note, or the question. */
  text?: string | undefined
  /** What a merchant applies with, the risk levels, or the number of a work order. */
  details?: Record<string, string>
}

/** Records for operators what happened between them and a merchant. The merchant does not read it. */
export const addMerchantFileEntry = (
  c: Queryable,
  { clock }: Pick<Deps, 'clock'>,
  { merchantId, what, who = '', text = '', details = {} }: Entry,
): Promise<unknown> => insert(c, merchantId, what, who, text, toJson(details), clock())

/** Adds a note for other operators. */
export const addMerchantNote = (deps: Deps, note: { merchantId: string; who: string; text: string }): Promise<void> =>
  tx(deps.pool, async c => {
    if (!(await lockMerchant(c, note.merchantId))) throw new Refusal('merchant_not_exist')
    await addMerchantFileEntry(c, deps, { ...note, what: 'noted' })
  })

/** Asks a merchant for documents in a work order, which its mail and notification open; returns its number. */
export async function askForDocuments(
  deps: Deps,
  { merchantId, who, text }: { merchantId: string; who: string; text: string },
): Promise<string> {
  return tx(deps.pool, async (c, uow) => {
    const merchant = await lockMerchant(c, merchantId)
    if (!merchant) throw new Refusal('merchant_not_exist')
    const order = await requestDocuments(deps, uow, { merchant, operator: who, text })
    const details = { work_order: order.number }
    await addMerchantFileEntry(c, deps, { merchantId, what: 'documents_requested', who, text, details })
    return order.number
  })
}

/**
 * Reads what happened between operators and a merchant, newest first, with what each application or risk level changed.
 */
export async function readMerchantFile(
  c: Queryable,
  merchantId: string,
): Promise<OperatorData<'GET /api/operator/v1/merchants/:id'>['entries']> {
  const rows = await newest(c, merchantId)
  return rows.map(({ what, who, text, details, created_at }, index) => {
    const before = what === 'applied' ? rows.slice(index + 1).find(row => row.what === 'applied')?.details : undefined
    const changes = merchantRecordFields.map(fact => ({
      fact,
      from: (fact === 'risk_level' ? details.risk_level_before : before?.[fact]) ?? '',
      to: details[fact] ?? '',
    }))
    return {
      what,
      who,
      text,
      created_time: created_at,
      work_order: details.work_order ?? '',
      changes: changes.filter(({ from, to }) => from !== to),
    }
  })
}
