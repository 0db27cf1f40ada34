import type { ChainDefinition, TokenDefinition } from '@coffer/chains'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { OperatorProblem } from '@coffer/local/problem.ts'
import type { Deps } from '../../deps.ts'
import { all, type Queryable, run, toJson, tx } from '../../kit/db.ts'
import { isUniqueViolation } from '../../kit/taken.ts'

// Unchanged rows of both tables are left out: an upsert locks each, and a server that froze may hold the lock.
const upsertChains = run(
  'chains-write',
  `insert into chains (id, kind, definition, enabled)
   select r ->> 'id', r ->> 'kind', r, true from jsonb_array_elements($1::jsonb) r
   where not exists (select from chains c where c.id = r ->> 'id' and c.definition = r and c.enabled) order by r ->> 'id'
   on conflict (id) do update set definition = excluded.definition, enabled = true`,
)
const upsertAssets = run(
  'assets-write',
  `insert into assets (id, chain_id, symbol, contract, decimals, minimum, enabled, sibling_of)
   select id, chain_id, symbol, contract, decimals, minimum, true, sibling_of
   from json_to_recordset($1::json) as r (id text, chain_id text, symbol text, contract text, decimals int, minimum numeric, sibling_of text)
   where not exists (select from assets a where a.id = r.id and a.contract is not distinct from r.contract and a.minimum = r.minimum
     and a.enabled and a.sibling_of is not distinct from r.sibling_of)
   order by id
   on conflict (id) do update set contract = excluded.contract, minimum = excluded.minimum, enabled = true, sibling_of = excluded.sibling_of`,
)
const upsertSiblings = run(
  'siblings-write',
  // One that the operator once listed under another symbol stays what it was.
  `insert into assets (id, chain_id, symbol, contract, decimals, minimum, enabled, sibling_of)
   select id, chain_id, symbol, contract, decimals, minimum, false, sibling_of
   from json_to_recordset($1::json) as r (id text, chain_id text, symbol text, contract text, decimals int, minimum numeric, sibling_of text)
   where not exists (select from assets a where a.chain_id = r.chain_id
     and (a.contract = r.contract and a.id <> r.id or a.id = r.id and (a.enabled or a.sibling_of = r.sibling_of and a.minimum = r.minimum)))
   order by id
   on conflict (id) do update set minimum = excluded.minimum, sibling_of = excluded.sibling_of
   where assets.contract = excluded.contract and assets.decimals = excluded.decimals`,
)
const disableChains = run('chains-disable', 'update chains set enabled = false where enabled and not (id = any($1))')
const disableAssets = run('assets-disable', 'update assets set enabled = false where enabled and not (id = any($1))')

/** Assets whose decimals differ from those that the ledger was written with. */
const changedDecimals = all(
  'assets-changed',
  `select a.id, a.decimals from assets a join json_to_recordset($1::json) as r (id text, decimals int) on r.id = a.id
   where a.decimals <> r.decimals`,
)
/** Assets whose contract differs from the one that their deposits came from. */
const changedContracts = all(
  'assets-contract-changed',
  `select a.id, a.contract from assets a join json_to_recordset($1::json) as r (id text, contract text) on r.id = a.id
   where a.contract <> r.contract
     and (select true from deposits d where d.chain_id = a.chain_id and d.asset_id = r.id limit 1)`,
)

/**
 * Writes the configured chains and assets; those no longer configured are disabled. Idempotent; called at every start.
 * Throws a Problem when the decimals or symbol of a token changed, or its contract after a deposit: stored amounts
 * depend on them.
 */
export const syncChains = (deps: Pick<Deps, 'pool' | 'chains'>): Promise<void> =>
  tx(deps.pool, c =>
    writeChains(
      c,
      [...deps.chains.values()].map(chain => chain.definition),
    ),
  )

export async function writeChains(c: Queryable, definitions: readonly ChainDefinition[]): Promise<void> {
  const rows = definitions.flatMap(({ id, native, tokens, minimum }) =>
    [{ ...native, contract: null, of: undefined }, ...tokens].map(token => rowOf(id, token, minimum?.[token.symbol])),
  )
  const siblings = definitions.flatMap(({ id, siblings = [], minimum }) =>
    siblings.map(token => rowOf(id, token, minimum?.[token.of])),
  )
  const assets = toJson(rows)
  const [changed] = await changedDecimals(c, assets)
  if (changed)
    throw new OperatorProblem(
      `${changed.id} has ${changed.decimals} decimals in the database but not in the configuration. A token's decimals never change: correct the configuration.`,
    )
  const [moved] = await changedContracts(c, assets)
  if (moved)
    throw new OperatorProblem(
      `${moved.id} has deposits from the contract ${moved.contract} but is configured with another. Another contract is another token: give it its own symbol.`,
    )
  await upsertChains(c, JSON.stringify(definitions))
  await upsertAssets(c, assets).catch(error => {
    if (!isUniqueViolation(error, 'assets_contract')) throw error
    const [, of] = /=\(([^()=]*)\) already/.exec(error.detail) ?? []
    throw new OperatorProblem(
      `The contract or coin of (${of}) has another symbol in the database than in the configuration. A symbol never changes: correct the configuration.`,
    )
  })
  const idsOf = (each: readonly { id: string }[]) => each.map(({ id }) => id)
  await disableChains(c, idsOf(definitions))
  await disableAssets(c, idsOf(rows))
  await upsertSiblings(c, toJson(siblings))
}

function rowOf(
  chainId: string,
  { symbol, contract, decimals, of }: Omit<TokenDefinition, 'contract'> & { contract: string | null },
  minimum = '0',
) {
  const id = `${chainId}:${symbol}`
  const units = minimumOf(id, minimum, decimals)
  return { id, chain_id: chainId, symbol, contract, decimals, minimum: units, sibling_of: of ?? null }
}

/** Reads the minimum of an asset. Throws a Problem when it has more decimal places than the asset. */
function minimumOf(assetId: string, minimum: string, decimals: number): bigint {
  const units = parseDecimal(minimum, decimals)
  if (units !== null) return units
  throw new OperatorProblem(
    `The minimum ${minimum} of ${assetId} is not an amount of at most ${decimals} decimal places.`,
  )
}
