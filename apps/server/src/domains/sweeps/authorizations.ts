import { chainAdapters, sweeperOf } from '@coffer/chains'
import { delegatorOf, isDelegationSignature, signDelegation } from '@coffer/chains/evm/delegation.ts'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { first, run } from '../../kit/db.ts'
import type { Keys } from '../../signer/keys.ts'
import { createWatchOnlyDeriver } from '../../signer/watch.ts'

const insert = run(
  'sweep-authorizations-insert',
  `insert into sweep_authorizations (chain_id, sweeper, key_index, signature)
   select $1, $3, key_index, signature from json_to_recordset($2::json) as r (key_index int, signature text) on conflict do nothing`,
)
/** Counts authorizations of a chain for a Sweeper, and those of addresses that were not given out yet. */
export const countAuthorizations = first(
  'sweep-authorizations-count',
  `select count(*) as n, count(*) filter (where not exists (select from deposit_addresses d
     where d.chain_kind = h.kind and d.key_index = z.key_index)) as unused
   from sweep_authorizations z join chains h on h.id = z.chain_id where z.chain_id = $1 and z.sweeper = $2`,
)

/** Lines of a file of authorizations that are stored at once. */
const together = 1_000

const line = z.strictObject({
  chain: z.string(),
  index: z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
  signature: z.string().refine(isDelegationSignature),
})
/** A chain with an id of its own, of a kind whose accounts can be delegated. */
export interface DelegatingChain {
  id: string
  chainId: number
  /** Where deposits go: the treasury of the signer's policy or, without one, the hot wallet. */
  to: string
}

/** An address may be swept by an authorization as long as it never sent a transaction. */
const delegation = ({ chainId, to }: DelegatingChain) => ({ chainId, contract: sweeperOf(to).address, nonce: 0 })

/** Signs the delegations of `count` deposit addresses from the index `start` on: a line of JSON each. */
export async function* signSweepDelegations(keys: Keys, chain: DelegatingChain, start: number, count: number) {
  const of = delegation(chain)
  for (let index = start; index < start + count; index++) {
    const signature = await signDelegation(keys.privateKey('evm', index), of)
    yield `${JSON.stringify({ chain: chain.id, index, signature })}\n`
  }
}

/**
 * Stores the authorizations of a chain, each of which must be by the deposit address at its index. Returns how many
 * were new.
 * @throws Problem naming the first line that is wrong; those before it may have been stored
 */
export async function importAuthorizations(
  { pool }: Pick<Deps, 'pool'>,
  chain: DelegatingChain,
  given: { xpub: string; lines: AsyncIterable<string> | Iterable<string> },
): Promise<number> {
  const of = delegation(chain)
  const addressAt = createWatchOnlyDeriver('evm', given.xpub)
  let rows: { key_index: number; signature: string }[] = []
  let number = 0
  let added = 0
  const store = async () => {
    added += await insert(pool, chain.id, JSON.stringify(rows), of.contract)
    rows = []
  }
  for await (const text of given.lines) {
    number++
    if (text.trim() === '') continue
    const { chain: id, index, signature } = parse(text, number)
    if (id !== chain.id) throw new OperatorProblem(`Line ${number} is for the chain ${id}, not ${chain.id}.`)
    if ((await delegatorOf(signature, of)) !== addressAt(index))
      throw new OperatorProblem(
        `Line ${number} is no authorization of ${chainAdapters.evm.address.show(addressAt(index))}: it was signed by another wallet, or for another treasury, hot wallet or chain id.`,
      )
    rows.push({ key_index: index, signature })
    if (rows.length === together) await store()
  }
  if (rows.length > 0) await store()
  return added
}

function parse(text: string, number: number): z.infer<typeof line> {
  try {
    return line.parse(JSON.parse(text))
  } catch {
    throw new OperatorProblem(`Line ${number} is not a line of "sweeper authorize".`)
  }
}
