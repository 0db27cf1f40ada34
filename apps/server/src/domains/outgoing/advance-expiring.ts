import type { Dropped } from '@coffer/chains/chain.ts'
import { haltReason } from '@coffer/contract/incidents/reasons.ts'
import type { Deps } from '../../deps.ts'
import { nodeName } from '../../outside/open-chain.ts'
import type { Owners } from '../../owner.ts'
import type { SignRequest } from '../../signer/protocol.ts'
import {
  broadcast,
  giveUp,
  inBlock,
  isHeld,
  isRescued,
  partOf,
  rebroadcastAfter,
  refusedPause,
  stateOf,
} from './advance.ts'
import type { Alone } from './alone.ts'
import { type ExpiringChain, validFor } from './sender.ts'
import { leaveBlock, settle, uncertainReason, voidUnsent } from './settle.ts'
import { type Draft, signAttempt } from './sign-attempt.ts'
import { type Attempt, type Open, openAttempts, openOutgoing, setWaits } from './store.ts'

interface Pass {
  deps: Deps
  chain: ExpiringChain
  owners: Owners
  /** Whether nothing new may be signed. */
  stopped: boolean
  final: number
}

/**
 * Moves every transaction of a chain without nonces that is not final: signs and broadcasts it, follows its block to
 * finality, and signs it again only once the last attempt can be in no block. May run in several processes at once and
 * be interrupted anywhere: the signer signs a number again only after the expiration, so one that two processes ask for
 * has one signature. Returns if there are any.
 */
export async function advanceExpiring(
  deps: Deps,
  chain: ExpiringChain,
  owners: Owners,
  alone: Alone,
): Promise<boolean> {
  const { id } = chain.definition
  const rows = await openOutgoing(deps.pool, id)
  if (rows.length === 0) return false
  // Read after the rows: a cancelled one gets no further attempt.
  const attempts = Map.groupBy(await openAttempts(deps.pool, id), each => `${each.from_address} ${each.nonce}`)
  const pass = { deps, chain, owners, ...(await stateOf(deps, id)) }
  for (const row of alone.failedLast(rows, partOf)) {
    if (alone.isDown) break
    const own = attempts.get(`${row.from_address} ${row.nonce}`) ?? []
    await alone.run(partOf(row), () => advanceOne(pass, row, own))
    if (own.length === 0 && !pass.stopped && !isHeld(row))
      await alone.run(`${partOf(row)}: giving up`, () => giveUp(deps, row, attempts))
  }
  return true
}

async function advanceOne(pass: Pass, row: Open, attempts: readonly Attempt[]): Promise<void> {
  const { deps, chain, final } = pass
  if (row.state === 'in_block' && row.block_number! > final) {
    if ((await chain.blockAt(row.block_number!))?.hash === row.block_hash) return
  }
  const found = await inBlock(chain, attempts)
  const isNamed = found !== null && found !== 'disputed'
  if (isNamed && !(await isRefuted(pass, row, attempts, found.txid))) {
    const isWaiting = row.state === 'in_block' && row.waits !== null
    const reason = isWaiting ? await undecided(pass, attempts, found.txid) : null
    if (reason === null) return settle(pass, row, attempts, found)
    await setWaits(deps.pool, row.chain_id, row.from_address, row.nonce, reason, deps.clock())
    return
  }
  if (row.state === 'in_block') {
    const block = { number: row.block_number!, hash: row.block_hash! }
    const isGone = (await chain.isReorgedOut(block)) || (await isRefuted(pass, row, attempts, row.txid!))
    if (isGone) await leaveBlock(pass, row, attempts)
    else {
      const reason = (await undecided(pass, attempts, row.txid!)) ?? uncertainReason
      await setWaits(deps.pool, row.chain_id, row.from_address, row.nonce, reason, deps.clock())
    }
    return
  }
  if (isHeld(row)) return
  const last = attempts.at(-1)
  const now = deps.clock()
  if (last && now * 1_000 <= last.expires!) {
    if (row.cancel_reason === null && now - (last.broadcast_at ?? 0) >= rebroadcastAfter) await broadcast(pass, last)
    return
  }
  // guard: expired-dropped
  if (last && !(await isDropped(pass, row, last))) return
  if (row.cancel_reason !== null) return voidUnsent(pass, row)
  const isRefused = row.waits?.startsWith('signer') && now - row.updated_at < refusedPause
  const draft = (pass.stopped && !isRescued(row)) || isRefused ? null : await draftOf(pass, row)
  const signed = draft && (await signAttempt(deps, row, attempts, draft))
  if (signed) await broadcast(pass, signed)
}

/**
 * Whether an attempt that a node names in a block, without a receipt that is certain, can be in none: it expired, and
 * is dropped. One node alone would else hold up the payout for ever, even by one answer.
 */
async function isRefuted(
  { deps, chain }: Pass,
  row: Open,
  attempts: readonly Attempt[],
  txid: string,
): Promise<boolean> {
  const named = attempts.find(each => each.txid === txid)
  if (!named || deps.clock() * 1_000 <= named.expires!) return false
  if (row.state === 'in_block' && row.waits === null) return false
  return /* guard: named-dropped */ (await chain.expiring.whetherDropped(txid, named.expires!)).isDropped /* end */
}

/**
 * Whether the last attempt can be in no block. Says which nodes keep it from being sent again, and whether that ends by
 * itself.
 */
async function isDropped(pass: Pass, row: Open, { txid, expires }: Attempt): Promise<boolean> {
  const { deps, chain } = pass
  const found = await chain.expiring.whetherDropped(txid, expires!)
  if (found.isDropped || found.claims.length === 0) return found.isDropped
  const reason = haltReason(found.isOutvoted ? 'expired_claimed' : 'expired_undecided', claimants(chain, found.claims))
  await setWaits(deps.pool, row.chain_id, row.from_address, row.nonce, reason, deps.clock())
  return false
}

const claimants = ({ definition }: Pass['chain'], claims: Dropped['claims']) =>
  claims.map(({ url, block }) => `${nodeName(definition.id, url)}${block === null ? '' : ` (${block})`}`).join(', ')

/**
 * Why an expired attempt that a node names in a block waits for an operator: too few others deny it. Null while it does
 * not.
 */
async function undecided({ deps, chain }: Pass, attempts: readonly Attempt[], txid: string): Promise<string | null> {
  const expires = attempts.find(each => each.txid === txid)?.expires
  if (expires == null || deps.clock() * 1_000 <= expires) return null
  const { isOutvoted, claims } = await chain.expiring.whetherDropped(txid, expires)
  return isOutvoted || claims.length === 0 ? null : haltReason('expired_undecided', claimants(chain, claims))
}

/** Names a final block and an expiration. Null while most nodes do not have the same block. */
async function draftOf({ deps, chain }: Pass, row: Open): Promise<Draft | null> {
  const refBlock = await chain.expiring.reference()
  if (!refBlock) return null
  const { number, hash } = refBlock
  const timestamp = deps.clock() * 1_000
  const expires = timestamp + validFor
  const request = {
    ...row.intent,
    chain: row.chain_id,
    nonce: row.nonce,
    refBlock: { number, hash },
    timestamp,
    expiration: expires,
    feeLimit: String(row.gas - chain.expiring.beyondLimit),
  } as SignRequest
  return { kind: 'send', request, gas: row.gas, max_fee: 1n, max_tip: 0n, expires }
}
