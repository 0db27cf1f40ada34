import { run } from '../../kit/db.ts'

/** Spends a challenge, also of a wallet, a link or work, until it would expire; returns 0 when it was spent before. */
export const spendChallenge = run(
  'passkey-challenge-spend',
  'insert into used_passkey_challenges (challenge_hash, expires_at) values ($1, $2) on conflict do nothing returning 1',
)
