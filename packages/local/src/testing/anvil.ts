import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil } from '../anvil.ts'
import type { Scope } from './postgres.ts'

/**
 * Gives a fresh chain of its own that ends with the scope.
 * Takes the scope of the test, and the chain's id (31337) and seconds between blocks (none: a block for each transaction).
 */
export async function withAnvil(scope: Scope, options: { chainId?: number; blockTime?: number } = {}): Promise<Anvil> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-test-anvil-'))
  const anvil = await startAnvil({ folder, chainId: 31337, keep: false, ...options })
  scope.after(async () => {
    await anvil.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return anvil
}
