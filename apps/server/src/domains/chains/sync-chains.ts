import type { ChainDefinition } from '@coffer/chains'
import { Problem } from '@coffer/local/problem.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { isTaken } from '../../kit/taken.ts'
import { changedContracts, changedDecimals, writeChains } from './assets.ts'

/**
 * Writes the configured chains with their assets into the database, at every start; chains and tokens that are no longer
 * configured are kept and taken no more. Throws a Problem when a token's decimals or symbol changed, or its
 * contract after something came in it: amounts were written by them.
 */
export async function syncChains(deps: Pick<Deps, 'pool' | 'chains'>): Promise<void> {
  const definitions: ChainDefinition[] = [...deps.chains.values()].map(chain => chain.definition)
  await tx(deps.pool, async c => {
    const [changed] = await changedDecimals(c, definitions)
    if (changed) {
      throw new Problem(
        `${changed.id} has ${changed.decimals} decimals in the database and another number in the configuration. A token's decimals never change: correct the configuration.`,
      )
    }
    const [moved] = await changedContracts(c, definitions)
    if (moved) {
      throw new Problem(
        `${moved.id} came in the contract ${moved.contract} and is configured with another. Another contract is another token: give it a symbol of its own.`,
      )
    }
    await writeChains(c, definitions)
  }).catch(error => {
    if (!isTaken(error, 'assets_contract')) throw error
    const [, of] = /=\((.*)\) already/.exec(error.detail) ?? []
    throw new Problem(
      `The contract or coin of (${of}) has another symbol in the database than in the configuration. A symbol never changes: correct the configuration.`,
    )
  })
}
