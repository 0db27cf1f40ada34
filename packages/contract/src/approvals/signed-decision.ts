export type ApprovalDecision = 'approve' | 'reject'

/** A withdrawal as whoever decides about it sees it. Amounts are in the token. */
interface ShownWithdrawal {
  id: string
  amount: string
  token: string
  chain: string
  address: string
}

/**
 * Returns what a passkey signs to decide about withdrawals: the decision, and by its number what each pays to whom.
 * Page and server make it of what the page shows and of what is stored, so that only what was shown is decided.
 */
export const describeSignedDecision = (
  decision: ApprovalDecision,
  shown: readonly ShownWithdrawal[],
): Record<string, string> => ({
  decision,
  ...Object.fromEntries(
    shown.map(({ id, amount, token, chain, address }) => [id, `${amount} ${token} (${chain}), ${address}`]),
  ),
})
