import type { Deps } from '../../deps.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readChain } from '../chains/store.ts'
import { insertRequest } from './store.ts'

/** Requests that all deposits of a chain be swept, whatever they are worth, for the operator. */
export async function sweepNow(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { chainId }: { chainId: string },
): Promise<void> {
  if (!(await readChain(pool, chainId))?.enabled) throw new Refusal('parameter_error', { field: 'chain' })
  await insertRequest(pool, newId(), chainId, null, clock())
}
