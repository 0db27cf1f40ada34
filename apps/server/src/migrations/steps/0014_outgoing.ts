import { type Kysely, sql } from 'kysely'

/**
 * Why: a transaction of ours must be sent exactly once, whatever crashes. A nonce belongs to one intent for ever, and the signed bytes
 * are stored before a node gets them. On TRON transactions have no nonces and expire instead.
 *
 * The server's role can neither change what a nonce was taken for or what was signed, nor delete any of it. A payout that is
 * carried by one transaction cannot be carried by a second one, unless the first can no longer pay it. Where a batch ends without
 * paying, each of its payouts goes on by itself. The allowance that batches are paid from is set by one transaction at a time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- An address that sends transactions. The wallet is locked while its next nonce is taken.
    create table wallets (
      chain_id text not null references chains (id),
      address text not null,
      role text not null check (role in ('hot', 'sweeper', 'deposit')),
      key_index int check ((role = 'deposit') = (key_index is not null)),
      next_nonce bigint not null check (next_nonce >= 0),
      -- Why nothing is sent from it until a person resumes it.
      halted text,
      -- Since when all that it has moves to the treasury while it is halted.
      emptying_since bigint,
      -- What it lacks to send what is due, such as a token or gas, and since when.
      waits text,
      waits_since bigint check ((waits is null) = (waits_since is null)),
      created_at bigint not null,
      primary key (chain_id, address)
    );
    -- What is expected of a wallet's native coin, of which only our transactions take.
    create table wallet_coin (
      chain_id text not null,
      address text not null,
      -- What it had at the last comparison, less what final transactions have taken since, and their fees.
      expected base_units not null default 0 check (expected >= 0),
      fees base_units not null default 0 check (fees >= 0),
      -- The last block that was compared, and the last one with a transaction that was subtracted.
      compared_to bigint not null,
      settled_block bigint not null,
      -- When it last had as much; null before the first comparison.
      agreed_block bigint,
      agreed_time bigint,
      primary key (chain_id, address),
      foreign key (chain_id, address) references wallets (chain_id, address)
    );

    create unique index wallets_role on wallets (chain_id, role) where role <> 'deposit';

    create table outgoing (
      chain_id text not null,
      from_address text not null,
      nonce bigint not null check (nonce >= 0),
      -- What the transaction does, without its fees.
      intent jsonb not null,
      -- Limit of gas, as estimated when the nonce was taken.
      gas base_units not null check (gas > 0),
      -- assigned: nothing is signed; sent: signed bytes are stored; void: another transaction with this nonce is final.
      state text not null check (state in ('assigned', 'sent', 'in_block', 'final', 'void')),
      outcome text check (outcome in ('success', 'reverted') and (state = 'final') = (outcome is not null)),
      -- The transaction that is in a block.
      txid text,
      block_number bigint,
      block_hash text,
      fee base_units not null default 0 check (fee >= 0),
      -- Why it waits, such as a refusal of the signer.
      waits text,
      cancel_reason text,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (chain_id, from_address, nonce),
      foreign key (chain_id, from_address) references wallets (chain_id, address),
      -- Without nonces, one that was never in a block is void without another transaction.
      constraint outgoing_block check (
        num_nulls(txid, block_number, block_hash) = case
          when state in ('in_block', 'final') then 0
          when state = 'void' and txid is not null then 0
          else 3
        end
      )
    );
    create index outgoing_approvals on outgoing (chain_id, from_address, (intent ->> 'token'), nonce) where intent ->> 'kind' = 'approve';
    create unique index outgoing_one_approval on outgoing (chain_id, from_address, (intent ->> 'token'))
      where intent ->> 'kind' = 'approve' and state in ('assigned', 'sent', 'in_block');
    create index outgoing_open on outgoing (chain_id, from_address, nonce) where state in ('assigned', 'sent', 'in_block');

    -- What was signed for a nonce: the first transaction, replacements with higher fees, and a cancellation.
    create table outgoing_attempts (
      chain_id text not null,
      from_address text not null,
      nonce bigint not null,
      attempt int not null check (attempt >= 0),
      kind text not null check (kind in ('send', 'replace', 'cancel')),
      raw text not null,
      txid text not null,
      gas base_units not null check (gas > 0),
      max_fee base_units not null check (max_fee >= 0),
      max_tip base_units not null check (max_tip >= 0 and max_tip <= max_fee),
      created_at bigint not null,
      broadcasts int not null default 0,
      broadcast_at bigint,
      -- The answer of the nodes to the last broadcast; null while one accepted it.
      refused text,
      -- After this time (milliseconds since 1970) no block may contain it; null where there are nonces.
      expires bigint,
      primary key (chain_id, from_address, nonce, attempt),
      unique (chain_id, txid),
      foreign key (chain_id, from_address, nonce) references outgoing (chain_id, from_address, nonce)
    );

    -- What a transaction carries.
    create table outgoing_items (
      chain_id text not null,
      from_address text not null,
      nonce bigint not null,
      place int not null check (place >= 0),
      owner text not null check (owner in ('withdrawal', 'sweep', 'refund')),
      merchant_id text not null references merchants (id),
      owner_id text not null,
      amount base_units not null check (amount >= 0),
      -- False once the transaction is void or reverted and can no longer pay it.
      live boolean not null default true,
      -- Whether a person stopped this item; the others of a cancelled batch are paid by other transactions.
      stopped boolean not null default false,
      primary key (chain_id, from_address, nonce, place),
      foreign key (chain_id, from_address, nonce) references outgoing (chain_id, from_address, nonce)
    );
    create unique index outgoing_items_once on outgoing_items (owner, merchant_id, owner_id) where live;

    create index outgoing_items_ended on outgoing_items (owner, merchant_id, owner_id) where not live;

    revoke update, delete, truncate on wallets, outgoing, outgoing_attempts, outgoing_items from coffer_app;
    grant update (next_nonce, halted, emptying_since, waits, waits_since) on wallets to coffer_app;
    grant update (state, outcome, txid, block_number, block_hash, fee, waits, cancel_reason, updated_at) on outgoing to coffer_app;
    grant update (broadcasts, broadcast_at, refused) on outgoing_attempts to coffer_app;
    grant update (live, stopped) on outgoing_items to coffer_app;

    -- The newest release of a payout. Each is good for one nonce, so a payout that is sent again needs the next number.
    create table payout_releases (
      owner text not null,
      merchant_id text not null references merchants (id),
      owner_id text not null,
      number int not null check (number > 0),
      release jsonb not null,
      released_by text not null,
      created_at bigint not null,
      primary key (owner, merchant_id, owner_id)
    );
    revoke delete on payout_releases from coffer_app;
  `.execute(db)
}
