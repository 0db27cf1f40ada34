/** Why a payout waits or ended, by what the server stores; others are shown as stored. */
export const payoutReasons: Record<string, string> = {
  'policy: with the last 24 hours': 'With what was sent in the last 24 hours, it needs a second approval',
  'signer: daily_limit': 'The limit of 24 hours for payouts is reached. It is sent as soon as there is room.',
  'signer: worth_unknown': 'The operator has not said yet what this token is worth. It is sent once that is set.',
  'signer: fee_too_high': 'Network fees are above the limit. It is sent once they fall.',
  'signer: passkey_required': 'Payouts of this size are released by a person, who has not done so yet.',
  'signer: passkey_invalid': 'Payouts of this size are released by a person, who has not done so yet.',
  'signer: passkey_used': 'Payouts of this size are released by a person, who has not done so yet.',
  'the destination refuses it': 'The address does not accept it: the network would not execute the transfer.',
  'the destination takes too much gas':
    'The address is a contract that takes more gas than is paid for a payout. Use a plain address.',
  'it could not be prepared': 'It could not be prepared, and was never sent.',
  'issuer: paused': 'The issuer has paused this token. It is sent once the issuer lets it move again.',
  'issuer: listed': 'The issuer of this token refuses our wallet. It is sent once that is settled.',
  'the token delivered less': 'It was paid, but less than the amount arrived: the token keeps a fee.',
  'out of energy': 'Its transaction ran out of gas or energy and was not executed. It is retried automatically.',
  'the balance did not rise':
    'The token logged the payout, but the balance of its receiver did not rise by it. Whether it was paid is not certain.',
  reverted: 'The chain did not execute the transaction.',
  'the token logged no transfer': 'The token logged no such transfer. Whether the receiver was paid is not certain.',
  'nonce used up by a transaction that is not ours': 'Another transaction took its place on the chain.',
  cancelled: 'The operator canceled it.',
  'signer: too_large': 'The amount is above the limit of one payout.',
  'signer: bad_address': 'The address cannot be paid.',
  'signer: not_on_list': 'The address is not on the operator’s list of destinations.',
  'signer: asset_not_allowed': 'This token is not paid out at the moment.',
  'signer: unknown_chain': 'Nothing is paid out on this network at the moment.',
}
