import type { ChainKind } from '@coffer/chains'
import { chainForms } from '@coffer/chains/forms.ts'
import { addressEndsOf } from '@coffer/core'
import { type Kysely, sql } from 'kysely'

/**
 * Why: an address that looks like a known one is found by its visible ends, however many are known. Addresses of payers have rows of
 * their own, so that a credit and a payout to one address never wait for each other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table known_addresses (
      merchant_id text not null references merchants (id),
      chain_id text not null,
      address text not null,
      -- False: it has been paid, or is in the address book, or was.
      payer boolean not null,
      head text not null,
      tail text not null,
      primary key (merchant_id, chain_id, address, payer)
    );
    create index known_addresses_head on known_addresses (merchant_id, chain_id, left(head, 3));
    create index known_addresses_tail on known_addresses (merchant_id, chain_id, right(tail, 4));
    revoke update, delete on known_addresses from coffer_app;
  `.execute(db)
  const { rows } = await sql<{ merchant_id: string; chain_id: string; address: string; kind: ChainKind }>`
    select distinct d.merchant_id, d.chain_id, d.from_address as address, c.kind from deposits d
    join chains c on c.id = d.chain_id where d.from_address <> ''`.execute(db)
  for (let from = 0; from < rows.length; from += 5_000) {
    const some = rows.slice(from, from + 5_000).map(({ kind, ...row }) => {
      const { show, prefix } = chainForms[kind].address
      return { ...row, payer: true, ...addressEndsOf(show(row.address), prefix) }
    })
    const json = JSON.stringify(some)
    await sql`insert into known_addresses select * from json_populate_recordset(null::known_addresses, ${json}::json)`.execute(
      db,
    )
  }
}
