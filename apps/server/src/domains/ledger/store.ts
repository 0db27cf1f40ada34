import { paymentStatus } from '@coffer/contract/codes.ts'
import { type PostingGroup, parseBaseUnits } from '@coffer/core'
import { all, first, type Queryable, run, type Statements, toJson } from '../../kit/db.ts'
import { makeOrderedIdGenerator } from '../../kit/ids.ts'
import { liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWorkPart } from '../../kit/unit-of-work.ts'

/** Details that the fund flow shows with a posting. */
export interface PostingMemo {
  trade_no?: string
  txid?: string
  from_address?: string
  to_address?: string
  /** The other merchant of a transfer, or a note of the operator. */
  note?: string
}

/** Postings that are written together, with their memo. */
export interface LedgerEntry {
  group: PostingGroup
  memo?: PostingMemo
}

/** `fresh` is false when the same group was posted before; nothing was written then. */
export type PostedGroup = Statements['ledger-post']['row']

const postAll = all('ledger-post', 'select source, group_id, fresh from ledger_post($1::jsonb, $2::jsonb)')

/**
 * Posts groups in order, updates the balances and returns a row for each group. Throws Refusal('insufficient_balance')
 * when a merchant's balance would become negative, and the database's error when a source was posted before with other
 * postings.
 */
export async function postEntries(c: Queryable, entries: readonly LedgerEntry[], now: number): Promise<PostedGroup[]> {
  if (entries.length === 0) return []
  const nextId = makeOrderedIdGenerator()
  const groups = []
  const postings = []
  for (const { group, memo = {} } of entries) {
    const id = nextId()
    groups.push({ id, source: group.source, reverses: group.reverses, memo, created_at: now })
    for (const [place, { kind, debit, credit, amount }] of group.postings.entries()) {
      postings.push({
        group_id: id,
        place,
        kind,
        asset_id: debit.assetId,
        debit_merchant: debit.merchantId,
        debit_part: debit.part,
        credit_merchant: credit.merchantId,
        credit_part: credit.part,
        amount,
      })
    }
  }
  try {
    return await postAll(c, JSON.stringify(groups), toJson(postings))
  } catch (error) {
    const { constraint = '' } = error as { constraint?: string }
    if (constraint.endsWith('_not_negative')) throw new Refusal('insufficient_balance')
    throw error
  }
}

/** Entries that a verb posts at a time in Unix seconds. Fails the transaction when one was posted before. */
export const postings: UnitOfWorkPart<LedgerEntry & { at: number }> = {
  name: 'postings',
  async write(c, entries, uow) {
    const posted = await postEntries(c, entries, entries[0]!.at)
    const again = posted.find(each => !each.fresh)
    if (again) throw new Error(`${again.source} was posted before`)
    const accounts = entries.flatMap(({ group }) => group.postings.flatMap(each => [each.debit, each.credit]))
    const merchants = new Set(accounts.flatMap(({ merchantId }) => merchantId ?? []))
    uow.add(
      liveHints,
      [...merchants].map(merchant_id => ({ merchant_id, type: 'balance', id: '' })),
    )
  },
}

/** Reads a merchant's balances: of enabled assets, and of others with a balance. */
export const readBalances = all(
  'balances-read',
  `select a.id as asset_id, a.symbol as token, a.price_of, a.decimals, h.definition ->> 'name' as chain, h.id as chain_id,
     coalesce(max(l.balance) filter (where l.part = 'available'), 0) as available,
     coalesce(max(l.balance) filter (where l.part = 'held'), 0) as held
   from assets a join chains h on h.id = a.chain_id
   left join ledger_accounts l on l.asset_id = a.id and l.merchant_id = $1
   where (a.enabled and h.enabled) or l.balance > 0
   group by a.id, h.id order by h.id, a.symbol`,
)

const { open, refunding, in_doubt, dropped } = paymentStatus

/** Reports whether a merchant has a balance, an unconfirmed deposit, or a payment that can still receive money. */
export const readMerchantHoldings = first(
  'merchant-holds',
  `select exists (select 1 from ledger_accounts where merchant_id = $1 and balance > 0) as balance,
     exists (select 1 from deposits where merchant_id = $1 and state = 'seen') as deposits,
     exists (select 1 from payments where merchant_id = $1 and status in (${open}, ${refunding}, ${in_doubt}, ${dropped})) as payments`,
)

const readPostings = first(
  'ledger-group',
  `select json_agg(json_build_object('kind', p.kind, 'amount', p.amount::text, 'debit', p.debit_account,
     'credit', p.credit_account) order by p.place) as postings
   from ledger_groups g join ledger_postings p on p.group_id = g.id where g.source = $1 group by g.id`,
)

/** Reads a posted group by its source, for a reversal. */
export async function readPostingGroup(c: Queryable, source: string): Promise<PostingGroup | undefined> {
  const row = await readPostings(c, source)
  return row && { source, postings: row.postings.map(toPosting) }
}

/** A posting as JSON. */
export interface StoredPosting {
  kind: string
  amount: string
  debit: string
  credit: string
}

function toPosting({ kind, amount, debit, credit }: StoredPosting): PostingGroup['postings'][number] {
  return { kind, debit: toAccount(debit), credit: toAccount(credit), amount: parseBaseUnits(amount) } as never
}

function toAccount(id: string) {
  const [owner, part, assetId] = id.split('/')
  return { merchantId: owner === 'house' ? null : owner, part, assetId }
}

/** Seconds after which no open transaction can still write a posting dated before. */
const settledAfter = 3600

const sum = `coalesce(sum(case when p.debit_account = 'house/chain/' || p.asset_id then p.amount else -p.amount end), 0)`
const readTotals = first(
  'reconcile-ledger',
  `with start as (
     select coalesce(max(before), 0) as before, coalesce(max(chain), 0) as chain from ledger_checkpoints
     where asset_id = $1 and before <= $3
   ), later as (
     select ${sum} as chain, coalesce(sum(case when p.created_at >= $2 then 0
       when p.debit_account = 'house/chain/' || p.asset_id then p.amount else -p.amount end), 0) as early
     from ledger_postings p, start where p.asset_id = $1 and p.created_at >= start.before
       and 'house/chain/' || p.asset_id in (p.debit_account, p.credit_account)
   )
   select start.chain + later.chain as chain, start.chain + later.early as early,
     (select coalesce(sum(balance), 0) from ledger_accounts where asset_id = $1 and part = 'held') + (
       select coalesce(sum(t.fee), 0) from assets s cross join lateral (
         select max(a.gas * a.max_fee) as fee from outgoing o join outgoing_attempts a using (chain_id, from_address, nonce)
         where o.chain_id = s.chain_id and o.state in ('sent', 'in_block') group by o.from_address, o.nonce
       ) t where s.id = $1 and s.contract is null
     ) as held,
     (select coalesce(sum(d.amount), 0) from assets s join deposits d on d.chain_id = s.chain_id and d.asset_id = s.id
       and d.held_at is not null where s.id = $1) as waiting,
     (select coalesce(sum(u.aside), 0) from assets s join dust u on u.chain_id = s.chain_id and u.asset_id = s.id
       where s.id = $1) as aside
   from start, later`,
)
const moveCheckpoint = run(
  'reconcile-checkpoint',
  `insert into ledger_checkpoints as k (asset_id, before, chain) values ($1, $2, $3)
   on conflict (asset_id) do update set before = excluded.before, chain = excluded.chain
     where k.before < excluded.before or k.before > $4`,
)

/**
 * Sums the ledger of an asset from its last checkpoint on, in base units, and moves the checkpoint. `chain` is what the
 * chain should hold for us; `held` what may have left the chain already: what merchants reserved and, of the native
 * coin, the most that transactions under way may cost; `waiting` what final deposits that are held may have brought;
 * `aside` what was set aside of it, being too little. A checkpoint in the future is ignored: it was written before the
 * clock was set back.
 */
export async function ledgerTotals(c: Queryable, assetId: string, now: number) {
  const row = (await readTotals(c, assetId, now - settledAfter, now))!
  await moveCheckpoint(c, assetId, now - settledAfter, row.early, now)
  return { chain: row.chain, held: row.held, waiting: row.waiting, aside: row.aside }
}

/**
 * Reads the addresses that can hold an asset: those that received it or were sent gas, and those of the installation.
 */
export const holdingAddresses = all(
  'reconcile-addresses',
  `select address, bool_or(is_house) as is_house from (
     select to_address as address, false as is_house from deposits
       where chain_id = $1 and asset_id = $3 and state in ('credited', 'seen', 'undone')
     union select address, false from dust where chain_id = $1 and asset_id = $3
     union select address, false from own_transactions where chain_id = $1
     union select address, true from house_addresses where chain_kind = $2
   ) as a group by address`,
)

/**
 * Sums what deposits have brought of a token to each address, also those that the chain has left again, and what sweeps
 * have taken away.
 */
export const sumAddressFlows = all(
  'reconcile-flows',
  `select address, sum(came) as came, sum(gone) as gone from (
     select to_address as address, amount as came, 0 as gone from deposits where chain_id = $1 and asset_id = $2
     union all select address, aside, 0 from dust where chain_id = $1 and asset_id = $2
     union all select address, 0, amount from sweeps where chain_id = $1 and asset_id = $2 and state = 'swept'
   ) as flows group by address`,
)

/**
 * Reads since when addresses exist that had no deposit of an asset up to block $4: they may have been in no comparison
 * by then. No index finds deposits by address, so this reads all of the asset once, however many addresses differ.
 */
export const readUncomparedSince = first(
  'reconcile-uncompared',
  `select min(a.created_at) as since from deposit_addresses a join assets s on s.id = $2 join chains h on h.id = s.chain_id
   where a.chain_kind = h.kind and a.address = any($3) and not exists (select from deposits d where d.chain_id = $1
     and d.asset_id = $2 and d.to_address = a.address and d.block_number <= $4)`,
)

/** Reads the open incident of a kind about an asset of a chain. */
export const findOpenIncident = first(
  'incident-open',
  `select id from incidents where chain_id = $1 and kind = $2 and detail ->> 'asset_id' = $3 and resolved_at is null limit 1`,
)

/**
 * Stores the last comparison of an asset. One with the verdict of the last keeps its beginning; `$6`: its block, if all
 * is equal.
 */
export const storeComparison = run(
  'comparison-store',
  `insert into comparisons as k (asset_id, verdict, found, missing, compared_at, since, agreed_block) values ($1, $2, $3, $4, $5, $5, $6)
   on conflict (asset_id) do update set verdict = excluded.verdict, found = excluded.found, missing = excluded.missing,
     compared_at = excluded.compared_at, agreed_block = coalesce(excluded.agreed_block, k.agreed_block), since = case when k.verdict = excluded.verdict then k.since else excluded.since end`,
)

/** Reads the last block at which the addresses of an asset held what the ledger has, before $2. */
export const readAgreedBlock = first(
  'comparison-agreed',
  'select agreed_block from comparisons where asset_id = $1 and agreed_block < $2',
)

/**
 * Reads the last comparison of each asset that is enabled or was found on our addresses, with its open shortage.
 * `suspect`: something is wrong with a wallet of its chain, which a comparison of final blocks may not show yet.
 */
export const readComparisons = all(
  'comparisons-read',
  `select a.id as asset_id, a.chain_id, h.definition, a.symbol as token, a.decimals, k.verdict, k.missing,
     coalesce(k.compared_at, 0) as compared_at, k.since, (
       select i.id from incidents i where i.chain_id = a.chain_id and i.kind = 'shortage' and i.detail ->> 'asset_id' = a.id
         and i.resolved_at is null limit 1) as incident_id,
     exists (select from incidents i where i.chain_id = a.chain_id and i.kind in ('wallet_halted', 'native_missing')
       and i.resolved_at is null) as suspect
   from assets a join chains h on h.id = a.chain_id left join comparisons k on k.asset_id = a.id
   where (a.enabled and h.enabled) or k.found > 0 or k.missing > 0 order by a.chain_id, a.symbol`,
)
