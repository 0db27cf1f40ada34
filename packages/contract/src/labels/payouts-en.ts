/** Why a payout waits or ended, by what the server stores; others are shown as stored. */
export const payoutReasons: Record<string, string> = {
  'policy: with the last 24 hours': 'With what was sent in the last 24 hours, it needs approval',
  'signer: daily_limit': 'The limit of 24 hours for payouts is reached. It is sent as soon as there is room.',
  'signer: fee_too_high': 'Network fees are above the limit. It is sent once they fall.',
  'signer: passkey_required': 'Payouts of this size are released by a person, who has not done so yet.',
  'signer: passkey_invalid': 'Payouts of this size are released by a person, who has not done so yet.',
  'signer: passkey_used': 'Payouts of this size are released by a person, who has not done so yet.',
  reverted: 'The chain did not execute the transaction.',
  'the token logged no transfer': 'The token reported success, but moved nothing.',
  'nonce used up by a transaction that is not ours': 'Another transaction took its place on the chain.',
  cancelled: 'The operator canceled it.',
  'signer: too_large': 'The amount is above the limit of one payout.',
  'signer: bad_address': 'The address cannot be paid.',
  'signer: not_on_list': 'The address is not on the operator’s list of destinations.',
  'signer: asset_not_allowed': 'This token is not paid out at the moment.',
  'signer: unknown_chain': 'Nothing is paid out on this network at the moment.',
}
