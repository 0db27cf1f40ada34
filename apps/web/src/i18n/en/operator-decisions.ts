import { decisionNames } from '@coffer/contract/operator/names.ts'

/** Texts of the console about what two operators decide. */
export default {
  decisions: decisionNames.en,
  waitsForSecond: 'Waits for a second operator',
  waitsForSecondText: 'Nothing of this has happened yet. A request ends after 24 hours.',
  askedBy: 'Asked by',
  until: 'Until',
  agree: 'Agree',
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
    amount: 'Amount',
    nonce: 'Nonce',
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
