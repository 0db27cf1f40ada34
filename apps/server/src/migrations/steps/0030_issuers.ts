import { type Kysely, sql } from 'kysely'

/**
 * Why: an issuer that pauses its token, or lists a deposit address, made each sweep fail, and what it holds back counted as if it could be
 * paid with. `issuer_blocks` holds what issuers say about addresses of ours; `address` is empty where all sweeps of the token stop.
 * `again_at`: when the address of a sweep that failed may be swept again; `asked`: whether the issuer was asked about it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table issuer_blocks (
      chain_id text not null references chains (id),
      asset_id text not null references assets (id),
      address text not null,
      reason text not null check (reason in ('issuer: paused', 'issuer: listed')),
      created_at bigint not null,
      asked_at bigint not null,
      primary key (asset_id, address)
    );
    alter table sweeps add column again_at bigint not null default 0, add column asked boolean not null default false;
    update sweeps set again_at = updated_at + 86400, asked = true where state = 'failed';
    create index sweeps_unasked on sweeps (chain_id, asset_id) where state = 'failed' and not asked;
  `.execute(db)
}
