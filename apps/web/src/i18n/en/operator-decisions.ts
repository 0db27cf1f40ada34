import { decisionNames } from '@coffer/contract/operator/names.ts'
import { plural } from '../../lib/plural.ts'

/** Texts of the console about what two operators decide. */
export default {
  decisions: decisionNames.en,
  waitsForSecond: 'Waiting for a second operator',
  waitsForSecondText: 'None of this has taken effect yet. Requests expire after 24 hours.',
  askedBy: 'Requested by',
  until: 'Until',
  agree: 'Agree',
  oldestWaits: (wait: string) => `oldest waiting for ${wait}`,
  oldestLasts: (time: string) => `the oldest for ${time}`,
  unsent: (count: number) => `${count} ${plural(count, 'payout is', 'payouts are')} not sent:`,
  failedTimes: (count: number) => `${count} ${plural(count, 'failure', 'failures')}`,
  todoRelease: (amount: string, token: string) => `${amount} ${token} to release with a passkey`,
  holdings: 'Holdings (USDT)',
  holdingsInAll: 'Total holdings',
  owedInAll: 'owed to merchants',
  isWanted: 'Request',
  inWords: 'Reason, for other operators to decide by',
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
    'For when the key may have leaked. The wallet is halted, payouts not yet in a block are canceled, and everything it holds goes to the treasury named in the signer’s policy, and nowhere else, until the wallet is resumed.',
  noTreasury:
    'Nothing can be moved: the signer’s policy names no treasury for this network, or the signer does not answer.',
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
    `Above ${limit} USDT: it takes effect only once another operator requests the same within 24 hours.`,
  decidesUnpriced: (tokens: string) =>
    `Its value is not known, as no source has a price of ${tokens}: it takes effect only once another operator requests the same within 24 hours.`,
  decidesSecond: (who: string, reason: string) =>
    `${who} has requested it: “${reason}”. With your confirmation it takes effect at once.`,
  decidesRaised: (limit: string) =>
    `To raise a limit above ${limit} USDT, or to require no approval above it, another operator must request the same within 24 hours.`,
  askedAlready: 'You have requested it. It is waiting for another operator.',
}
