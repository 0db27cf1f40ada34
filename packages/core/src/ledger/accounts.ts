/** Parts of a merchant's balance: available, or held by a pending operation. */
export const merchantParts = ['available', 'held'] as const

/**
 * House accounts: `chain` is the on-chain balance, `fees` the fees earned, `gas` the transaction costs paid, `suspense`
 * the amounts in transit between two accounts.
 */
export const houseParts = ['chain', 'fees', 'gas', 'suspense'] as const

export type MerchantPart = (typeof merchantParts)[number]
export type HousePart = (typeof houseParts)[number]

/** An account of one asset; `merchantId` is null for the house. */
export type Account =
  | { merchantId: string; part: MerchantPart; assetId: string }
  | { merchantId: null; part: HousePart; assetId: string }

/** A merchant's available balance of an asset. */
export const availableAccount = (merchantId: string, assetId: string): Account => ({
  merchantId,
  part: 'available',
  assetId,
})

/** A merchant's held balance of an asset. */
export const heldAccount = (merchantId: string, assetId: string): Account => ({ merchantId, part: 'held', assetId })

/** A house account of an asset. */
export const houseAccount = (part: HousePart, assetId: string): Account => ({ merchantId: null, part, assetId })

/** Returns the account id used in the store: owner, part and asset. */
export const accountId = ({ merchantId, part, assetId }: Account) => `${merchantId ?? 'house'}/${part}/${assetId}`
