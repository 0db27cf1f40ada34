import type { PostingGroup } from '@coffer/core'
import { all, first, type Queryable, type Statements } from '../../kit/db.ts'
import { idsInOrder } from '../../kit/ids.ts'
import { hints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Part } from '../../kit/unit-of-work.ts'

/** What the fund flow shows beside a movement. */
export interface Memo {
  trade_no?: string
  txid?: string
  from_address?: string
  to_address?: string
  /** The other merchant of a transfer, or a word of the operator. */
  note?: string
}

/** Postings that happen together, and what is written beside them. */
export interface Entry {
  group: PostingGroup
  memo?: Memo
}

/** `fresh` is false for a source that had been posted before, with the same body: nothing was written for it. */
export type Posted = Statements['ledger-post']['row']

const postAll = all('ledger-post', 'select source, group_id, fresh from ledger_post($1::jsonb, $2::jsonb)')

/**
 * Writes groups into the ledger, in their order, and changes the balances they touch; gives a row for each.
 * Throws Refusal('insufficient_balance') when a merchant's balance would fall below zero. A source posted before with
 * another body is a fault of ours and throws the database's error.
 */
export async function post(c: Queryable, entries: readonly Entry[], now: number): Promise<Posted[]> {
  if (entries.length === 0) return []
  const nextId = idsInOrder()
  const groups = []
  const postings = []
  for (const { group, memo = {} } of entries) {
    const id = nextId()
    groups.push({ id, source: group.source, reverses: group.reverses, memo, created_at: now })
    for (const [place, { kind, debit, credit, amount }] of group.postings.entries()) {
      postings.push({
        id: nextId(),
        group_id: id,
        place,
        kind,
        asset_id: debit.assetId,
        debit_merchant: debit.merchantId,
        debit_part: debit.part,
        credit_merchant: credit.merchantId,
        credit_part: credit.part,
        amount: String(amount),
      })
    }
  }
  try {
    return await postAll(c, JSON.stringify(groups), JSON.stringify(postings))
  } catch (error) {
    const { constraint = '' } = error as { constraint?: string }
    if (constraint.endsWith('_not_negative')) throw new Refusal('insufficient_balance')
    throw error
  }
}

/** Entries that a verb posts, at this time in unix seconds: each for the first time, or the transaction fails. */
export const postings: Part<Entry & { at: number }> = {
  name: 'postings',
  async write(c, entries, uow) {
    const posted = await post(c, entries, entries[0]!.at)
    const again = posted.find(each => !each.fresh)
    if (again) throw new Error(`${again.source} is in the ledger already`)
    const owners = entries.flatMap(({ group }) => group.postings.flatMap(each => [each.debit, each.credit]))
    const merchants = new Set(owners.flatMap(({ merchantId }) => merchantId ?? []))
    uow.add(
      hints,
      [...merchants].map(merchant_id => ({ merchant_id, type: 'balance', id: '' })),
    )
  },
}

/** A merchant's balances in base units, by asset. */
export interface Balance {
  asset_id: string
  available: bigint
  held: bigint
}

const readAccounts = all(
  'ledger-balances',
  `select asset_id, coalesce(max(balance) filter (where part = 'available'), 0) as available,
     coalesce(max(balance) filter (where part = 'held'), 0) as held
   from ledger_accounts where merchant_id = $1 group by asset_id order by asset_id`,
)

/** Every asset the merchant ever had something of. */
export async function balancesOf(c: Queryable, merchantId: string): Promise<Balance[]> {
  const rows = await readAccounts(c, merchantId)
  return rows.map(row => ({ asset_id: row.asset_id, available: BigInt(row.available), held: BigInt(row.held) }))
}

const readPostings = first(
  'ledger-group',
  `select json_agg(json_build_object('kind', p.kind, 'amount', p.amount::text, 'debit', p.debit_account,
     'credit', p.credit_account) order by p.place) as postings
   from ledger_groups g join ledger_postings p on p.group_id = g.id where g.source = $1 group by g.id`,
)

/** A group as it was posted, to reverse it; undefined when there is none of that source. */
export async function readGroup(c: Queryable, source: string): Promise<PostingGroup | undefined> {
  const row = await readPostings(c, source)
  return row && { source, postings: row.postings.map(toPosting) }
}

/** A posting as the database gives it. */
export interface StoredPosting {
  kind: string
  amount: string
  debit: string
  credit: string
}

function toPosting({ kind, amount, debit, credit }: StoredPosting): PostingGroup['postings'][number] {
  return { kind, debit: toAccount(debit), credit: toAccount(credit), amount: BigInt(amount) } as never
}

function toAccount(id: string) {
  const [owner, part, assetId] = id.split('/')
  return { merchantId: owner === 'house' ? null : owner, part, assetId }
}
