import { one, type Queryable, q } from '../../kit/db.ts'

export interface Ticket {
  ticket_hash: Buffer
  merchant_id: string
  action: string
  expires_at: number
}

export const insertTicket = (c: Queryable, ticket: Ticket) =>
  q(c, 'ticket-insert', 'insert into tickets (ticket_hash, merchant_id, action, expires_at) values ($1, $2, $3, $4)', [
    ticket.ticket_hash,
    ticket.merchant_id,
    ticket.action,
    ticket.expires_at,
  ])

/** Whether this ticket can confirm the action now. */
export const ticketIsGood = async (c: Queryable, ticket: Omit<Ticket, 'expires_at'>, now: number): Promise<boolean> =>
  (await one(
    c,
    'ticket-check',
    `select 1 from tickets
     where ticket_hash = $1 and merchant_id = $2 and action = $3 and expires_at > $4 and used_at is null`,
    [ticket.ticket_hash, ticket.merchant_id, ticket.action, now],
  )) !== undefined

/** Uses the ticket up. Gives false when somebody did so before. */
export async function takeTicket(c: Queryable, hash: Buffer, now: number): Promise<boolean> {
  const rows = await q(
    c,
    'ticket-take',
    'update tickets set used_at = $2 where ticket_hash = $1 and used_at is null returning 1',
    [hash, now],
  )
  return rows.length === 1
}

/** Takes back what was confirmed with a factor that no longer counts. */
export const dropTickets = (c: Queryable, merchantId: string) =>
  q(c, 'tickets-drop', 'delete from tickets where merchant_id = $1', [merchantId])

/** Removes tickets that ended before. Gives how many. */
export async function forgetTickets(c: Queryable, before: number): Promise<number> {
  return (await q(c, 'tickets-forget', 'delete from tickets where expires_at <= $1 returning 1', [before])).length
}
