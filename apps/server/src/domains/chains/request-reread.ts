import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { clearSwitch, requestReread, rereadApplySwitchName, setSwitch } from './store.ts'

/**
 * Requests that final blocks from a number on be read again. Without `apply`, differences are only reported, as
 * incidents. Throws Refusal('parameter_error') without such a chain or block.
 */
export const requestChainReread = (
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { chainId, block, apply }: { chainId: string; block: number; apply: boolean },
): Promise<unknown> =>
  tx(pool, async c => {
    // Locks the chain until the switch is written, too.
    if (!(await requestReread(c, chainId, block))) throw new Refusal('parameter_error', { field: 'chain or block' })
    return apply
      ? setSwitch(c, rereadApplySwitchName(chainId), 'operator', clock())
      : clearSwitch(c, rereadApplySwitchName(chainId))
  })
