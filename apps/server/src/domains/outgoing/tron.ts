import type { BlockId, Payout } from '@coffer/chains'
import type { DropVerdict } from '@coffer/chains/chain.ts'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import { nodeName } from '../../outside/open-chain.ts'
import type { SignRequest } from '../../signer/protocol.ts'
import {
  type AttemptDraft,
  type ChainWithExpiry,
  type FeeTerms,
  isAttemptLive,
  type NextAttemptStep,
  type NumberedTransaction,
  type SendingStrategy,
} from './sender.ts'
import type { OpenOutgoing, OutgoingAttempt } from './store.ts'

/** Milliseconds for which a transaction is valid. */
const validFor = 120_000

/**
 * Sending where transactions have no nonces, name a block and expire. One is signed again, or has ended once it is
 * cancelled, only when its last attempt can be in no block. What is charged beyond the chain's own limit is part of
 * ours, so a limit is the most that a transaction can cost, in base units of the native coin.
 */
export const createTronSending = (chain: ChainWithExpiry): SendingStrategy => {
  const { expiring } = chain
  return {
    kind: 'tron',
    terms: async () => tronTerms(chain),
    limitFor: async (transfer: Payout, isOutside) =>
      (await expiring.feeLimitFor(transfer, isOutside)) + expiring.beyondLimit,
    usualFee: isToken => expiring.usualFee(isToken),
    ampleLimit: () => expiring.usualFee(true),
    send: raw => expiring.send(raw),
    certainReceipt: (txid, block) => expiring.certainReceipt(txid, block),
    isExhausted: ({ isOutOfEnergy }) => isOutOfEnergy === true,
    isDead: async attempt => /* guard: named-dropped */ (await droppedOf(chain, attempt)).isDropped /* end */,
    /** Too few other nodes deny the block. */
    async doubtOf(attempt) {
      const { isOutvoted, claims } = await droppedOf(chain, attempt)
      return isOutvoted || claims.length === 0 ? null : encodeHaltReason('expired_undecided', claimants(chain, claims))
    },
    async findLost(attempts) {
      for (const each of attempts) if (!(await droppedOf(chain, each)).isDropped) return null
      return 'dropped'
    },
  }
}

const droppedOf = ({ expiring }: ChainWithExpiry, { txid, expires }: OutgoingAttempt) =>
  expiring.whetherDropped(txid, expires!)

const claimants = ({ definition }: ChainWithExpiry, claims: DropVerdict['claims']) =>
  claims.map(({ url, block }) => `${nodeName(definition.id, url)}${block === null ? '' : ` (${block})`}`).join(', ')

const tronTerms = (chain: ChainWithExpiry): FeeTerms => ({
  most: gas => gas,
  usual: gas => gas,
  question: (of, now) => requestOf(chain, of, now),
  /** Says also which nodes keep the last attempt from being signed again, and whether that ends by itself. */
  async next(row, attempts, { now, isStopped }): Promise<NextAttemptStep> {
    const last = attempts.at(-1)
    const isCancelled = row.cancel_reason !== null
    if (last && isAttemptLive(last, now)) return isCancelled ? 'wait' : 'again'
    const found = last && (await droppedOf(chain, last))
    // guard: expired-dropped
    if (found && !found.isDropped) return waitsFor(chain, found)
    if (isCancelled) return 'end'
    return isStopped ? 'wait' : { draft: () => draftOf(chain, row, now) }
  },
})

function waitsFor(chain: ChainWithExpiry, { isOutvoted, claims }: DropVerdict): NextAttemptStep {
  if (claims.length === 0) return 'wait'
  return { reason: encodeHaltReason(isOutvoted ? 'expired_claimed' : 'expired_undecided', claimants(chain, claims)) }
}

/** Names a final block and an expiration. Null while most nodes do not have the same block. */
async function draftOf(chain: ChainWithExpiry, row: OpenOutgoing, now: number): Promise<AttemptDraft | null> {
  const block = await chain.expiring.reference()
  if (!block) return null
  const request = requestOf(chain, row, now, { number: block.number, hash: block.hash })
  return { kind: 'send', request, gas: row.gas, consumed: { expires: now * 1_000 + validFor } }
}

/** The request to sign a transaction that names a block, or to say whether it would be signed. */
function requestOf(
  chain: ChainWithExpiry,
  { intent, nonce, gas }: NumberedTransaction,
  now: number,
  refBlock?: BlockId,
) {
  const { definition, expiring } = chain
  const timestamp = now * 1_000
  const times = { timestamp, expiration: timestamp + validFor }
  const feeLimit = String(gas - expiring.beyondLimit)
  return { ...intent, chain: definition.id, nonce, refBlock, ...times, feeLimit } as SignRequest
}
