import { createHash } from 'node:crypto'
import { type ChainKind, type ChainView, chainKindNames, isChainKind } from '@coffer/chains'
import { OperatorProblem } from '@coffer/local/problem.ts'
import type { Deps } from '../../deps.ts'
import { holdIfCopied } from './hold-copy.ts'
import { skipUsedAddresses } from './skip-addresses.ts'
import { addFingerprints, firstAddresses, readAnySealedSecret, readFingerprints } from './store.ts'

/** Time allowed for the nodes of a chain to return its first block (ms). */
const genesisMs = 5_000

/** One thing that a start is configured with, and what to say when the database was started with another. */
interface Fingerprint {
  name: string
  value: string
  problem: (stored: string) => string
}

const xpubVariable = (kind: string) => `COFFER_XPUB_${kind.toUpperCase()}`

/** The fingerprint of an extended public key. */
export const digestXpub = (xpub: string): string => createHash('sha256').update(xpub).digest('hex').slice(0, 32)
const wrongTree = (kind: string) =>
  `${xpubVariable(kind)} is not the key that the addresses of this database come from: set the one that "coffer signer init" printed for it, or use another database`
const wrongSecret =
  'COFFER_SECRET is not the one that this database was started with: set that one, or to change it set COFFER_SECRET_PREVIOUS to that one and run "npm run coffer -- secret rotate"'

/**
 * Compares secret, key trees, networks and mode with those that the database was first started with. Chains whose nodes
 * do not answer are compared at a later start.
 * @returns one line per difference, and the fingerprints that the database does not have yet
 */
export async function compareFingerprints(
  deps: Deps,
): Promise<{ problems: string[]; fresh: { name: string; value: string }[] }> {
  const stored = await readFingerprints(deps.pool)
  const valuesOf = (name: string) => stored.filter(row => row.name === name).map(row => row.value)
  const configured = deps.config.mode === 'sandbox' ? [modeOf(deps)] : await fingerprintsOf(deps)
  const problems = configured.flatMap(({ name, value, problem }) => {
    const [known] = valuesOf(name)
    return known === undefined || known === value ? [] : [problem(known)]
  })
  const fresh = configured.filter(({ name }) => valuesOf(name).length === 0)
  if (deps.config.mode === 'sandbox') return { problems, fresh }
  const secrets = valuesOf('secret')
  const isWrong = secrets.length > 0 ? !secrets.every(id => deps.seal.keyIds.includes(id)) : !(await opensSeals(deps))
  if (isWrong) problems.push(wrongSecret)
  if (!secrets.includes(deps.seal.keyId)) fresh.push({ name: 'secret', value: deps.seal.keyId, problem: () => '' })
  return { problems: [...problems, ...(await otherTrees(deps, problems))], fresh }
}

/**
 * Binds the database to this configuration at its first start, and checks it at each later one.
 * @throws Problem with one line per difference
 */
export async function bindInstallation(deps: Deps): Promise<void> {
  const { problems, fresh } = await compareFingerprints(deps)
  if (problems.length > 0) throw new OperatorProblem(problems.join('\n'))
  const column = (name: 'name' | 'value') => fresh.map(row => row[name])
  await addFingerprints(deps.pool, column('name'), column('value'), deps.clock())
  if (deps.config.mode !== 'production') return
  await holdIfCopied(deps)
  await skipUsedAddresses(deps)
}

const modeOf = ({ config: { mode } }: Deps): Fingerprint => ({
  name: 'mode',
  value: mode,
  problem: stored =>
    `DATABASE_URL names a database of the ${stored}, and COFFER_MODE is ${mode}: the two never share one`,
})

async function fingerprintsOf(deps: Deps): Promise<Fingerprint[]> {
  const xpubs = Object.entries(deps.config.xpubs).filter(([, xpub]) => xpub)
  return [
    modeOf(deps),
    ...xpubs.map(([kind, xpub]) => ({
      name: `xpub ${kind}`,
      value: digestXpub(xpub),
      problem: () => wrongTree(kind),
    })),
    ...[...deps.chains.values()].map(({ definition: { id, chainId } }) => ({
      name: `chain ${id}`,
      value: String(chainId),
      problem: (stored: string) =>
        `chain ${id} has the chain id ${chainId} in the chains file and ${stored} in the database: another chain needs an id of its own`,
    })),
    ...(await Promise.all([...deps.chains.values()].map(chain => genesisOf(deps, chain)))).flat(),
  ]
}

async function genesisOf(deps: Deps, chain: ChainView): Promise<Fingerprint[]> {
  const { id } = chain.definition
  const late = new Promise<null>(resolve => setTimeout(resolve, genesisMs, null).unref())
  const block = await Promise.race([chain.blockAt(0), late]).catch(() => null)
  if (!block) {
    deps.log.warn(
      { chain: id },
      'no node returned the first block of a chain; its network is compared at the next start',
    )
    return []
  }
  const problem = (stored: string) =>
    `the nodes of chain ${id} begin with the block ${block.hash} and the database's with ${stored}: they belong to another network`
  return [{ name: `genesis ${id}`, value: block.hash, problem }]
}

/** Whether the secret opens what the database has sealed. True when it has sealed nothing. */
async function opensSeals({ pool, seal }: Deps): Promise<boolean> {
  const row = await readAnySealedSecret(pool)
  try {
    if (row) seal.open(row.webhook_secret, { column: 'applications.webhook_secret', row: row.appid })
    return true
  } catch {
    return false
  }
}

/** Key trees that do not yield the addresses given out before, for databases from before fingerprints. */
async function otherTrees(deps: Deps, known: string[]): Promise<string[]> {
  const rows = await firstAddresses(deps.pool, chainKindNames)
  const isWrong = ({ chain_kind, address, key_index }: (typeof rows)[number]) =>
    isChainKind(chain_kind) &&
    deps.config.xpubs[chain_kind as ChainKind] &&
    deps.addressAt(chain_kind, key_index) !== address
  return rows
    .filter(isWrong)
    .map(row => wrongTree(row.chain_kind))
    .filter(line => !known.includes(line))
}
