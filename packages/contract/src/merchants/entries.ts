// Apart from the routes, so that pages need not load the validators.
/** What is recorded about a merchant. */
export const merchantLogEntryTypes = [
  ...(['applied', 'advanced', 'approved', 'refused', 'documents_requested', 'noted'] as const),
  ...(['risk_requested', 'risk_set', 'frozen', 'unfrozen'] as const),
] as const
export type MerchantLogEntryType = (typeof merchantLogEntryTypes)[number]

/** What a merchant applies with, and the risk level. */
export const merchantRecordFields = [
  ...(['name', 'website', 'phone', 'country', 'city', 'street'] as const),
  ...(['telegram', 'twitter', 'facebook', 'risk_level'] as const),
] as const
