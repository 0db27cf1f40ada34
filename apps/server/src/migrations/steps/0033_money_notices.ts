import { type Kysely, sql } from 'kysely'

/**
 * Why: a shop with 50 payments a day had a bell that said 99+ for ever, and what it should read was lost among them. Money that moved as
 * it should has a type of its own, so that it is listed and counted apart.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications drop constraint notifications_types_check;
    update notifications set types = 6 where types = 3 and message in ('payment_paid', 'recharge_credited', 'refund_accomplished',
      'transfer_sent', 'transfer_received', 'withdrawal_accomplished');
    alter table notifications add constraint notifications_types_check check (types between 1 and 6);
  `.execute(db)
}
