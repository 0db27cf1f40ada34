/** Parts of a merchant's balance: available, or held by a pending operation. */
export const merchantBalanceParts = ['available', 'held'] as const

/**
 * House accounts: `chain` is the on-chain balance, `fees` the fees earned, `gas` the transaction costs paid, `suspense`
 * the amounts in transit between two accounts.
 */
export const houseAccountParts = ['chain', 'fees', 'gas', 'suspense'] as const

export type MerchantBalancePart = (typeof merchantBalanceParts)[number]
export type HouseAccountPart = (typeof houseAccountParts)[number]

/** An account of one asset; `merchantId` is null for the house. */
export type LedgerAccount =
  | { merchantId: string; part: MerchantBalancePart; assetId: string }
  | { merchantId: null; part: HouseAccountPart; assetId: string }

/** A merchant's available balance of an asset. */
export const availableAccount = (merchantId: string, assetId: string): LedgerAccount => ({
  merchantId,
  part: 'available',
  assetId,
})

/** A merchant's held balance of an asset. */
export const heldAccount = (merchantId: string, assetId: string): LedgerAccount => ({
  merchantId,
  part: 'held',
  assetId,
})

/** A house account of an asset. */
export const houseAccount = (part: HouseAccountPart, assetId: string): LedgerAccount => ({
  merchantId: null,
  part,
  assetId,
})

/** Returns the account id used in the store: owner, part and asset. */
export const accountId = ({ merchantId, part, assetId }: LedgerAccount) => `${merchantId ?? 'house'}/${part}/${assetId}`
