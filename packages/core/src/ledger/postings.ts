import { accountId, availableAccount, houseAccount, type LedgerAccount } from './accounts.ts'

/** Kinds of posting, shown in the merchant's fund flow. */
export const postingKinds = [
  'payment',
  'recharge',
  'refund',
  'withdrawal',
  'transfer',
  'fee',
  'gas',
  'adjustment',
] as const
export type PostingKind = (typeof postingKinds)[number]

/** Moves `amount` base units from `debit` to `credit`. Both accounts must have the same asset. */
export type Posting = { kind: PostingKind; debit: LedgerAccount; credit: LedgerAccount; amount: bigint }

/**
 * Postings applied atomically. `source` identifies their cause and is unique, for example `deposit:<id>`. `reverses` is
 * the source of the group that this group reverses.
 */
export type PostingGroup = { source: string; postings: Posting[]; reverses?: string }

/** Invalid posting. The store enforces the same rules; this error reports a violation earlier and with its reason. */
export class PostingFault extends Error {
  override name = 'PostingFault'
}

/**
 * Creates a posting. Throws PostingFault unless it moves a positive amount between two distinct accounts of one asset
 * that do not belong to different merchants.
 */
export function makePosting(kind: PostingKind, debit: LedgerAccount, credit: LedgerAccount, amount: bigint): Posting {
  if (amount <= 0n) throw new PostingFault(`a posting moves more than nothing, not ${amount}`)
  if (debit.assetId !== credit.assetId) throw new PostingFault(`from ${debit.assetId} to ${credit.assetId}`)
  if (accountId(debit) === accountId(credit)) throw new PostingFault(`from ${accountId(debit)} to itself`)
  if (debit.merchantId && credit.merchantId && debit.merchantId !== credit.merchantId) {
    throw new PostingFault('between two merchants money passes through the house')
  }
  return { kind, debit, credit, amount }
}

/** Groups postings under one source. Throws PostingFault if there are none. */
export function groupPostings(source: string, postings: Posting[]): PostingGroup {
  if (postings.length === 0) throw new PostingFault(`${source} moves nothing`)
  return { source, postings }
}

/**
 * Returns the reversal of a group: debits and credits swapped, in reverse order. Throws PostingFault for a reversal.
 */
export function reverseGroup(original: PostingGroup): PostingGroup {
  if (original.reverses) throw new PostingFault('a reversal is not reversed')
  return {
    source: `reversal:${original.source}`,
    reverses: original.source,
    postings: original.postings
      .map(({ kind, debit, credit, amount }) => ({ kind, debit: credit, credit: debit, amount }))
      .reverse(),
  }
}

/**
 * Returns the balance of each account after the groups, by account id. The house accounts `chain` (an asset) and `gas`
 * (an expense) increase with debits; all other accounts increase with credits.
 */
export function sumBalances(groups: readonly PostingGroup[]): Map<string, bigint> {
  const found = new Map<string, bigint>()
  const add = (account: LedgerAccount, amount: bigint) => {
    const id = accountId(account)
    found.set(id, (found.get(id) ?? 0n) + (growsByDebit(account) ? -amount : amount))
  }
  for (const { debit, credit, amount } of groups.flatMap(each => each.postings)) {
    add(debit, -amount)
    add(credit, amount)
  }
  return found
}

const growsByDebit = ({ merchantId, part }: LedgerAccount) =>
  merchantId === null && (part === 'chain' || part === 'gas')

/** An internal transfer of `amount` base units of an asset from one merchant to another. */
export interface InternalTransfer {
  id: string
  from: string
  to: string
  assetId: string
  amount: bigint
}

/** Returns the postings of an internal transfer. The money passes through the house, which keeps nothing. */
export const makeTransferPostings = ({ id, from, to, assetId, amount }: InternalTransfer): PostingGroup =>
  groupPostings(`transfer:${id}`, [
    makePosting('transfer', availableAccount(from, assetId), houseAccount('suspense', assetId), amount),
    makePosting('transfer', houseAccount('suspense', assetId), availableAccount(to, assetId), amount),
  ])
