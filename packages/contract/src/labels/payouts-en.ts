/** Why a payout waits or ended, by what the server stores; others are shown as stored. */
export const payoutReasons: Record<string, string> = {
  'signer: daily_limit': 'The limit of 24 hours for payouts is reached. It is sent as soon as there is room.',
  'signer: fee_too_high': 'Network fees are above the limit. It is sent once they fall.',
  'signer: passkey_required': 'Payouts of this size are released by a person, who has not done so yet.',
  'signer: passkey_invalid': 'Payouts of this size are released by a person, who has not done so yet.',
  'signer: passkey_used': 'Payouts of this size are released by a person, who has not done so yet.',
}
