import { type Chain, type ChainKind, chainAdapters, isLost, sweeperOf } from '@coffer/chains'
import type { RouteData } from '@coffer/contract'
import type { Language } from '@coffer/contract/languages.ts'
import { addressDifferenceOf } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { all, count, type Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type Asset, readChainAssets } from '../chains/assets.ts'
import { readChain } from '../chains/store.ts'
import { isZeroAddress, parseDestination } from './destination.ts'
import { findSimilarAddresses } from './known-addresses.ts'

type Explained = RouteData<'GET /api/v1/account/address-valid'>
type Check = Explained['checks'][number]
type Result = Check['result']

/** Counts what the merchant has paid to an address: one that got back what it sent may resemble another on purpose. */
const paidBefore = count(
  'destination-paid',
  `select count(*) as n from withdrawals where merchant_id = $1 and chain_id = $2 and to_address = $3 and status = 5
     and origin <> 'return'`,
)

/** Whether an address is one of ours: a deposit address of any merchant, or one of the installation. */
const isOurAddress = count(
  'withdrawal-address-ours',
  `select (select count(*) from deposit_addresses where chain_kind = $1 and address = $2)
     + (select count(*) from house_addresses where chain_kind = $1 and address = $2) as n`,
)

/**
 * Reports whether money sent to an address would be lost, as to a contract to which addresses of the house are the
 * treasury.
 */
export async function isUnspendableAddress(c: Queryable, kind: ChainKind, address: string): Promise<boolean> {
  if (isLost(address)) return true
  return kind === 'evm' && (await houseOf(c, kind)).some(house => sweeperOf(house.address).address === address)
}
const houseOf = all('destination-house', 'select address from house_addresses where chain_kind = $1')

/** Counts the tokens of a chain at an address, disabled ones included. */
const isTokenContract = count(
  'withdrawal-address-token',
  'select count(*) as n from assets where chain_id = $1 and contract = $2',
)

const isInBook = count(
  'destination-in-book',
  'select count(*) as n from address_book where merchant_id = $1 and chain_id = $2 and address = $3 and deleted_at is null',
)

/**
 * Checks a destination by everything that is known about it, and names each result. `tokenId` is the asset to be paid,
 * whose issuer may refuse the address. A check that cannot be made is `unknown`.
 */
export async function explainDestination(
  deps: Deps,
  {
    merchantId,
    chainId,
    tokenId,
    address,
  }: { merchantId: string; chainId: string; tokenId?: string | undefined; address: string },
): Promise<Explained> {
  const { pool, log } = deps
  const chain = await readChain(pool, chainId)
  if (!chain?.enabled) throw new Refusal('currency_not_exist', { field: 'currency_id' })
  const form = chainAdapters[chain.kind].address
  const to = form.parse(address.trim())
  if (to === null) {
    const check = isZeroAddress(chain.kind, address) ? 'lost' : 'form'
    return { valid: false, address: '', checks: [{ check, result: 'fail', similar: null }] }
  }
  const shown = form.show(to)
  const view = deps.chains.get(chainId) as Partial<Chain> | undefined
  const token = tokenId === undefined ? undefined : (await readChainAssets(pool, chainId)).get(tokenId)?.contract
  /** Queries the chain; `unknown` without an answer. */
  const ask = async (question: Promise<Result> | undefined): Promise<Result> => {
    try {
      return (await question) ?? 'unknown'
    } catch (error) {
      log.warn({ err: error, chain: chainId }, 'destination not checked')
      return 'unknown'
    }
  }
  const [tokens, lost, ours, paid, listed, alike, issuer, code] = await Promise.all([
    isTokenContract(pool, chainId, to),
    isUnspendableAddress(pool, chain.kind, to),
    isOurAddress(pool, chain.kind, to),
    paidBefore(pool, merchantId, chainId, to),
    isInBook(pool, merchantId, chainId, to),
    findSimilarAddresses(pool, { merchantId, chainId, kind: chain.kind }, [to]),
    ask(
      token ? view?.issuerWord?.(token, to).then(word => (word === null ? 'pass' : 'fail')) : Promise.resolve('pass'),
    ),
    ask(view?.batches?.isDeployed(to).then(is => (is === null ? 'unknown' : is ? 'warn' : 'pass'))),
  ])
  const similar = paid + listed > 0 ? undefined : alike.get(to)
  const resembled = similar && form.show(similar.address)
  const checks: Check[] = [
    { check: 'form', result: 'pass', similar: null },
    { check: 'token_contract', result: tokens > 0 ? 'fail' : 'pass', similar: null },
    { check: 'lost', result: lost ? 'fail' : 'pass', similar: null },
    { check: 'ours', result: ours > 0 ? 'fail' : 'pass', similar: null },
    { check: 'issuer', result: issuer, similar: null },
    { check: 'sanctions', result: deps.sanctioned(shown) ? 'fail' : 'pass', similar: null },
    {
      check: 'look_alike',
      // Anybody can become a payer, and of many payers some resemble each other by chance.
      result: similar ? (similar.payer ? 'warn' : 'fail') : 'pass',
      similar: resembled === undefined ? null : { address: resembled, ...addressDifferenceOf(resembled, shown)! },
    },
    { check: 'code', result: code, similar: null },
    { check: 'first_payment', result: paid > 0 ? 'pass' : 'warn', similar: null },
  ]
  return { valid: checks.every(each => each.result !== 'fail'), address: shown, checks }
}

/** Why a destination is refused. */
export const destinationRefusalReasons: Record<Exclude<Check['check'], 'form'>, Record<Language, string>> = {
  token_contract: { en: 'it is the contract of a token', 'zh-CN': '该地址为代币合约' },
  lost: { en: 'nobody could take out what it receives', 'zh-CN': '转入该地址的资产无法取回' },
  ours: { en: 'it belongs to this platform; use a transfer', 'zh-CN': '该地址属于本平台，请使用划转' },
  issuer: {
    en: 'the issuer of the token refuses it, or has paused the token',
    'zh-CN': '代币发行方已限制该地址，或已暂停该代币的转账',
  },
  sanctions: { en: 'it is on a sanctions list', 'zh-CN': '该地址在制裁名单上' },
  look_alike: { en: 'it resembles another address of yours', 'zh-CN': '与您已有的地址相似' },
  code: { en: 'it is a contract', 'zh-CN': '该地址为合约' },
  first_payment: { en: 'it was never paid', 'zh-CN': '从未向该地址付款' },
}

/** What a payer reads, who claims a refund and knows no transfers. */
const toPayer = {
  text: { en: 'The refund cannot be sent to this address', 'zh-CN': '退款无法转出至该地址' },
  ours: { en: 'it belongs to this platform', 'zh-CN': '该地址属于本平台' },
}

/** A destination in the stored form, and the checks that warn of it. */
export interface Destination {
  to: string
  warnings: string[]
}

/**
 * Reads a destination of an asset. Refuses one that fails a check, and a similar one with the address that it
 * resembles; with `isPayers` not: a payer's own address cannot be mistaken for the merchant's, which are not disclosed
 * to payers.
 */
export async function requirePayableDestination(
  deps: Deps,
  merchantId: string,
  { id, kind, chain_id }: Pick<Asset, 'id' | 'kind' | 'chain_id'>,
  address: string,
  isPayers = false,
): Promise<Destination> {
  const to = parseDestination({ kind }, address)
  const { checks } = await explainDestination(deps, { merchantId, chainId: chain_id, tokenId: id, address })
  const failed = checks.find(({ check, result }) => result === 'fail' && !(isPayers && check === 'look_alike'))
  const warnings = checks
    .filter(({ check, result }) => result === 'warn' && !(isPayers && check === 'look_alike'))
    .map(each => each.check)
  if (!failed || failed.check === 'form') return { to, warnings }
  const detail = isPayers && failed.check === 'ours' ? toPayer.ours : destinationRefusalReasons[failed.check]
  const text = isPayers && { text: toPayer.text }
  throw new Refusal('address_not_allowed', { ...text, field: 'address', detail, data: failed })
}
