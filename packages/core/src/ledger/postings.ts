import { type Account, accountId } from './accounts.ts'

/** What a posting is for; the merchant's fund flow shows it. */
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

/** Takes `amount` base units from `debit` and gives them to `credit`. Both accounts are of the same asset. */
export type Posting = { kind: PostingKind; debit: Account; credit: Account; amount: bigint }

/**
 * Postings that happen together or not at all. `source` says what caused them and can be used once: `deposit:<id>`.
 * `reverses` names the source of the group that this one takes back.
 */
export type PostingGroup = { source: string; postings: Posting[]; reverses?: string }

/** A posting that cannot be. The store refuses the same; this says it earlier and says why. */
export class PostingFault extends Error {
  override name = 'PostingFault'
}

/** Makes one posting. Throws PostingFault when it would not move money between two accounts of one asset. */
export function posting(kind: PostingKind, debit: Account, credit: Account, amount: bigint): Posting {
  if (amount <= 0n) throw new PostingFault(`a posting moves more than nothing, not ${amount}`)
  if (debit.assetId !== credit.assetId) throw new PostingFault(`from ${debit.assetId} to ${credit.assetId}`)
  if (accountId(debit) === accountId(credit)) throw new PostingFault(`from ${accountId(debit)} to itself`)
  if (debit.merchantId && credit.merchantId && debit.merchantId !== credit.merchantId) {
    throw new PostingFault('between two merchants money passes through the house')
  }
  return { kind, debit, credit, amount }
}

/** Puts postings under one source. Leaves out nothing; throws PostingFault when there is nothing. */
export function group(source: string, postings: Posting[]): PostingGroup {
  if (postings.length === 0) throw new PostingFault(`${source} moves nothing`)
  return { source, postings }
}

/** The group that takes another back: the same amounts the other way, in the opposite order. */
export function reversal(original: PostingGroup): PostingGroup {
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
 * What each account holds after the groups, in their order, by account id. A merchant's balance grows by credits; of the
 * house, `chain` and `gas` are what it has and has spent, and so grow by debits.
 */
export function balances(groups: readonly PostingGroup[]): Map<string, bigint> {
  const found = new Map<string, bigint>()
  const add = (account: Account, amount: bigint) => {
    const id = accountId(account)
    found.set(id, (found.get(id) ?? 0n) + (growsByDebit(account) ? -amount : amount))
  }
  for (const { debit, credit, amount } of groups.flatMap(each => each.postings)) {
    add(debit, -amount)
    add(credit, amount)
  }
  return found
}

const growsByDebit = ({ merchantId, part }: Account) => merchantId === null && (part === 'chain' || part === 'gas')
