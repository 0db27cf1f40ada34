import { available, house } from './accounts.ts'
import { group, type PostingGroup, posting } from './postings.ts'

/** What an internal transfer moves: `amount` base units of an asset from one merchant to another. */
export interface InternalTransfer {
  id: string
  from: string
  to: string
  assetId: string
  amount: bigint
}

/** Returns the postings of an internal transfer. The money passes through the house, which keeps nothing. */
export const transferFunds = ({ id, from, to, assetId, amount }: InternalTransfer): PostingGroup =>
  group(`transfer:${id}`, [
    posting('transfer', available(from, assetId), house('suspense', assetId), amount),
    posting('transfer', house('suspense', assetId), available(to, assetId), amount),
  ])
