import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ChainDefinition } from '@coffer/chains'
import { SignerClient } from './client.ts'
import { buildSignerPolicy, readPolicy, SANDBOX_POLICY_LIMITS, writePolicy } from './policy-file.ts'
import { createRandomPassphrase, createRandomSeedFile } from './seed-file.ts'

export type RunningSigner = {
  client: SignerClient
  process: ChildProcess
  /** Resolves when the process has exited, for whatever reason. */
  ended: Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts the signer as a child that exits with this process.
 * @param folder the signer's folder, which holds seed.json and policy.json
 * @throws Error with the signer's message when it cannot start
 */
export async function startSigner(folder: string): Promise<RunningSigner> {
  const child = spawn(process.execPath, [join(import.meta.dirname, './main.ts'), folder, '--child'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.stdin.on('error', () => {})
  const path = await firstLine(child)
  const client = new SignerClient(path)
  const stop = async () => {
    client.close()
    child.stdin.end()
    await ended
  }
  return { client, process: child, ended, stop }
}

/**
 * Prepares a sandbox signer without prompts: creates seed and passphrase on the first start, and writes the policy for
 * the current contracts on every start, in which passkeys and treasuries that somebody wrote into it stay.
 */
export async function prepareSandboxSigner(folder: string, chains: ChainDefinition[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const secret = join(folder, 'passphrase')
  if (!existsSync(secret)) await writeFile(secret, `${createRandomPassphrase()}\n`, { mode: 0o600 })
  const seed = join(folder, 'seed.json')
  if (!existsSync(seed)) await createRandomSeedFile(seed, (await readFile(secret, 'utf8')).trim())
  const path = join(folder, 'policy.json')
  const before = existsSync(path) ? (await readPolicy(path)).chains : {}
  const policy = buildSignerPolicy(chains, SANDBOX_POLICY_LIMITS)
  for (const [chain, of] of Object.entries(policy.chains)) {
    of.passkeys = before[chain]?.passkeys ?? null
    of.treasury = before[chain]?.treasury ?? null
  }
  await writePolicy(path, policy)
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2_000)
    })
    createInterface(child.stdout!).once('line', line => resolve(line.replace(/^ready /, '')))
    child.once('error', reject)
    child.once('exit', () => reject(new Error(output.trim() || 'The signer exited before it was ready.')))
  })
}
