/** Codes and settings of applications and their orders: apart from `codes.ts`, which pages load as they start. */

/** Settings of an application that payers see. */
export const payerVisibleSettings = ['name', 'logo', 'payment_logo', 'website'] as const

/**
 * Settings of an application that payers see, or that decide what counts as paid or who may use its key. Changing one
 * needs a proof for the action `application`, as does enabling a disabled application, which revives its key.
 */
export const proofRequiredSettings = [
  ...payerVisibleSettings,
  'payment_mode',
  'mixed_payment',
  'tolerance_permille',
  'ip_whitelist_enabled',
  'ip_whitelist',
  'callback_events',
  'read_allowed',
  'orders_allowed',
  'refunds_allowed',
  'payouts_allowed',
  'marks_allowed',
  'settings_allowed',
  'members_allowed',
  'endpoints_allowed',
  'embed_origins',
] as const

/**
 * Where rates of an application's orders come from: stated by the merchant, read from a URL of the merchant, the price
 * sources of Coffer.
 */
export const rateSources = ['fixed', 'own', 'market'] as const
/** Why the value of a merchant's URL is not used. */
export const merchantRateFailures = ['unreachable', 'bad_answer', 'no_value', 'implausible'] as const

/** Seconds for which a replaced secret key stays valid, as the merchant chooses. */
export const keyOverlapSeconds = [0, 3_600, 86_400, 604_800] as const
export type KeyOverlapSeconds = (typeof keyOverlapSeconds)[number]
/** Seconds for which callbacks are signed with a replaced webhook secret too. */
export const webhookSecretOverlapSeconds = 86_400

export const applicationStatus = { enabled: 1, disabled: 2 } as const
/** `contract`: each payment leases an address. `address`: payments share a fixed address of the merchant. */
export const paymentMode = { contract: 1, address: 2 } as const
