import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { kindNames } from '@coffer/chains'
import { Problem } from '@coffer/local/problem.ts'
import { xpubVariable } from '../config.ts'
import { readChainsFile } from '../outside/chains-file.ts'
import { Keys } from '../signer/keys.ts'
import { CAREFUL, policyFor, writePolicy } from '../signer/policy-file.ts'
import { createSeedFile, openSeedFile } from '../signer/seed-file.ts'

/**
 * `coffer signer init`: creates the signer's folder with a new seed and a cautious policy for the chains of COFFER_CHAINS.
 * Returns the recovery phrase and the public keys. Needs no database. The passphrase is read from the file named by
 * COFFER_SIGNER_PASSPHRASE_FILE or from COFFER_SIGNER_PASSPHRASE.
 * @throws Problem when a setting is missing or a seed exists
 */
export async function initSigner(env: NodeJS.ProcessEnv): Promise<string> {
  const dataDir = resolve(env.COFFER_DATA ?? '.coffer')
  const folder = join(dataDir, 'signer')
  const seedFile = join(folder, 'seed.json')
  if (existsSync(seedFile)) throw new Problem(`${seedFile} already exists: a seed is never replaced`)
  const { COFFER_SIGNER_PASSPHRASE_FILE: file } = env
  const passphrase = file ? readPassphrase(file) : env.COFFER_SIGNER_PASSPHRASE
  if (!passphrase) throw new Problem('COFFER_SIGNER_PASSPHRASE is not set: it encrypts the seed')
  const chains = await readChainsFile(env.COFFER_CHAINS ?? join(dataDir, 'chains.json'))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const phrase = await createSeedFile(seedFile, passphrase)
  const policyFile = join(folder, 'policy.json')
  await writePolicy(
    policyFile,
    policyFor(
      chains.map(chain => chain.definition),
      CAREFUL,
    ),
  )
  const keys = new Keys(await openSeedFile(seedFile, passphrase))
  return [
    'Recovery phrase, shown only once. Anyone who has it controls the funds: write it down and store it safely.',
    phrase,
    `The signing limits are in ${policyFile}. Review them before you start.`,
    'Settings for the server:',
    ...kindNames.map(kind => `${xpubVariable(kind)}=${keys.xpub(kind)}`),
  ].join('\n\n')
}

function readPassphrase(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new Problem(`COFFER_SIGNER_PASSPHRASE_FILE cannot be read (${(error as Error).message})`)
  }
}
