import { all, first, run } from '../../kit/db.ts'

/** Reads what merchants have of each asset, and how much of it is held for payouts. */
export const readMerchantBalances = all(
  'proof-balances',
  `select a.asset_id, a.merchant_id, m.mchid, sum(a.balance) as balance,
     coalesce(sum(a.balance) filter (where a.part = 'held'), 0) as held
   from ledger_accounts a join merchants m on m.id = a.merchant_id group by a.asset_id, a.merchant_id, m.mchid`,
)

/** Reads all assets with their chains. */
export const listProvenAssets = all(
  'proof-assets',
  'select id, chain_id, symbol, contract, decimals, enabled from assets order by id',
)

/** Reads the key indexes of deposit addresses among those given. */
export const findKeyIndexes = all(
  'proof-key-indexes',
  'select address, key_index from deposit_addresses where chain_kind = $1 and address = any($2::text[])',
)

/** Reads the newest published proof. */
export const readNewestProof = first(
  'proof-newest',
  `select id, statement, signature, public_key, pages, published_at from proofs order by published_at desc, id desc limit 1`,
)

/** Reads the newest published proof that has merchants' parts, or that of an id, and a merchant's number. */
export const readMerchantProofId = first(
  'proof-of-merchant',
  `select id, (select mchid from merchants where id = $2) as mchid from proofs p where ($1::text is null or id = $1) and exists (select from proof_trees t where t.proof_id = p.id)
   order by published_at desc, id desc limit 1`,
)

export const readProof = first(
  'proof-read',
  'select id, statement, signature, public_key, pages, published_at from proofs where id = $1',
)

/** Lists the ids of published proofs, the newest first. */
export const listProofIds = all(
  'proofs-list',
  'select id, published_at from proofs order by published_at desc, id desc limit 5000',
)

/** Counts the ids of a day that are taken. */
export const countProofIds = first(
  'proof-ids',
  `select count(distinct id)::int as n from (
     select id from proofs union all select id from proof_drafts union all select id from proof_requests
   ) t where left(id, 10) = $1`,
)

export const insertRequest = run(
  'proof-request',
  'insert into proof_requests (id, created_at) values ($1, $2) on conflict do nothing',
)
export const readRequest = first('proof-requested', 'select id from proof_requests order by created_at, id limit 1')
export const deleteRequest = run('proof-request-done', 'delete from proof_requests where id = $1')

export const readDraft = first(
  'proof-draft',
  'select id, statement, pages, created_at from proof_drafts where not refused order by created_at, id limit 1',
)
export const insertDraft = run(
  'proof-draft-insert',
  `insert into proof_drafts (id, statement, pages, created_at) select $1, $2, $3, $4
   where not exists (select from proofs where id = $1) on conflict do nothing`,
)
export const refuseDraft = run('proof-draft-refuse', 'update proof_drafts set refused = true where id = $1')
export const deleteDraft = run('proof-draft-done', 'delete from proof_drafts where id = $1')

export const insertTree = run(
  'proof-tree-insert',
  'insert into proof_trees (proof_id, asset_id, leaves, tops) values ($1, $2, $3, $4)',
)
/** Stores chunks that follow one another from number $3 on. */
export const insertChunks = run(
  'proof-chunks-insert',
  `insert into proof_chunks (proof_id, asset_id, chunk, nodes)
   select $1, $2, $3::int + n::int - 1, nodes from unnest($4::bytea[]) with ordinality as c (nodes, n)`,
)
export const insertShares = run(
  'proof-shares-insert',
  `insert into proof_shares (proof_id, merchant_id, asset_id, leaves)
   select $1, s.merchant_id, $2, s.leaves from jsonb_to_recordset($3) as s (merchant_id text, leaves jsonb)`,
)

export const insertProof = run(
  'proof-publish',
  `insert into proofs (id, statement, signature, public_key, pages, made_at, published_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
)

/** Reads a merchant's leaves of each asset, and the tree that they are in. */
export const readShares = all(
  'proof-shares',
  `select s.asset_id, s.leaves, t.leaves as size, t.tops from proof_shares s
   join proof_trees t on t.proof_id = s.proof_id and t.asset_id = s.asset_id
   where s.proof_id = $1 and s.merchant_id = $2 order by s.asset_id`,
)
export const readChunks = all(
  'proof-chunks',
  'select chunk, nodes from proof_chunks where proof_id = $1 and asset_id = $2 and chunk = any($3::int[])',
)

/** Deletes what merchants' parts of proofs published before $1 are made of, and drafts that were refused. */
export const deleteOldParts = run(
  'proof-parts-forget',
  `with old as (
     select id from proofs where published_at < $1
     union all select id from proof_drafts where refused and created_at < $1
   ), trees as (
     delete from proof_trees where proof_id in (select id from old)
   ), chunks as (
     delete from proof_chunks where proof_id in (select id from old)
   )
   delete from proof_shares where proof_id in (select id from old)`,
)
