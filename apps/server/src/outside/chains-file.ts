import { readFile } from 'node:fs/promises'
import {
  type ChainDefinition,
  chainAdapters,
  customChainDefaults,
  type Endpoint,
  mainnets,
  type SiblingToken,
  type TokenDefinition,
} from '@coffer/chains'
import { z } from 'zod'
import { ConfigProblem } from '../config.ts'
import type { WatchedChain } from './world.ts'

const url = z.url({ protocol: /^https?$/ })
/** Any other name is a URL that the kind of the chain may ask for (`nodeUrls`). */
const node = z.object({ url, headers: z.record(z.string(), z.string()).optional() }).catchall(url)
const token = z.strictObject({
  symbol: z.string().regex(/^[A-Z0-9]{2,12}$/),
  /** As shown by the chain's explorers. */
  contract: z.string().max(64),
  decimals: z.int().min(0).max(36),
  /** Storage slot of the mapping of balances. */
  balanceSlot: z.int().min(0).max(1_000_000).optional(),
})
const explorer = z.strictObject({ tx: z.string(), address: z.string(), block: z.string() })
const entry = z.strictObject({
  /** A known chain, by its key in `mainnets`, or the id of a new one, which must then be described in full. */
  id: z.string().regex(/^[a-z0-9-]{2,32}$/),
  nodes: z.array(node).min(1).max(10),
  confirmations: z.int().min(1).max(10_000).optional(),
  tokens: z
    .array(z.union([z.string(), token]))
    .max(50)
    .optional(),
  name: z.string().optional(),
  network: z.string().optional(),
  chainId: z.int().positive().optional(),
  /** False if what its blocks hold cannot be verified by hashes. */
  roots: z.boolean().optional(),
  /** Every how many blocks one may hold what no root covers; 0: none may. */
  unrootedEvery: z.int().min(0).max(1_000_000).optional(),
  /** Address of Multicall3. */
  multicall: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .optional(),
  /** Whether accounts can be delegated to contracts (EIP-7702). */
  delegates: z.boolean().optional(),
  blockTime: z.number().positive().optional(),
  /** Least amounts of deposits, by symbol. */
  minimum: z.record(z.string(), z.string().regex(/^\d{1,30}(\.\d{1,36})?$/)).optional(),
  /** Whether gas pays for data on layer 1, as on Arbitrum. */
  layer1Gas: z.boolean().optional(),
  /** The most gas of one transfer. */
  mostGas: z.int().min(21_000).max(30_000_000).optional(),
  /** What the chain charges beyond gas. */
  surcharge: z.strictObject({ stack: z.literal('op'), most: z.string().regex(/^\d{1,9}(\.\d{1,18})?$/) }).optional(),
  /** Least and most priority fee that is first offered, in gwei. */
  tip: z
    .strictObject({ least: z.number().min(0), most: z.number().positive().max(1_000_000) })
    .refine(({ least, most }) => least <= most, 'the least is above the most')
    .optional(),
  native: z.strictObject({ symbol: z.string(), decimals: z.int() }).optional(),
  explorer: explorer.nullable().optional(),
})
const file = z.strictObject({ chains: z.array(entry).min(1).max(50) })

/**
 * Reads the operator's chains file.
 * @throws ConfigProblem naming the first error
 */
export async function readChainsFile(path: string): Promise<WatchedChain[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch {
    throw new ConfigProblem(
      `the chains file ${path} cannot be read: set COFFER_CHAINS to its path (docs/operator.md shows its format)`,
    )
  }
  return parseChains(text, path)
}

/** Parses the text of a chains file; `path` is used in messages only. */
export function parseChains(text: string, path: string): WatchedChain[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new ConfigProblem(`${path} is not JSON: ${(error as Error).message}`)
  }
  const parsed = file.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigProblem(`${path}: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  const ids = parsed.data.chains.map(chain => chain.id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice) throw new ConfigProblem(`${path}: chain ${twice} is listed twice`)
  return parsed.data.chains.map(chain => {
    const definition = define(chain, path)
    const nodes = chain.nodes.map(each => endpoint(each, definition, path))
    refuseTwice(nodes, chain.id, path)
    return { definition, nodes }
  })
}

/** Refuses a node that is listed twice by some interface: it would have two votes, and hardly be told from itself. */
function refuseTwice(nodes: readonly Endpoint[], id: string, path: string): void {
  const seen = new Set<string>()
  for (const [i, { url, urls }] of nodes.entries())
    for (const [name, address] of Object.entries({ url, ...urls })) {
      const place = `${name} ${new URL(address).href.replace(/(?<!\/)\/+$/, '')}`
      if (seen.has(place))
        throw new ConfigProblem(`${path}: chain ${id} lists its node ${i + 1} twice: it would have two votes`)
      seen.add(place)
    }
}

/** Checks the URLs of a node against the kind of its chain. */
function endpoint(
  { url, headers, ...more }: z.output<typeof node>,
  { id, kind }: ChainDefinition,
  path: string,
): Endpoint {
  const { nodeUrls } = chainAdapters[kind]
  for (const [name, { what, required }] of Object.entries(nodeUrls))
    if (required && !more[name]) throw new ConfigProblem(`${path}: a node of chain ${id} needs "${name}": ${what}`)
  const extra = Object.keys(more).find(name => !Object.hasOwn(nodeUrls, name))
  if (extra) {
    const others = Object.values(mainnets).filter(chain => Object.hasOwn(chainAdapters[chain.kind].nodeUrls, extra))
    const only = others.length > 0 ? `only ${others.map(chain => chain.name).join(' and ')} has` : 'no chain has'
    throw new ConfigProblem(`${path}: a node of chain ${id} has "${extra}", which ${only}`)
  }
  const bare = Object.entries(more).map(([name, address]) => [name, address.replace(/(?<!\/)\/+$/, '')])
  return { url, ...(bare.length > 0 && { urls: Object.fromEntries(bare) }), ...(headers && { headers }) }
}

function define(chain: z.output<typeof entry>, path: string): ChainDefinition {
  const known = mainnets[chain.id]
  const { id, nodes: _, tokens, ...rest } = chain
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const base: Partial<ChainDefinition> = known ?? customChainDefaults
  if (rest.roots && (known?.roots === false || !chainAdapters[base.kind!].roots))
    throw new ConfigProblem(`${path}: what blocks of chain ${id} hold cannot be verified: leave out "roots"`)
  const minimum = { ...base.minimum, ...chain.minimum }
  const chosen = chooseTokens(known, tokens, id, path)
  const siblings = known?.siblings?.filter(({ contract }) => chosen.every(each => each.contract !== contract))
  const definition = { ...base, ...given, id, minimum, tokens: chosen, ...(siblings && { siblings }) }
  for (const field of ['name', 'network', 'chainId', 'confirmations', 'blockTime', 'native'] as const)
    if (definition[field] === undefined)
      throw new ConfigProblem(`${path}: chain ${id} is not a known chain, so it needs "${field}"`)
  const symbols = [definition.native?.symbol, ...definition.tokens.map(each => each.symbol)]
  const unknown = Object.keys(chain.minimum ?? {}).find(symbol => !symbols.includes(symbol))
  if (unknown) throw new ConfigProblem(`${path}: chain ${id} has a minimum of ${unknown}, which is none of its assets`)
  return definition as ChainDefinition
}

function chooseTokens(
  known: ChainDefinition | undefined,
  tokens: z.output<typeof entry>['tokens'],
  id: string,
  path: string,
) {
  if (!tokens) return known?.tokens ?? []
  return tokens.map(wanted => {
    if (typeof wanted !== 'string') {
      const contract = chainAdapters[(known ?? customChainDefaults).kind].address.parse(wanted.contract)
      const of = known?.siblings?.find(each => each.contract === contract)?.of
      if (contract) return { ...wanted, contract, ...(of && { of }) }
      throw new ConfigProblem(
        `${path}: the contract of token ${wanted.symbol} is not an address of chain ${id}: copy it from the chain's explorer`,
      )
    }
    const sibling = known?.siblings?.find(each => each.symbol === wanted)
    const found = known?.tokens.find(each => each.symbol === wanted) ?? (sibling && tokenOf(sibling))
    if (!found)
      throw new ConfigProblem(
        `${path}: token ${wanted} of chain ${id} is not a known token: give its contract and decimals`,
      )
    return found
  })
}

/** A sibling that the operator lists is a token like others, valued by the one that it stands for. */
const tokenOf = ({ issuer: _, ...token }: SiblingToken): TokenDefinition => token
