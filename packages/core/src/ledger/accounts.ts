/** What a merchant has of an asset: free to use, or reserved by something under way. */
export const merchantParts = ['available', 'held'] as const

/**
 * The house's own accounts: `chain` is what the chains hold for us, `fees` what we earned, `gas` what transactions cost
 * us, `suspense` what is on its way between two others.
 */
export const houseParts = ['chain', 'fees', 'gas', 'suspense'] as const

export type MerchantPart = (typeof merchantParts)[number]
export type HousePart = (typeof houseParts)[number]

/** An account of one asset; `merchantId` is null for the house. */
export type Account =
  | { merchantId: string; part: MerchantPart; assetId: string }
  | { merchantId: null; part: HousePart; assetId: string }

/** A merchant's available balance of an asset. */
export const available = (merchantId: string, assetId: string): Account => ({ merchantId, part: 'available', assetId })

/** What of a merchant's asset is reserved. */
export const held = (merchantId: string, assetId: string): Account => ({ merchantId, part: 'held', assetId })

/** An account of the house. */
export const house = (part: HousePart, assetId: string): Account => ({ merchantId: null, part, assetId })

/** The account's id in the store: owner, part and asset. */
export const accountId = ({ merchantId, part, assetId }: Account) => `${merchantId ?? 'house'}/${part}/${assetId}`
