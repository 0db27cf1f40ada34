import { type Queryable, run } from '../../kit/db.ts'

export interface Ticket {
  ticket_hash: Buffer
  merchant_id: string
  action: string
  expires_at: number
}

const insert = run(
  'ticket-insert',
  'insert into tickets (ticket_hash, merchant_id, action, expires_at) values ($1, $2, $3, $4)',
)

export const insertTicket = (c: Queryable, { ticket_hash, merchant_id, action, expires_at }: Ticket) =>
  insert(c, ticket_hash, merchant_id, action, expires_at)

const check = run(
  'ticket-check',
  `select 1 from tickets
   where ticket_hash = $1 and merchant_id = $2 and action = $3 and expires_at > $4 and used_at is null`,
)

/** Reports whether a ticket is valid for the action. */
export const ticketIsGood = async (c: Queryable, ticket: Omit<Ticket, 'expires_at'>, now: number): Promise<boolean> =>
  (await check(c, ticket.ticket_hash, ticket.merchant_id, ticket.action, now)) > 0

const take = run(
  'ticket-take',
  'update tickets set used_at = $2 where ticket_hash = $1 and used_at is null returning 1',
)

/** Consumes the ticket; returns false when it has already been consumed. */
export const takeTicket = async (c: Queryable, hash: Buffer, now: number): Promise<boolean> =>
  (await take(c, hash, now)) === 1

/** Removes a merchant's tickets after a factor change. */
export const dropTickets = run('tickets-drop', 'delete from tickets where merchant_id = $1')

/** Removes tickets that expired at or before a time. Returns the number removed. */
export const forgetTickets = run('tickets-forget', 'delete from tickets where expires_at <= $1 returning 1')
