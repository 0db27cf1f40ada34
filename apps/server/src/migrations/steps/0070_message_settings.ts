import { type Kysely, sql } from 'kysely'

/**
 * Why: people choose what reaches them, by which channel and when. What may cost money has no choice, here neither: whoever holds a
 * session must not be able to silence it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table message_settings (
      person_id text not null references persons (id),
      merchant_id text not null references merchants (id),
      event text not null check (event not in (
      'account_new_device', 'account_password_guessed', 'account_password_changed', 'account_password_reset',
      'account_authenticator_bound', 'account_authenticator_removed', 'account_mailbox_changed', 'account_phone_bound',
      'account_sign_in_linked', 'account_push_added', 'account_channel_added', 'account_security_tightened',
      'account_security_loosened', 'account_wallet_linked', 'account_wallet_unlinked', 'account_passkey_added',
      'account_passkey_removed', 'account_passkey_blocked', 'account_recovery_codes_renewed', 'account_recovery_code_used',
      'account_removal_requested', 'account_removal_confirmed', 'account_removal_canceled', 'account_not_me',
      'account_withdrawal_requested', 'account_address_added', 'account_transfer_receiver_added',
      'account_refund_requested', 'account_refund_link_made', 'account_policy_tightened', 'account_policy_loosened',
      'account_payouts_allowed', 'account_secret_key_renewed', 'account_webhook_secret_renewed',
      'account_notify_url_changed', 'account_rates_changed', 'account_webhook_endpoint_changed', 'account_shop_connected',
      'account_shop_key_renewed', 'account_shop_webhook_changed', 'account_appearance_changed', 'account_closed',
      'new_device_held', 'own_sign_in_reported', 'members_changed'
      )),
      channel text not null check (channel in ('mail', 'push', 'chat')),
      mode text not null check (mode in ('now', 'hourly', 'daily', 'off')),
      -- Only where it differs from what the table of events has.
      primary key (person_id, merchant_id, event, channel)
    );
    alter table persons
      -- Hours of the day, by the person's clock; the same: no quiet hours.
      add column quiet_from int not null default 0 check (quiet_from between 0 and 23),
      add column quiet_until int not null default 0 check (quiet_until between 0 and 23);
  `.execute(db)
}
