import type { ChainDefinition } from '@coffer/chains'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'

/**
 * A token, or the native coin (contract null), of a chain we watch. `halted`: why its chain is halted, or null. `started`:
 * whether its chain is being read: what is sent before that would not be seen.
 */
export type Asset = Statements['assets-enabled']['row']

const enabled = `select a.id, a.chain_id, a.symbol, a.contract, a.decimals, h.kind, h.definition, h.halted,
     h.last_number is not null as started
   from assets a join chains h on h.id = a.chain_id where a.enabled and h.enabled`

/** What payments can be made in now: enabled assets of enabled chains. */
export const enabledAssets = all('assets-enabled', `${enabled} order by h.id, a.id`)

/** One of them. */
export const enabledAsset = first('asset-enabled', `${enabled} and a.id = $1`)

const ofChain = all('assets-of-chain', 'select id, symbol, decimals, contract, enabled from assets where chain_id = $1')

/** Assets of a chain by id. */
export type ChainAssets = ReadonlyMap<string, Statements['assets-of-chain']['row']>

/** All assets of a chain, those included that are taken no more, by id. */
export const assetsOfChain = async (c: Queryable, chainId: string): Promise<ChainAssets> =>
  new Map((await ofChain(c, chainId)).map(row => [row.id, row]))

/** Contracts of the tokens that are taken, and whether the native coin is. Nothing else is looked for. */
export type Taken = [tokens: string[], native: boolean]

/** What of a chain's assets is taken now. */
export function takenOf(assets: ChainAssets): Taken {
  const taken = [...assets.values()].filter(each => each.enabled)
  return [taken.flatMap(each => each.contract ?? []).sort(), taken.some(each => each.contract === null)]
}

/** A chain's assets as its definition has them: its native coin and its tokens. */
const assetsOf = ({ id, native, tokens }: ChainDefinition) =>
  [{ ...native, contract: null }, ...tokens].map(({ symbol, contract, decimals }) => ({
    id: `${id}:${symbol}`,
    chain_id: id,
    symbol,
    contract,
    decimals,
  }))

const keepChains = run(
  'chains-write',
  `insert into chains (id, kind, definition, enabled)
   select r ->> 'id', r ->> 'kind', r, true from jsonb_array_elements($1::jsonb) r order by r ->> 'id'
   on conflict (id) do update set definition = excluded.definition, enabled = true`,
)
const keepAssets = run(
  'assets-write',
  `insert into assets (id, chain_id, symbol, contract, decimals, enabled)
   select id, chain_id, symbol, contract, decimals, true
   from json_to_recordset($1::json) as r (id text, chain_id text, symbol text, contract text, decimals int)
   order by id
   on conflict (id) do update set contract = excluded.contract, enabled = true`,
)
const disableChains = run('chains-disable', 'update chains set enabled = false where enabled and not (id = any($1))')
const disableAssets = run('assets-disable', 'update assets set enabled = false where enabled and not (id = any($1))')

/** Writes what is configured; what no longer is stays known and is taken no more. Second time: nothing changes. */
export async function writeChains(c: Queryable, definitions: readonly ChainDefinition[]): Promise<void> {
  const assets = definitions.flatMap(assetsOf)
  await keepChains(c, JSON.stringify(definitions))
  await keepAssets(c, JSON.stringify(assets))
  const idsOf = (rows: readonly { id: string }[]) => rows.map(each => each.id)
  await disableChains(c, idsOf(definitions))
  await disableAssets(c, idsOf(assets))
}

const decimalsChanged = all(
  'assets-changed',
  `select a.id, a.decimals from assets a join json_to_recordset($1::json) as r (id text, decimals int) on r.id = a.id
   where a.decimals <> r.decimals`,
)

/** Assets whose number of decimals is not the one that amounts in the ledger were written with. */
export const changedDecimals = (c: Queryable, definitions: readonly ChainDefinition[]) =>
  decimalsChanged(c, JSON.stringify(definitions.flatMap(assetsOf)))

const contractChanged = all(
  'assets-contract-changed',
  `select a.id, a.contract from assets a join json_to_recordset($1::json) as r (id text, contract text) on r.id = a.id
   where a.contract <> r.contract and exists (select from deposits d where d.chain_id = a.chain_id and d.asset_id = a.id)`,
)

/** Assets whose contract is not the one that their deposits came in. */
export const changedContracts = (c: Queryable, definitions: readonly ChainDefinition[]) =>
  contractChanged(c, JSON.stringify(definitions.flatMap(assetsOf)))
