import { type Kysely, sql } from 'kysely'

/**
 * Why: proofs of what merchants are owed and what the addresses hold, which are published (docs/proof.md). A published
 * one is never changed or deleted. What merchants' parts are made of is deleted after a while.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table proofs (
      id text primary key,
      statement text not null,
      signature text not null,
      public_key text not null,
      pages jsonb not null,
      made_at bigint not null,
      published_at bigint not null
    );
    create index proofs_newest on proofs (published_at desc, id desc);

    -- What is to be signed. Refused: the signer signed another one of this id, so that it is never published.
    create table proof_drafts (
      id text primary key,
      statement jsonb not null,
      pages jsonb not null,
      refused boolean not null default false,
      created_at bigint not null
    );

    -- Further proofs that an operator asked for.
    create table proof_requests (
      id text primary key,
      created_at bigint not null
    );

    -- The tree of an asset: nodes of 32 bytes of hash and 32 of sum. Tops are the roots of the chunks.
    create table proof_trees (
      proof_id text not null,
      asset_id text not null,
      leaves int not null,
      tops bytea not null,
      primary key (proof_id, asset_id)
    );
    create table proof_chunks (
      proof_id text not null,
      asset_id text not null,
      chunk int not null,
      nodes bytea not null,
      primary key (proof_id, asset_id, chunk)
    );

    -- The leaves of a merchant, with their salts, in the order of their indexes.
    create table proof_shares (
      proof_id text not null,
      merchant_id text not null,
      asset_id text not null,
      leaves jsonb not null,
      primary key (proof_id, merchant_id, asset_id)
    );

    revoke update, delete on proofs from coffer_app;
    revoke update on proof_trees, proof_chunks, proof_shares from coffer_app;
  `.execute(db)
}
