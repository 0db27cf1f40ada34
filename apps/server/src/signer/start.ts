import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ChainDefinition } from '@coffer/chains'
import { SignerClient } from './client.ts'
import { GENEROUS, policyFor, writePolicy } from './policy-file.ts'
import { createSeedFile } from './seed-file.ts'

export type RunningSigner = {
  client: SignerClient
  process: ChildProcess
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts the signer as a child that ends with us.
 * @param folder the signer's own folder, with seed.json and policy.json in it
 * @throws Error with the signer's own words when it cannot start
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
 * Gives a sandbox a signer without being asked anything: seed and passphrase at the first start, and the policy for
 * today's contracts at every start.
 */
export async function prepareSandboxSigner(folder: string, chains: ChainDefinition[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const secret = join(folder, 'passphrase')
  if (!existsSync(secret)) await writeFile(secret, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  const seed = join(folder, 'seed.json')
  if (!existsSync(seed)) await createSeedFile(seed, (await readFile(secret, 'utf8')).trim())
  await writePolicy(join(folder, 'policy.json'), policyFor(chains, GENEROUS))
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let words = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-2_000)
    })
    createInterface(child.stdout!).once('line', line => resolve(line.replace(/^ready /, '')))
    child.once('error', reject)
    child.once('exit', () => reject(new Error(words.trim() || 'The signer ended before it was ready.')))
  })
}
