import { CallRefused, disperseContract, MAX_BATCH_SIZE } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import type { OutgoingOwners, Payout } from '../../owner.ts'
import type { IsolatedRunner } from './alone.ts'
import { findUnpaidEndedItems } from './carried.ts'
import type { WalletFunds } from './funds.ts'
import type { NonceAllocator } from './nonces.ts'
import type { PayableChain, SendingStrategy } from './sender.ts'
import { readLastApproval, type TransactionIntent, type Wallet } from './store.ts'

/** Payouts of one token from which a batch is cheaper than single transactions. */
const batchMin = 5
/** Allowance for Disperse, which spends it only for the wallet that gave it. */
const allowanceMax = 2n ** 256n - 1n
/** Seconds for which batches of a token may fail before its payouts are tried one by one. */
const failedFor = 60
/** Seconds for which a payout waits for company: in a batch it costs a third. */
const companyFor = 2
/** Seconds for which payouts wait for the allowance, and for which it is not tried again after it failed. */
const approvalFor = 300
const approvalPause = 86_400

interface Parts {
  deps: Deps
  chain: PayableChain
  sending: SendingStrategy
  owners: OutgoingOwners
  wallet: Wallet
  funds: WalletFunds
  nonces: NonceAllocator
  alone: IsolatedRunner
}

/** What became of the payouts of a token: those to be paid one by one, and how many transactions took a nonce. */
interface Rest {
  single: Payout[]
  taken: number
}

/**
 * Pays tokens with at least 5 payouts through Disperse, up to 50 in one transaction, and returns those that are left to
 * be paid one by one. Never the native coin: exchanges do not credit internal transfers. What the chain or the signer
 * would refuse is left, as is what was in a batch before that ended without paying. A token whose payouts are all
 * younger than two seconds waits for more of them, unless a batch is full.
 */
export async function payBatches(parts: Parts, due: readonly Payout[], room: number): Promise<Rest> {
  const { chain, deps, alone } = parts
  const tokens = [...Map.groupBy(due, each => each.token)].filter(([token]) => token !== null)
  const isDeployed = async () => (await chain.batches?.isDeployed(disperseContract.address)) ?? false
  const isReady = tokens.length > 0 && (await alone.run('batches', isDeployed))
  // One by one they cost three times as much.
  if (isReady === undefined && alone.failsFor('batches') < failedFor)
    return { single: due.filter(each => each.token === null), taken: 0 }
  if (!isReady) return { single: [...due], taken: 0 }
  const done = new Set<Payout>()
  const large = tokens.filter(([, all]) => {
    const waits = all.length < MAX_BATCH_SIZE && all.every(each => deps.clock() - each.since < companyFor)
    for (const each of waits ? all : []) done.add(each)
    return !waits && all.length >= batchMin
  })
  const ended = new Set(
    (await findUnpaidEndedItems(deps.pool, JSON.stringify(large.flatMap(([, all]) => all.map(keyOf))))).map(textOf),
  )
  let taken = 0
  for (const [token, all] of large) {
    const part = `batches of ${token}`
    const fresh = all.filter(each => !ended.has(textOf(keyOf(each))))
    const found = await alone.run(part, () => payToken(parts, token!, fresh, room - taken))
    taken += found?.taken ?? 0
    // What fails together is tried one by one once that has lasted: one of them may be the cause.
    const isLeft = !found && alone.failsFor(part) >= failedFor
    for (const each of found?.done ?? (isLeft ? [] : fresh)) done.add(each)
  }
  return { single: due.filter(each => !done.has(each)), taken }
}

/**
 * Pays payouts of a token in batches. Returns those that are paid or wait for it, and how many transactions took a
 * nonce.
 */
async function payToken(parts: Parts, token: string, fresh: Payout[], room: number) {
  const amounts = fresh.map(each => each.amount)
  const covered = fresh.slice(0, await parts.funds.leading(token, amounts))
  const done: Payout[] = []
  let taken = 0
  for (let i = 0; covered.length - i >= batchMin && taken < room; i += MAX_BATCH_SIZE) {
    const of = covered.slice(i, i + MAX_BATCH_SIZE)
    if (of.length < batchMin) break
    const { paid, waits } = await payBatch(parts, token, of)
    if (paid.length > 0) taken++
    // Payouts that wait for the allowance or the signer are not sent otherwise meanwhile.
    done.push(...(waits ? fresh : paid))
    if (waits) break
  }
  return { done, taken }
}

const keyOf = ({ owner, merchant_id, id }: Payout) => ({ owner, merchant_id, owner_id: id })
const textOf = ({ owner, merchant_id, owner_id }: ReturnType<typeof keyOf>) => `${owner} ${merchant_id} ${owner_id}`

const left = { paid: [], waits: false }
const waits = { paid: [], waits: true }

async function payBatch(parts: Parts, token: string, of: Payout[]): Promise<{ paid: Payout[]; waits: boolean }> {
  const { owners, nonces, funds } = parts
  const accepted = await acceptedBySigner(parts, token, of)
  if (accepted === null) return waits
  if (accepted.length < batchMin) return left
  const allowed = await allow(parts, token, sumOf(accepted))
  if (allowed !== 'done') return allowed === 'waits' ? waits : left
  const payable = await acceptedByChain(parts, token, accepted)
  if (payable === null) return left
  const { payouts, gas } = payable
  const intent = batchOf(token, payouts)
  // Now with its fee.
  const refusals = await nonces.dryRun(intent, gas)
  if (!refusals) return waits
  if (refusals.some(each => each !== null)) return left
  if (!(await funds.take(token, sumOf(payouts), await funds.costOf(gas, intent)))) return waits
  const id = await nonces.take(owners, { intent, gas, items: payouts })
  // Without a nonce another server was faster, or one was cancelled: what is due is read again in the next pass.
  return { paid: payouts, waits: id === null }
}

const sumOf = (payouts: readonly Payout[]) => payouts.reduce((sum, each) => sum + each.amount, 0n)

const batchOf = (token: string, payouts: readonly Payout[]) =>
  ({
    kind: 'batch',
    token,
    payments: payouts.map(({ to, amount, release }) => ({ to, amount: String(amount), ...(release && { release }) })),
  }) satisfies TransactionIntent

/** Keeps the payouts that the signer would sign. Null while it does not answer. */
async function acceptedBySigner({ nonces }: Parts, token: string, payouts: Payout[]) {
  const refusals = await nonces.dryRun(batchOf(token, payouts), 0n)
  return refusals && payouts.filter((_, i) => refusals[i] === null)
}

/**
 * Sees to an allowance for Disperse. Some tokens, such as Tether's, change one only by way of zero. Exactly one process
 * sends it: the wallet is locked while a nonce is taken, and the last approval must still be the one known before the
 * allowance was read.
 */
async function allow({ deps, chain, wallet, funds, owners, nonces }: Parts, token: string, total: bigint) {
  const batches = chain.batches!
  const { chain_id: chainId, address } = wallet
  const last = await readLastApproval(deps.pool, chainId, address, token)
  const allowed = await batches.allowance(token, address)
  if (allowed >= total) return 'done'
  const since = last && deps.clock() - last.updated_at
  if (last && ['assigned', 'sent', 'in_block'].includes(last.state))
    return deps.clock() - last.created_at < approvalFor ? 'waits' : 'left'
  if (last && last.outcome !== 'success' && since! < approvalPause) return 'left'
  const amount = allowed === 0n ? allowanceMax : 0n
  try {
    const gas = await batches.gasForApproval(address, token, amount)
    const intent = { kind: 'approve', token, amount: String(amount) } as const
    if (!(await nonces.allows(intent, gas)) || !(await funds.take(null, 0n, await funds.costOf(gas)))) return 'left'
    await nonces.take(owners, { intent, gas, items: [] }, async (c, { nonce }) => {
      // The nonce that is being taken is the last one now.
      const before = await readLastApproval(c, chainId, address, token, nonce)
      return before?.nonce === last?.nonce
    })
    return 'waits'
  } catch (error) {
    if (error instanceof CallRefused) return 'left'
    throw error
  }
}

/**
 * Keeps the payouts that the chain would execute, with the gas of all. Null when too few are left, or it refuses them
 * together.
 */
async function acceptedByChain({ chain, sending, wallet }: Parts, token: string, payouts: Payout[]) {
  const from = wallet.address
  const gasOf = (of: Payout[]) => orRefused(chain.batches!.gasForBatch(from, token, of))
  const gas = await gasOf(payouts)
  if (gas !== null) return { payouts, gas }
  const each = await Promise.all(
    payouts.map(({ to, amount }) => orRefused(sending.limitFor({ from, token, to, amount }))),
  )
  const good = payouts.filter((_, i) => each[i] !== null)
  if (good.length < batchMin || good.length === payouts.length) return null
  const rest = await gasOf(good)
  return rest === null ? null : { payouts: good, gas: rest }
}

async function orRefused(gas: Promise<bigint>): Promise<bigint | null> {
  try {
    return await gas
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}
