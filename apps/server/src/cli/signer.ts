import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { chainKindNames } from '@coffer/chains'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { xpubVariable } from '../config.ts'
import { readChainsFile } from '../outside/chains-file.ts'
import { computeExposure } from '../signer/exposure.ts'
import { Keys } from '../signer/keys.ts'
import { buildSignerPolicy, INITIAL_POLICY_LIMITS, readPolicy, writePolicy } from '../signer/policy-file.ts'
import { createSeedFile, deriveSeedFromPhrase } from '../signer/seed-file.ts'

/**
 * `coffer signer init`: creates the signer's folder with a new seed and a cautious policy for the chains of
 * COFFER_CHAINS. Returns the recovery phrase and the public keys. Needs no database. The passphrase is read from the
 * file named by COFFER_SIGNER_PASSPHRASE_FILE or from COFFER_SIGNER_PASSPHRASE.
 * @throws Problem when a setting is missing or a seed exists
 */
export async function initSigner(env: NodeJS.ProcessEnv): Promise<string> {
  const place = await newPlace(env)
  const phrase = await createSeedFile(place.seedFile, place.passphrase)
  await place.addPolicy()
  return [
    'Recovery phrase, shown only once. Anyone who has it controls the funds: write it down and store it safely.',
    phrase,
    ...(await settingsOf(phrase, place.policyFile)),
  ].join('\n\n')
}

/**
 * `coffer signer restore`: like `initSigner`, with the seed of an existing recovery phrase, which `ask` returns. A
 * policy that exists is kept.
 * @throws Problem when the phrase is not that of the extended public keys in the environment; SeedProblem when it is
 *   invalid
 */
export async function restoreSigner(env: NodeJS.ProcessEnv, ask: (question: string) => Promise<string>) {
  const place = await newPlace(env)
  const phrase = await ask('Recovery phrase (it is not shown): ')
  const keys = new Keys(await deriveSeedFromPhrase(phrase))
  const other = chainKindNames
    .map(xpubVariable)
    .find((name, i) => env[name] && env[name] !== keys.xpub(chainKindNames[i]!))
  if (other)
    throw new OperatorProblem(
      `The recovery phrase is of another wallet than ${other}. Nothing was written: use the phrase of that wallet, or unset the variable.`,
    )
  await createSeedFile(place.seedFile, place.passphrase, phrase)
  await place.addPolicy()
  return [`The seed is restored in ${place.seedFile}.`, ...(await settingsOf(phrase, place.policyFile))].join('\n\n')
}

/** Reads one line from the terminal without showing it, or from what is piped in. */
export async function askHidden(question: string): Promise<string> {
  process.stderr.write(question)
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: process.stdin.isTTY === true })
  try {
    return await new Promise<string>(done => {
      lines.once('line', done)
      lines.once('close', () => done(''))
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/** Checks the settings, and that no seed would be replaced. */
async function newPlace(env: NodeJS.ProcessEnv) {
  const dataDir = resolve(env.COFFER_DATA ?? '.coffer')
  const folder = join(dataDir, 'signer')
  const seedFile = join(folder, 'seed.json')
  if (existsSync(seedFile)) throw new OperatorProblem(`${seedFile} already exists: a seed is never replaced`)
  const passphrase = signerPassphrase(env)
  const chains = await readChainsFile(env.COFFER_CHAINS ?? join(dataDir, 'chains.json'))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const policyFile = join(folder, 'policy.json')
  return {
    seedFile,
    passphrase,
    policyFile,
    async addPolicy() {
      if (existsSync(policyFile)) return
      const definitions = chains.map(chain => chain.definition)
      await writePolicy(policyFile, buildSignerPolicy(definitions, INITIAL_POLICY_LIMITS))
    },
  }
}

/** The passphrase of the seed. @throws Problem when it is not set */
export function signerPassphrase({ COFFER_SIGNER_PASSPHRASE_FILE: file, ...env }: NodeJS.ProcessEnv): string {
  const passphrase = file ? readPassphrase(file) : env.COFFER_SIGNER_PASSPHRASE
  if (passphrase) return passphrase
  throw new OperatorProblem('COFFER_SIGNER_PASSPHRASE is not set: it encrypts the seed')
}

async function settingsOf(phrase: string, policyFile: string): Promise<string[]> {
  const keys = new Keys(await deriveSeedFromPhrase(phrase))
  return [
    `The signing limits are in ${policyFile}. Review them before you start.`,
    await exposureText(policyFile),
    'Settings for the server:',
    ...chainKindNames.map(kind => `${xpubVariable(kind)}=${keys.xpub(kind)}`),
  ]
}

/** Says what the policy exposes, and proposes what lowers it. */
async function exposureText(policyFile: string): Promise<string> {
  const { per_day } = computeExposure(await readPolicy(policyFile), true)
  return [
    `With them who took over the server could take ${per_day} dollars in 24 hours. Lower that before you hold more:`,
    '- name passkeys of people who release large payouts ("passkeys", see docs/payouts.md);',
    '- name a wallet of your own as "treasury": deposits go there, and the hot wallets keep no more than "float";',
    '- or pay to wallets of your own only, named in "onlyTo";',
    '- run the signer without the keys of deposit addresses ("coffer signer vault").',
  ].join('\n')
}

function readPassphrase(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new OperatorProblem(`COFFER_SIGNER_PASSPHRASE_FILE cannot be read (${(error as Error).message})`)
  }
}
