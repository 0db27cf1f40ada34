import { readFile, stat, writeFile } from 'node:fs/promises'
import { type ChainDefinition, type ChainKind, isKind, kinds } from '@coffer/chains'
import { z } from 'zod'
import { readPasskey } from './passkey.ts'
import type { ChainPolicy, Policy } from './policy.ts'

/** Limits in whole coins. */
export type PolicyLimits = {
  token: { single: number; daily: number }
  native: { single: number; daily: number }
}

/** Limits of a new installation. The operator edits them in policy.json, beside the seed. */
export const CAREFUL: PolicyLimits = { token: { single: 10_000, daily: 50_000 }, native: { single: 1, daily: 5 } }

/** Limits of a sandbox, where coins are worthless. */
export const GENEROUS: PolicyLimits = {
  token: { single: 1_000_000, daily: 100_000_000 },
  native: { single: 1_000, daily: 100_000 },
}

/** Builds the policy for the given chains and limits. */
export function policyFor(chains: ChainDefinition[], limits: PolicyLimits): Policy {
  return Object.fromEntries(
    chains.map(({ id, kind, chainId, native, tokens, delegates = false }) => {
      const { sending } = kinds[kind]
      const coin = (sending?.scale ?? 1n) * 10n ** BigInt(native.decimals)
      const [single, daily] = [coin * BigInt(limits.native.single), coin * BigInt(limits.native.daily)]
      const assets: ChainPolicy['assets'] = { native: { single, daily } }
      for (const token of tokens) assets[token.contract] = inUnits(limits.token, token.decimals)
      // Even a congested chain charges thousandths of a coin per transfer: a tenth is a mistake or an attack.
      const gas = { single: coin / (sending?.sweepPart ?? 50n), daily }
      const fee = { single: coin / 10n, daily }
      const batches = sending?.does.includes('batch') ?? false
      return [id, { kind, chainId, assets, gas, fee, onlyTo: null, passkeys: null, batches, delegates }]
    }),
  )
}

/** Writes a policy as JSON, amounts as decimal strings. */
export async function writePolicy(path: string, policy: Policy): Promise<void> {
  const text = JSON.stringify(policy, (_, value) => (typeof value === 'bigint' ? value.toString() : value), 2)
  await writeFile(path, `${text}\n`, { mode: 0o600 })
}

const units = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt)
const limit = z.object({ single: units, daily: units })
const passkeys = z.object({
  rpId: z.string(),
  origin: z.url(),
  keys: z.array(z.string().refine(key => readPasskey(key) !== null)).min(1),
  above: z.record(z.string(), units),
  aboveInAll: z.record(z.string(), units).default({}),
})
const policyFile = z.record(
  z.string(),
  z.object({
    kind: z.custom<ChainKind>(isKind),
    chainId: z.int(),
    assets: z.record(z.string(), limit),
    gas: limit,
    fee: limit,
    onlyTo: z.array(z.string()).nullable(),
    passkeys: passkeys.nullable().default(null),
    // Absent in the policies of older versions.
    batches: z.boolean().default(false),
    delegates: z.boolean().default(false),
  }),
)

/**
 * Reads a policy.
 * @throws Error when other users can write the file, or naming the first invalid field
 */
export async function readPolicy(path: string): Promise<Policy> {
  if ((await stat(path)).mode & 0o022) throw new Error(`${path} is writable by other users. Set its mode to 600.`)
  const { data, error } = policyFile.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (error) throw new Error(`The signer's policy is invalid at ${error.issues[0]?.path.join('.') || 'policy'}.`)
  return data
}

function inUnits({ single, daily }: { single: number; daily: number }, decimals: number) {
  const one = 10n ** BigInt(decimals)
  return { single: BigInt(single) * one, daily: BigInt(daily) * one }
}
