import { first, run } from '../../kit/db.ts'
import { defineExportedList } from '../../kit/define-list.ts'

/** Inserts the rows of both sides. $7 is the key of the request, or empty. */
export const insertTransfer = run(
  'transfer-insert',
  `insert into internal_transfers (merchant_id, id, direction, other_id, asset_id, amount, usdt_value, note, request_key, created_at, by_passkey)
   values ($2, $1, 'out', $3, $4, $5, $9, $6, nullif($7, ''), $8, $10), ($3, $1, 'in', $2, $4, $5, $9, $6, null, $8, false)`,
)

/** Since when a merchant knows a receiver. */
export const readReceiverKnownSince = first(
  'transfer-receiver-since',
  'select created_at from transfer_receivers where merchant_id = $1 and other_id = $2',
)
export const addReceiver = run(
  'transfer-receiver-add',
  'insert into transfer_receivers (merchant_id, other_id, created_at) values ($1, $2, $3) on conflict do nothing',
)

/** Reads what the sender's request with a key transferred. */
export const findTransferByRequestKey = first(
  'transfer-of-request',
  `select id, other_id, asset_id, amount, note from internal_transfers where merchant_id = $1 and request_key = $2`,
)

export const { page: listTransfers, file: transferFile } = defineExportedList({
  name: 'transfers',
  of: 'GET /api/v1/account/internal-transfer',
  table: 'internal_transfers',
  row: 't',
  joins: `join merchants m on m.id = t.other_id join assets a on a.id = t.asset_id join chains h on h.id = a.chain_id`,
  columns: `t.id, t.direction, t.amount, t.note, t.created_at, m.mchid, m.name, a.symbol as token, a.decimals,
    h.definition ->> 'name' as chain`,
  counted: { counts: 'internal transfers', ofGroup: 'r.direction = g.a and r.asset_id = g.b' },
  filters: {
    id: { column: 't.id' },
    direction: { counted: 'a', column: 't.direction' },
    token_id: { counted: 'b', column: 't.asset_id' },
  },
})
