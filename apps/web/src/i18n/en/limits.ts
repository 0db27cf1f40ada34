/** Limits of a withdrawal policy, as merchants, approvers and operators read them. */
export default {
  ruleNames: {
    single: 'Per-withdrawal limit',
    window: 'Limit per period',
    destination: 'Only addresses of the address book',
    hours: 'Withdrawal hours',
    approval: 'Second approval',
    fresh_factor: 'Confirmation by passkey',
  },
  /** A rule that the platform sets, beside one of the same kind that is the merchant's own. */
  platform: (rule: string) => `${rule} (platform)`,
  /** The period of a limit, by its hours. */
  period: (hours: number) => (hours > 24 && hours % 24 === 0 ? `in ${hours / 24} days` : `in ${hours} hours`),
  within: (limit: string, period: string) => `${limit}\u00a0USDT ${period}`,
  /** Why a withdrawal needs more: what went to one recipient, or to all, without it in 24 hours. */
  aboveLimit: {
    destination: (limit: string, used: string) =>
      `Above ${limit} USDT to one recipient in 24 hours, ${used} already sent`,
    merchant: (limit: string, used: string) =>
      `Above ${limit} USDT to all recipients in 24 hours, ${used} already sent`,
  },
}
