import { CallRefused, type Chain } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { assetsOfChain, type ChainAssets } from '../chains/assets.ts'
import { readChain, readSwitch } from '../chains/store.ts'
import type { Owner, Owners, Payout } from './owner.ts'
import {
  type Attempt,
  NotDue,
  openAttempts,
  openOutgoing,
  reservedBy,
  setWalletWaits,
  takeNonce,
  type Wallet,
} from './store.ts'

/** Transactions of a wallet that are in no block: nodes hold at least 16 of an account. */
const inFlightMax = 16
/** Payouts considered in one pass. */
const dueMax = 100
/** Seconds for which the chain must refuse a payout before it fails: nodes may differ for a while. */
const refusedFor = 180

/** When the chain first refused each payout, by owner and id. Kept by the caller between passes. */
export type Refusals = Map<string, number>

const keyOf = ({ owner, merchant_id, id }: Payout) => `${owner} ${merchant_id} ${id}`

/**
 * Takes a nonce of the hot wallet for each payout that is due and covered, oldest first. A token that the wallet is short of
 * waits, and other tokens go on. Nothing is taken while withdrawals are stopped, or the chain or the wallet is halted.
 */
export async function payDue(
  deps: Deps,
  chain: Chain,
  owners: Owners,
  wallet: Wallet,
  refusals: Refusals,
): Promise<void> {
  const { id } = chain.definition
  const row = await readChain(deps.pool, id)
  if (!row?.enabled || row.halted !== null || wallet.halted !== null) return
  if (await readSwitch(deps.pool, 'withdrawals_stopped')) return
  const due = await allDue(deps, owners, id)
  if (due.length === 0) return settleWaits(deps, wallet, new Map(), new Map())
  const open = (await openOutgoing(deps.pool, id)).filter(each => each.from_address === wallet.address)
  const attempts: Map<number, Attempt[]> = Map.groupBy(
    (await openAttempts(deps.pool, id)).filter(each => each.from_address === wallet.address),
    each => each.nonce,
  )
  const market = await chain.fees()
  const funds = await Funds.read(chain, wallet.address, reservedBy(open, attempts, market))
  let room = inFlightMax - open.filter(each => each.state !== 'in_block').length
  for (const payout of due) {
    if (room <= 0) break
    const { token, to, amount } = payout
    if (!(await funds.covers(token, amount))) continue
    const gas = await gasOf(deps, chain, owners, wallet, payout, refusals)
    if (gas === null) continue
    if (!(await funds.take(token, amount, gas * market.maxFeePerGas))) continue
    const intent = { kind: 'transfer', token, to, index: null, amount: String(amount) } as const
    const of = { chainId: id, address: wallet.address, intent, gas, items: [payout], now: deps.clock() }
    const taken = await tx(deps.pool, (c, uow) =>
      takeNonce(c, of, nonce => owners[payout.owner]!.sent(uow, [payout], nonce)),
    ).catch(error => {
      if (error instanceof NotDue) return null
      throw error
    })
    if (taken) room--
  }
  await settleWaits(deps, wallet, funds.lacking, await assetsOfChain(deps.pool, id))
}

async function allDue(deps: Deps, owners: Owners, chainId: string): Promise<Payout[]> {
  const all = await Promise.all(Object.values(owners).map((owner: Owner) => owner.due(deps.pool, chainId, dueMax)))
  return all.flat().sort((a, b) => a.since - b.since)
}

/** Estimates the gas of a payout. Null when the chain refuses it; the payout fails once that has lasted. */
async function gasOf(deps: Deps, chain: Chain, owners: Owners, wallet: Wallet, payout: Payout, refusals: Refusals) {
  const { token, to, amount, owner } = payout
  const key = keyOf(payout)
  try {
    const gas = await chain.gasFor({ from: wallet.address, token, to, amount })
    refusals.delete(key)
    return gas
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    const now = deps.clock()
    const since = refusals.get(key) ?? now
    refusals.set(key, since)
    if (now - since < refusedFor) return null
    deps.log.error({ chain: chain.definition.id, id: payout.id, reason: error.message }, 'the chain refuses a payout')
    await tx(deps.pool, (_, uow) => owners[owner]!.failed(uow, [payout], `the chain refuses it: ${error.message}`))
    refusals.delete(key)
    return null
  }
}

/** What a wallet has left for new transactions, and what it lacks. Amounts are in base units; null is the native coin. */
class Funds {
  readonly lacking = new Map<string | null, bigint>()
  readonly #chain: Chain
  readonly #address: string
  readonly #reserved: ReadonlyMap<string | null, bigint>
  readonly #left = new Map<string | null, bigint>()

  private constructor(chain: Chain, address: string, reserved: ReadonlyMap<string | null, bigint>) {
    this.#chain = chain
    this.#address = address
    this.#reserved = reserved
  }

  static async read(chain: Chain, address: string, reserved: ReadonlyMap<string | null, bigint>): Promise<Funds> {
    const funds = new Funds(chain, address, reserved)
    await funds.#of(null)
    return funds
  }

  /** Whether there is enough of a token, and no older payout of it waits. */
  async covers(token: string | null, amount: bigint): Promise<boolean> {
    const left = await this.#of(token)
    const lacking = this.lacking.get(token)
    if (lacking === undefined && amount <= left) return true
    this.lacking.set(token, lacking === undefined ? amount - left : lacking + amount)
    return false
  }

  /** Takes an amount and the fee from what is left. Returns false, and takes nothing, when the fee is not covered. */
  async take(token: string | null, amount: bigint, fee: bigint): Promise<boolean> {
    const native = (await this.#of(null)) - fee - (token === null ? amount : 0n)
    if (native < 0n) {
      this.lacking.set(null, (this.lacking.get(null) ?? 0n) - native)
      return false
    }
    this.#left.set(null, native)
    if (token !== null) this.#left.set(token, (await this.#of(token)) - amount)
    return true
  }

  async #of(token: string | null): Promise<bigint> {
    const known = this.#left.get(token)
    if (known !== undefined) return known
    const left = (await this.#chain.balanceOf(token, this.#address)) - (this.#reserved.get(token) ?? 0n)
    this.#left.set(token, left)
    return left
  }
}

/** Stores what the wallet lacks, such as `0.5 ETH, 120 USDT`, for the operator. */
async function settleWaits(
  deps: Deps,
  wallet: Wallet,
  lacking: ReadonlyMap<string | null, bigint>,
  assets: ChainAssets,
) {
  const parts = [...lacking].map(([token, amount]) => {
    const asset = [...assets.values()].find(each => each.contract === token)
    return asset ? `${formatDecimal(amount, asset.decimals)} ${asset.symbol}` : String(token)
  })
  const waits = parts.length > 0 ? parts.join(', ') : null
  await setWalletWaits(deps.pool, wallet.chain_id, wallet.address, waits, deps.clock())
}
