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

/** Whether this ticket can confirm the action now. */
export const ticketIsGood = async (c: Queryable, ticket: Omit<Ticket, 'expires_at'>, now: number): Promise<boolean> =>
  (await check(c, ticket.ticket_hash, ticket.merchant_id, ticket.action, now)) > 0

const take = run(
  'ticket-take',
  'update tickets set used_at = $2 where ticket_hash = $1 and used_at is null returning 1',
)

/** Uses the ticket up. Gives false when somebody did so before. */
export const takeTicket = async (c: Queryable, hash: Buffer, now: number): Promise<boolean> =>
  (await take(c, hash, now)) === 1

/** Takes back what was confirmed with a factor that no longer counts. */
export const dropTickets = run('tickets-drop', 'delete from tickets where merchant_id = $1')

/** Removes tickets that ended before. Gives how many. */
export const forgetTickets = run('tickets-forget', 'delete from tickets where expires_at <= $1 returning 1')
