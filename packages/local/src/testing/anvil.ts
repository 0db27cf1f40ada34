import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil } from '../anvil.ts'
import type { Scope } from './postgres.ts'

/**
 * Starts a new chain that ends with the scope. Defaults: chain id 31337, one block per transaction.
 */
export async function withAnvil(
  scope: Scope,
  options: { chainId?: number; blockTime?: number; genesisTime?: number } = {},
): Promise<Anvil> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-test-anvil-'))
  const anvil = await startAnvil({ folder, chainId: 31337, keep: false, ...options })
  scope.after(async () => {
    await anvil.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return anvil
}
