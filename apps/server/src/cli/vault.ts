import { copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chainKindNames } from '@coffer/chains'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { xpubVariable } from '../config.ts'
import { signSweepDelegations } from '../domains/sweeps/authorizations.ts'
import { readChainsFile } from '../outside/chains-file.ts'
import type { Keys } from '../signer/keys.ts'
import { readPolicy } from '../signer/policy-file.ts'
import { createVaultFile, openSeedFile } from '../signer/seed-file.ts'
import { signerPassphrase } from './signer.ts'

/**
 * `coffer signer vault <folder>`: creates the folder of a signer that pays and sweeps, but holds no key of a deposit
 * address, with the policy of this one. Needs the seed and no database; run it on a machine that stays offline.
 * @throws Problem or SeedProblem saying what is wrong
 */
export async function createSignerVault(env: NodeJS.ProcessEnv, target: string): Promise<string> {
  const { keys, folder, passphrase } = await openKeys(env)
  const to = resolve(target)
  await createVaultFile(join(to, 'seed.json'), passphrase, keys.vault())
  await copyFile(join(folder, 'policy.json'), join(to, 'policy.json'))
  return [
    `The keys of the wallets, without those of deposit addresses, are in ${to}, encrypted with the same passphrase.`,
    'Copy that folder to the machine of the signer. The recovery phrase and this machine’s seed stay offline.',
    ...chainKindNames.map(kind => `${xpubVariable(kind)}=${keys.xpub(kind)}`),
  ].join('\n\n')
}

/**
 * `coffer sweeper authorize <chain> <count> [start]`: signs in advance that deposit addresses may be swept, from the
 * index `start` on, and writes a line each: to the treasury of the policy or, without one, the hot wallet. Needs the
 * seed and the chains file, and no database.
 * @throws Problem or SeedProblem saying what is wrong
 */
export async function writeAuthorizations(
  env: NodeJS.ProcessEnv,
  [id = '', count = '', start = '0']: string[],
  write: (line: string) => void,
): Promise<void> {
  if (!/^[1-9]\d{0,6}$/.test(count) || !/^\d{1,9}$/.test(start))
    throw new OperatorProblem('Give a count of 1 to 9,999,999, and the index to start from, if not 0.')
  const chains = await readChainsFile(env.COFFER_CHAINS ?? join(resolve(env.COFFER_DATA ?? '.coffer'), 'chains.json'))
  const definition = chains.map(each => each.definition).find(each => each.id === id)
  if (!definition?.delegates || definition.chainId === undefined)
    throw new OperatorProblem(`${id} is no chain of the chains file on which addresses can be delegated.`)
  const { keys, folder } = await openKeys(env)
  const to = (await readPolicy(join(folder, 'policy.json'))).chains[id]?.treasury ?? keys.address('evm', 'hot')
  const chain = { id, chainId: definition.chainId, to }
  for await (const line of signSweepDelegations(keys, chain, Number(start), Number(count))) write(line)
}

async function openKeys(env: NodeJS.ProcessEnv): Promise<{ keys: Keys; folder: string; passphrase: string }> {
  const folder = join(resolve(env.COFFER_DATA ?? '.coffer'), 'signer')
  const passphrase = signerPassphrase(env)
  const keys = await openSeedFile(join(folder, 'seed.json'), passphrase)
  if (!keys.holdsDeposits)
    throw new OperatorProblem(`${folder} is that of a vault. Use the machine that has the recovery phrase.`)
  return { keys, folder, passphrase }
}
