import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { tokenOnHold } from './assets.ts'
import { readChain } from './store.ts'

/** Seconds after which to ask again for what waits for a person, which takes hours as a rule. */
const personSeconds = 900

/**
 * Returns the refusal of a chain, or of a token on it, that takes no money now; null if it does. What waits for a
 * person is not to be requested again every few seconds.
 */
export function toClosedChainRefusal(
  { halted, started }: { halted: string | null; started: boolean },
  field?: string,
): Refusal | null {
  const named = field === undefined ? {} : { field }
  if (halted === null) return started ? null : new Refusal('chain_unavailable', named)
  const name = halted === tokenOnHold ? 'chain_unavailable' : 'chain_halted'
  return new Refusal(name, { ...named, retryAfter: personSeconds })
}

/** Returns the refusal of a chain whose nodes or wallets cannot serve a call now. */
export async function readClosedChainRefusal(
  deps: Pick<Deps, 'pool'>,
  chainId: string,
  field: string,
): Promise<Refusal> {
  const halted = (await readChain(deps.pool, chainId))?.halted ?? null
  return toClosedChainRefusal({ halted, started: true }, field) ?? new Refusal('chain_unavailable', { field })
}
