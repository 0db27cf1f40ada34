import type { Deps } from '../../deps.ts'
import { all, tx } from '../../kit/db.ts'

/** What always holds of the ledger, each with a statement that finds what breaks it, at most 20 rows. */
const laws = [
  {
    law: 'a balance is the sum of its postings',
    broken: all(
      'ledger-law-balances',
      `select a.id, a.balance, coalesce(s.sum, 0) as sum from ledger_accounts a left join (
       select account, sum(change) as sum from (
         select debit_account as account, -amount as change from ledger_postings
         union all select credit_account, amount from ledger_postings
       ) e group by account
     ) s on s.account = a.id where a.merchant_id is not null and a.balance <> coalesce(s.sum, 0) limit 20`,
    ),
  },
  {
    law: 'the accounts of every posting exist',
    broken: all(
      'ledger-law-accounts',
      `select p.id, p.debit_account, p.credit_account from ledger_postings p
     left join ledger_accounts d on d.id = p.debit_account left join ledger_accounts c on c.id = p.credit_account
     where d.id is null or c.id is null limit 20`,
    ),
  },
  {
    law: 'a credited deposit is in the ledger once, with its amount and its fee',
    broken: all(
      'ledger-law-credits',
      `select d.id, d.amount, d.fee, g.moved from deposits d left join lateral (
       select count(distinct g.id) as groups, sum(p.amount) filter (where p.kind <> 'fee') as moved,
         coalesce(sum(p.amount) filter (where p.kind = 'fee'), 0) as fee
       from ledger_groups g join ledger_postings p on p.group_id = g.id where g.source = 'deposit:' || d.id
     ) g on true
     where d.state in ('credited', 'undone') and (g.groups <> 1 or g.moved is distinct from d.amount or g.fee <> d.fee) limit 20`,
    ),
  },
  {
    law: 'nothing is credited that is no credited deposit',
    broken: all(
      'ledger-law-sources',
      `select g.source from ledger_groups g left join deposits d on g.source = 'deposit:' || d.id
     where g.source like 'deposit:%' and (d.id is null or d.state not in ('credited', 'undone')) limit 20`,
    ),
  },
  {
    law: 'what is undone is reversed, and only that',
    broken: all(
      'ledger-law-reversals',
      `select d.id from deposits d join ledger_groups g on g.source = 'deposit:' || d.id
     left join ledger_groups r on r.reverses = g.id where (d.state = 'undone') <> (r.id is not null) limit 20`,
    ),
  },
  {
    law: 'what merchants own, fees and what is on its way are what the chains hold and what gas took',
    broken: all(
      'ledger-law-sums',
      `select asset_id, sum(own) as own, sum(chain) as chain from (
       select asset_id, balance as own, 0 as chain from ledger_accounts where merchant_id is not null
       union all select p.asset_id, p.amount, 0 from ledger_postings p where p.credit_account in
         ('house/fees/' || p.asset_id, 'house/suspense/' || p.asset_id)
       union all select p.asset_id, -p.amount, 0 from ledger_postings p where p.debit_account in
         ('house/fees/' || p.asset_id, 'house/suspense/' || p.asset_id)
       union all select p.asset_id, 0, p.amount from ledger_postings p where p.debit_account in
         ('house/chain/' || p.asset_id, 'house/gas/' || p.asset_id)
       union all select p.asset_id, 0, -p.amount from ledger_postings p where p.credit_account in
         ('house/chain/' || p.asset_id, 'house/gas/' || p.asset_id)
     ) t group by asset_id having sum(own) <> sum(chain) limit 20`,
    ),
  },
]

/** A law of the ledger and rows that break it, at most 20. */
export interface BrokenLaw {
  law: string
  rows: unknown[]
}

/** Looks through the whole ledger for what cannot be; gives what is broken, nothing when all is well. Takes its time. */
export async function checkLedger({ pool }: Pick<Deps, 'pool'>): Promise<BrokenLaw[]> {
  return tx(pool, async c => {
    await c.query('set transaction isolation level repeatable read, read only')
    await c.query('set local statement_timeout = 0')
    const found: BrokenLaw[] = []
    for (const { law, broken } of laws) {
      const rows = await broken(c)
      if (rows.length > 0) found.push({ law, rows })
    }
    return found
  })
}
