import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { clearSwitch, requestReread, rereadApplies, setSwitch } from './store.ts'

/**
 * Asks for final blocks from a number on to be read again. Without `apply`, only what differs is reported, as an incident. Throws
 * Refusal('parameter_error') without such a chain or block.
 */
export async function askReread(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { chainId, block, apply }: { chainId: string; block: number; apply: boolean },
): Promise<void> {
  if (!(await requestReread(pool, chainId, block))) throw new Refusal('parameter_error', { field: 'chain or block' })
  if (apply) await setSwitch(pool, rereadApplies(chainId), 'operator', clock())
  else await clearSwitch(pool, rereadApplies(chainId))
}
