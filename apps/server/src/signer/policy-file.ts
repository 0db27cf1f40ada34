import { readFile, stat, writeFile } from 'node:fs/promises'
import {
  type ChainDefinition,
  type ChainKind,
  chainAdapters,
  isChainKind,
  isLost,
  isStoredAddress,
  mainnets,
} from '@coffer/chains'
import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { z } from 'zod'
import type { Keys } from './keys.ts'
import { parsePasskeyPublicKey } from './passkey.ts'
import type { AssetValue, ChainPolicy, SignerPolicy } from './policy.ts'

/** Limits in whole coins, and of all chains together in dollars. */
export type PolicyLimits = {
  token: { single: number; daily: number }
  native: { single: number; daily: number }
  daily: number | null
}

/** Limits of a new installation. The operator edits them in policy.json, beside the seed. */
export const INITIAL_POLICY_LIMITS: PolicyLimits = {
  token: { single: 10_000, daily: 50_000 },
  native: { single: 1, daily: 5 },
  daily: 50_000,
}

/** Limits of a sandbox, where coins are worthless. */
export const SANDBOX_POLICY_LIMITS: PolicyLimits = {
  token: { single: 1_000_000, daily: 100_000_000 },
  native: { single: 1_000, daily: 100_000 },
  daily: null,
}

/** Decimals of dollars in the policy. */
const dollarDecimals = 6
const dollars = (whole: number) => BigInt(whole) * 10n ** BigInt(dollarDecimals)

/** Dollars for one native coin, above what it ever cost. The operator sets others, also those that are not listed. */
const highest: Record<string, number> = { ETH: 5_000, BNB: 1_500, POL: 3, AVAX: 200, TRX: 1 }

/** The tokens of a chain and their siblings, which are swept and given back. */
const tokensOf = ({ tokens, siblings = [] }: Pick<ChainDefinition, 'tokens' | 'siblings'>) => [...tokens, ...siblings]

/** The most that the assets of a chain are worth. Listed tokens are stablecoins of one dollar. */
export function buildAssetValues(
  definition: Pick<ChainDefinition, 'native' | 'tokens' | 'siblings'>,
): Record<string, AssetValue> {
  const { native } = definition
  const coin = { dollars: dollars(highest[native.symbol] ?? 5_000), decimals: native.decimals }
  const worth: Record<string, AssetValue> = { native: coin }
  for (const { contract, decimals } of tokensOf(definition)) worth[contract] = { dollars: dollars(1), decimals }
  return worth
}

/** Builds the policy for the given chains and limits. */
export function buildSignerPolicy(definitions: ChainDefinition[], limits: PolicyLimits): SignerPolicy {
  const chains = Object.fromEntries(
    definitions.map(definition => {
      const { id, kind, chainId, native, delegates = false } = definition
      const { sending } = chainAdapters[kind]
      const coin = (sending?.scale ?? 1n) * 10n ** BigInt(native.decimals)
      const single = coin * BigInt(limits.native.single)
      const daily = coin * BigInt(limits.native.daily)
      const assets: ChainPolicy['assets'] = { native: { single, daily } }
      for (const token of tokensOf(definition)) assets[token.contract] = inUnits(limits.token, token.decimals)
      // Even a congested chain charges thousandths of a coin per transfer: a tenth is a mistake or an attack.
      const gas = { single: coin / (sending?.sweepPart ?? 50n), daily }
      const fee = { single: coin / 10n, daily }
      const batches = sending?.does.includes('batch') ?? false
      const worth = buildAssetValues(definition)
      const float = Object.fromEntries(Object.entries(assets).map(([asset, { single }]) => [asset, single]))
      const own = { treasury: null, float, onlyTo: null, passkeys: null }
      return [id, { kind, chainId, assets, gas, fee, ...own, batches, delegates, worth }]
    }),
  )
  return { daily: limits.daily === null ? null : dollars(limits.daily), chains }
}

/** Writes a policy as JSON, amounts as decimal strings. */
export async function writePolicy(path: string, { daily, chains }: SignerPolicy): Promise<void> {
  const shown = Object.entries(chains).map(([id, { worth, ...chain }]) => {
    const inDollars = Object.entries(worth).map(([asset, each]) => [asset, { ...each, dollars: inText(each.dollars) }])
    return [id, { ...chain, worth: Object.fromEntries(inDollars) }]
  })
  const file = { [allChains]: { daily: daily === null ? null : inText(daily) }, ...Object.fromEntries(shown) }
  const text = JSON.stringify(file, (_, value) => (typeof value === 'bigint' ? value.toString() : value), 2)
  await writeFile(path, `${text}\n`, { mode: 0o600 })
}

const inText = (millionths: bigint) => formatDecimal(millionths, dollarDecimals)
/** The entry of the file beside those of chains. */
const allChains = 'allChains'

const units = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt)
const dollarAmount = z.string().transform((text, c) => {
  const millionths = parseDecimal(text, dollarDecimals)
  if (millionths === null || millionths < 0n) c.addIssue('not an amount in dollars')
  return millionths ?? 0n
})
const limit = z.object({ single: units, daily: units })
const passkeys = z.object({
  rpId: z.string(),
  origin: z.url(),
  keys: z.array(z.string().refine(key => parsePasskeyPublicKey(key) !== null)).min(1),
  above: z.record(z.string(), units),
  aboveInAll: z.record(z.string(), units).default({}),
})
const chainFile = z.object({
  kind: z.custom<ChainKind>(isChainKind),
  chainId: z.int(),
  assets: z.record(z.string(), limit),
  gas: limit,
  fee: limit,
  onlyTo: z.array(z.string()).nullable(),
  passkeys: passkeys.nullable().default(null),
  // Absent in the policies of older versions.
  treasury: z.string().nullable().default(null),
  float: z.record(z.string(), units).default({}),
  batches: z.boolean().default(false),
  delegates: z.boolean().default(false),
  worth: z.record(z.string(), z.object({ dollars: dollarAmount, decimals: z.int().min(0).max(36) })).optional(),
})
const policyFile = z
  .object({ [allChains]: z.object({ daily: dollarAmount.nullable() }).optional() })
  .catchall(chainFile)

/**
 * Reads a policy.
 * @throws Error when other users can write the file, or naming the first invalid field
 */
export async function readPolicy(path: string): Promise<SignerPolicy> {
  if ((await stat(path)).mode & 0o022) throw new Error(`${path} is writable by other users. Set its mode to 600.`)
  const { data, error } = policyFile.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (error) throw new Error(`The signer's policy is invalid at ${error.issues[0]?.path.join('.') || 'policy'}.`)
  const { [allChains]: together, ...chains } = data
  const complete = Object.entries(chains as Record<string, z.output<typeof chainFile>>).map(([id, chain]) => {
    const known = Object.values(mainnets).find(each => each.kind === chain.kind && each.chainId === chain.chainId)
    const treasury = chain.treasury === null ? null : treasuryIn(id, chain.treasury, chain)
    return [id, { ...chain, treasury, worth: chain.worth ?? (known ? buildAssetValues(known) : {}) }] as const
  })
  return { daily: together?.daily ?? null, chains: Object.fromEntries(complete) }
}

/** The stored form of a treasury's address. @throws Error when it is no address that can hold the assets */
function treasuryIn(id: string, text: string, { kind, assets }: Pick<ChainPolicy, 'kind' | 'assets'>): string {
  const stored = isStoredAddress(kind, text) ? text : chainAdapters[kind].address.parse(text)
  if (stored === null || isLost(stored) || Object.hasOwn(assets, stored))
    throw new Error(`The signer's policy is invalid at ${id}.treasury.`)
  return stored
}

/**
 * Deposit addresses with which a treasury is compared at the start. The server compares it with all that were given
 * out.
 */
const comparedAddresses = 200

/** Refuses a treasury that this signer could spend from: what is there would not be out of reach. */
export function checkTreasuries({ chains }: SignerPolicy, keys: Pick<Keys, 'address'>): void {
  const ours = new Map<ChainKind, ReadonlySet<string>>()
  for (const [id, { kind, treasury }] of Object.entries(chains)) {
    if (treasury === null) continue
    if (!ours.has(kind)) ours.set(kind, addressesOf(kind, keys))
    if (ours.get(kind)!.has(treasury))
      throw new Error(`The treasury of ${id} is a wallet of this signer. Name one whose key is elsewhere.`)
  }
}

function addressesOf(kind: ChainKind, keys: Pick<Keys, 'address'>): ReadonlySet<string> {
  const names = ['hot', 'sweeper', ...Array(comparedAddresses).keys()] as const
  return new Set(names.map(name => keys.address(kind, name)))
}

function inUnits({ single, daily }: { single: number; daily: number }, decimals: number) {
  const one = 10n ** BigInt(decimals)
  return { single: BigInt(single) * one, daily: BigInt(daily) * one }
}
