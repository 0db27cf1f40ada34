/** A stored deposit, or a transfer that is not stored, beside what the chain has. */
export interface DepositComparison {
  /**
   * State of the stored deposit. `doubted`: credited, but its block left the chain. `none`: the transfer is not stored.
   */
  stored: 'none' | 'seen' | 'credited' | 'doubted' | 'dropped' | 'undone'
  /**
   * The chain's version of the deposit. `retimed`: the same in a block of another time. `changed`: another amount or
   * receiver. `unread`: its blocks were read without its asset.
   */
  chain: 'same' | 'retimed' | 'changed' | 'missing' | 'unread'
  /** Whether its block has reached confirmation depth and its content is certain. */
  isFinal: boolean
  /** Whether final blocks are read again to repair credits that differ. */
  repairs: boolean
  /** Whether it must not be credited now: its token is on hold, or is to be compared with balances first. */
  isHeld: boolean
  /** Whether it was given back to its sender, or is on its way: its money has left the merchant's balance. */
  isGivenBack?: boolean
}

/**
 * The steps for a deposit. `see` treats it as a new one; `place` records the block that the chain has it in; `restore`
 * also ends its doubt; `replace` reverses its credit and credits what the chain has; `ask` reverses its credit and
 * leaves what the chain has to wait; `hold` leaves it to wait in place of a credit.
 */
export type DepositStep = 'drop' | 'see' | 'place' | 'restore' | 'replace' | 'ask' | 'doubt' | 'credit' | 'hold'

/** Steps in order, and the kind of incident to record for the operator. */
export interface DepositOutcome {
  steps: readonly DepositStep[]
  incident?: 'deposit_denied' | 'deposit_changed' | 'undone_deposit_is_back'
}

const unchanged: DepositOutcome = { steps: [] }

/** Decides what becomes of a deposit. A credit is never reversed unless the operator requested a repair. */
export function decideDepositOutcome(of: DepositComparison): DepositOutcome {
  const { stored, chain, isFinal, repairs, isHeld, isGivenBack = false } = of
  const isWaiting = stored === 'seen' && isFinal
  // guard: token-held
  const credit = isHeld ? 'hold' : 'credit'
  const isCredited = stored === 'credited' || stored === 'doubted'
  // An asset that is no longer accepted is not read: its stored deposits count as seen.
  if (chain === 'unread') return isWaiting ? { steps: [credit] } : unchanged
  if (chain === 'missing') {
    // guard: denied
    if (isWaiting) return { steps: ['drop'], incident: 'deposit_denied' }
    const isDoubtful = stored === 'credited' && isFinal && repairs
    return isDoubtful ? { steps: ['doubt'], incident: 'deposit_denied' } : unchanged
  }
  // guard: changed-credit
  if (isCredited && chain === 'changed') {
    const replaced = /* guard: decided-amount */ isHeld /* end */ ? 'ask' : 'replace'
    return { steps: repairs && !isGivenBack ? [replaced] : [], incident: 'deposit_changed' }
  }
  if (stored === 'undone') return { steps: ['place'], incident: 'undone_deposit_is_back' }
  if (stored === 'doubted') return { steps: ['restore'] }
  if (stored === 'credited') return { steps: ['place'] }
  const differs = stored === 'seen' && chain !== 'same'
  const taken: DepositStep[] = differs ? ['drop', 'see'] : stored === 'seen' ? ['place'] : ['see']
  return { steps: isFinal ? [...taken, credit] : taken }
}
