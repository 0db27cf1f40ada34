import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil } from '../anvil.ts'
import type { Scope } from './postgres.ts'

/**
 * Starts a chain that ends with the scope: in `folder`, which keeps its state, or a new one. Defaults: chain id 31337,
 * one block per transaction. Tests start chains by this alone: one that nobody stops would keep their file from ending.
 */
export async function withAnvil(
  scope: Scope,
  options: { chainId?: number; blockTime?: number; genesisTime?: number; port?: number; folder?: string } = {},
): Promise<Anvil> {
  const keep = options.folder !== undefined
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'coffer-test-anvil-'))
  const anvil = await startAnvil({ chainId: 31337, ...options, keep, folder })
  scope.after(async () => {
    await anvil.stop()
    if (!keep) rmSync(folder, { recursive: true, force: true })
  })
  return anvil
}
