import type { MessageChannelKind } from '@coffer/contract/notifications/channel-routes.ts'
import { all, first, run } from '../../kit/db.ts'
import type { SealPlace } from '../../kit/seal.ts'

/** Where the address of a chat or system is sealed, and what signs its messages. */
export const channelAddressAt = (id: string): SealPlace => ({ column: 'message_channels.address', row: id })
export const channelSecretAt = (id: string): SealPlace => ({ column: 'message_channels.secret', row: id })

/** A chat or system that gets a member's messages. Address and secret are sealed. */
export interface MessageChannel {
  id: string
  kind: MessageChannelKind
  name: string
  address: string
  secret: string
}

const columns = 'id, kind, name, address, secret, language, refused, error'

/** Reads a linked one of an open shop, of whomever. */
export const channelById = first(
  'message-channel',
  `select ${columns} from message_channels c where id = $1 and address <> ''
     and exists (select from merchants m where m.id = c.merchant_id and m.deleted_at is null and not m.frozen)`,
)
/** Reads one of a member. */
export const channelOfMember = first(
  'message-channel-of',
  `select ${columns} from message_channels where id = $1 and person_id = $2 and merchant_id = $3`,
)
/** Lists those of a member, oldest first. */
export const channelsOfMember = all(
  'message-channels-of',
  `select id, kind, name, address <> '' as linked, created_at, last_at, error, refused from message_channels
   where person_id = $1 and merchant_id = $2 and (address <> '' or code_until > $3) order by created_at, id`,
)
export const countChannels = first(
  'message-channels-count',
  'select count(*)::int as count from message_channels where person_id = $1 and merchant_id = $2',
)
export const insertChannel = run(
  'message-channel-insert',
  `insert into message_channels
     (id, person_id, merchant_id, kind, name, address, secret, code_hash, code_until, language, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)
/** Removes one of a member. */
export const deleteChannel = first(
  'message-channel-delete',
  'delete from message_channels where id = $1 and person_id = $2 and merchant_id = $3 returning name',
)
/** Removes one whose chat is gone. */
export const forgetChannel = first(
  'message-channel-forget',
  'delete from message_channels where id = $1 returning person_id, merchant_id, name',
)
/** Stops sending to one whose set-up, $2, refuses messages. Returns whose it is, once. */
export const stopChannel = first(
  'message-channel-stop',
  `update message_channels set refused = $2, error = $3 where id = $1 and refused <> $2
   returning person_id, merchant_id, name`,
)
/** Notes how the last message ended. One that takes a message again gets all of them. */
export const noteChannel = run(
  'message-channel-note',
  `update message_channels set error = $2, last_at = case when $2 = '' then $3 else last_at end,
     refused = case when $2 = '' then '' else refused end
   where id = $1`,
)
/** Changes the address, of a chat that became another. */
export const moveChannel = run('message-channel-move', 'update message_channels set address = $2 where id = $1')

/** Reads the chat that a code links, while it works. */
export const channelByCode = first(
  'message-channel-by-code',
  `select c.id, c.language, m.name as shop from message_channels c join merchants m on m.id = c.merchant_id
   where c.code_hash = $1 and c.code_until > $2 and m.deleted_at is null and not m.frozen`,
)
/** Links a chat by its code, once. */
export const linkChannel = run(
  'message-channel-link',
  'update message_channels set code_hash = null, code_until = 0, address = $3, name = $4 where id = $1 and code_hash = $2',
)
export const deleteUnlinked = run(
  'message-channels-unlinked',
  `delete from message_channels where address = '' and code_until <= $1 returning 1`,
)
