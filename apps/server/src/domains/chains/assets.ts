import { cacheForSecond } from '../../kit/cache-for-second.ts'
import { all, first, type Queryable, type Statements } from '../../kit/db.ts'

/**
 * A token, or a native coin (contract null), with its chain. `halted`: why the chain is halted or the token on hold, or
 * null. `started`: the chain is being read; transfers sent before that would be missed.
 */
export type Asset = Statements['assets-enabled']['row']

/** `halted` of an asset whose token is on hold. */
export const tokenOnHold = 'token on hold'

/**
 * SQL condition: an asset is a sibling of a token: its deposits wait for an operator. One that the operator lists is a
 * token like others.
 */
export const isSiblingSql = (asset: string): string => `(${asset}.sibling_of is not null and not ${asset}.enabled)`

/**
 * SQL condition: transfers of an asset are read, and what it has is swept: it is enabled, or a sibling of a token that
 * is.
 */
export const isWatchedSql = (asset: string): string => `(${asset}.enabled or ${asset}.sibling_of is not null)`

const listed = `select a.id, a.chain_id, a.symbol, a.price_of, a.contract, a.decimals, a.minimum, h.kind, h.definition,
     case when a.hold is null then h.halted else '${tokenOnHold}' end as halted,
     h.last_number is not null as started
   from assets a join chains h on h.id = a.chain_id where h.enabled`
const enabled = `${listed} and a.enabled`

/** Lists the assets that payments can be made in. */
export const listEnabledAssets = all('assets-enabled', `${enabled} order by h.id, a.id`)
/** The same as of this second. */
export const listCachedAssets = cacheForSecond((c: Queryable) => listEnabledAssets(c)).get
export const readEnabledAsset = first('asset-enabled', `${enabled} and a.id = $1`)
/** Reads an asset that is paid out: an enabled one, or a sibling of one, in which no payment is requested. */
export const readPayableAsset = first('asset-payable', `${listed} and ${isWatchedSql('a')} and a.id = $1`)

const ofChain = all(
  'assets-of-chain',
  'select id, symbol, price_of, decimals, contract, enabled, sibling_of, minimum, hold, compared, compare_in from assets where chain_id = $1',
)

/** Assets of a chain by id. */
export type ChainAssets = ReadonlyMap<string, Statements['assets-of-chain']['row']>
export type ChainAsset = NonNullable<ReturnType<ChainAssets['get']>>

/** Reads all assets of a chain, disabled ones included. */
export const readChainAssets = async (c: Queryable, chainId: string): Promise<ChainAssets> =>
  new Map((await ofChain(c, chainId)).map(row => [row.id, row]))

/** Finds the token of a contract, or the native coin for null. */
export const findAssetByContract = (assets: ChainAssets, contract: string | null) =>
  [...assets.values()].find(each => each.contract === contract)

/** Whether an asset is `isWatchedSql`. */
export const isWatched = ({ enabled, sibling_of }: Pick<ChainAsset, 'enabled' | 'sibling_of'>) =>
  enabled || sibling_of !== null

/** Whether an asset is a `isSiblingSql`. */
export const isSibling = ({ enabled, sibling_of }: Pick<ChainAsset, 'enabled' | 'sibling_of'>) =>
  !enabled && sibling_of !== null

/** Contracts of the tokens, and whether the native coin is enabled. Only these are watched. */
export type WatchedAssets = [tokens: string[], native: boolean]

export function selectWatchedAssets(assets: ChainAssets): WatchedAssets {
  const watched = [...assets.values()].filter(isWatched)
  return [watched.flatMap(each => each.contract ?? []).sort(), watched.some(each => each.contract === null)]
}

/** The assets of a chain; none without one. */
export const readOptionalChainAssets = async (
  c: Queryable,
  chainId: string | null | undefined,
): Promise<ChainAssets> => (chainId ? readChainAssets(c, chainId) : new Map())
