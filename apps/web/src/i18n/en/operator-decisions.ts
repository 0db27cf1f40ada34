import { decisionNames } from '@coffer/contract/operator/names.ts'
import { plural } from '../../lib/plural.ts'

/** Texts of the console about what two operators decide. */
export default {
  decisions: decisionNames.en,
  waitsForSecond: 'Waits for a second operator',
  waitsForSecondText: 'Nothing of this has happened yet. A request ends after 24 hours.',
  askedBy: 'Asked by',
  until: 'Until',
  agree: 'Agree',
  oldestWaits: (wait: string) => `oldest waits for ${wait}`,
  unsent: (count: number) => `${count} ${plural(count, 'payout is', 'payouts are')} not sent:`,
  failedTimes: (count: number) => `${count} ${plural(count, 'failure', 'failures')}`,
  todoRelease: (amount: string, token: string) => `${amount} ${token} to release with a passkey`,
  heldInUsdt: 'Held, in USDT',
  heldInAll: 'Held in all',
  owedInAll: 'owed to merchants',
  isWanted: 'What is asked',
  inWords: 'Why, in words that others can judge by',
  reasonTooShort: 'At least 8 characters, not all the same',
  stake: 'At stake',
  whyStopped: 'Stopped because',
  missing: 'Missing',
  stakeFacts: {
    missing: 'Missing',
    payouts: 'Payouts in it',
    deposits: 'Deposits concerned',
    nonce: 'Nonce',
    from: 'From the hot wallet',
    to: 'To the treasury',
    amount: 'Amount',
    cancels: 'Payouts canceled for it',
  },
  empty: 'Move all to the treasury',
  emptyText:
    'For when the key may have leaked. The wallet is halted, payouts that are in no block are canceled, and all that it has goes to the treasury that the signer’s policy names, and nowhere else, until the wallet is resumed.',
  noTreasury: 'Nothing can be moved: the policy of the signer names no treasury here, or the signer does not answer.',
  moves: 'Moves to the treasury',
  noMoves: 'Nothing was sent yet: the wallet has nothing that pays its own fee, or the signer does not answer',
  moveStates: {
    signing: 'To be signed',
    sent: 'Sent',
    in_block: 'In a block',
    arrived: 'Arrived',
    failed: 'Failed',
  },
  abandon: 'Abandon',
  abandonText:
    'What it carries counts as not paid, and can be paid again. Do it only if the transaction that used the nonce paid nothing of it.',
  block: 'Block',
  payment: 'Payment',
  decidesAlone: 'You decide this alone: no other operator can do it, or could within the last day. It is recorded.',
  decidesBelow: (limit: string) => `You decide this alone, up to ${limit} USDT.`,
  decidesTwo: (limit: string) =>
    `It is above ${limit} USDT: another operator must ask for the same within 24 hours. Only then does it happen.`,
  decidesSecond: (who: string, reason: string) => `${who} has asked for it: “${reason}”. With you it happens at once.`,
  decidesRaised: (limit: string) =>
    `Limits that are raised above ${limit} USDT, or asking no operator above it, take another operator, who must ask for the same within 24 hours.`,
  askedAlready: 'You have asked for it. It waits for another operator.',
}
