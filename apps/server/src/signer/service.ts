import { createHash } from 'node:crypto'
import { type ChainAction, chainAdapters, isChainKind, type TransactionTerms } from '@coffer/chains'
import { computeExposure } from './exposure.ts'
import type { KeyName, Keys } from './keys.ts'
import { isPayoutReleased } from './passkey.ts'
import {
  type ChainPolicy,
  collectReleaseIds,
  collectUnreleasedPayments,
  computeMaxFee,
  computeOutgoingAmount,
  findChainPolicy,
  findPolicyViolation,
  isFeeTooHigh,
  limitPurposeOf,
  requestAssetOf,
  type SignerPolicy,
  toMicroDollars,
  UnreleasedPaymentSums,
} from './policy.ts'
import { signProofStatement, signReservePage } from './proof.ts'
import {
  type BatchRequest,
  isSignRequest,
  parseReleaseCheckRequest,
  parseUnsignedIntents,
  type ReleaseCheckRequest,
  type ReleaseSite,
  type SignedRawTransaction,
  type SignerAnswer,
  type SignerRefusal,
  type SignRequest,
  type Treasury,
  type UnsignedIntent,
} from './protocol.ts'
import { DAY_SECONDS, type SigningRecord, SigningRecordFailed } from './record.ts'

export type SignerDeps = {
  keys: Keys
  policy: SignerPolicy
  record: SigningRecord
  /** Unix seconds. */
  now: () => number
}

/**
 * Answers one line of the protocol. Any number of lines may be given at once: what signs waits for its turn, and no
 * signature leaves before it is recorded.
 * @throws RecordFailed when the signing record cannot be written
 */
export async function answerSignerRequest(parts: SignerDeps, line: string): Promise<SignerAnswer> {
  const message = parse(line)
  const id = Number.isSafeInteger(message.id) ? (message.id as number) : -1
  try {
    return await answerMessage(parts, id, message)
  } catch (error) {
    // What passes the checks and cannot be answered is refused, and the connection stays for the others.
    if (error instanceof SigningRecordFailed) throw error
    return { id, refused: 'bad_request' }
  }
}

async function answerMessage(parts: SignerDeps, id: number, message: Record<string, unknown>): Promise<SignerAnswer> {
  const { op, kind, request } = message
  if (op === 'xpub' && isChainKind(kind)) return { id, result: parts.keys.xpub(kind) }
  if (op === 'holdsDeposits' && isChainKind(kind)) return { id, result: parts.keys.holdsDeposits }
  if ((op === 'hot' || op === 'sweeper') && isChainKind(kind)) return { id, result: parts.keys.address(kind, op) }
  if (op === 'treasury' && typeof message.chain === 'string')
    return { id, result: treasuryOf(parts.policy, message.chain) }
  if (op === 'exposure') return { id, result: computeExposure(parts.policy, parts.keys.holdsDeposits) }
  if (op === 'releaseSites') return { id, result: releaseSitesOf(parts.policy) }
  if (op === 'released') {
    const payout = parseReleaseCheckRequest(message.payout)
    return payout ? { id, result: isGoodRelease(parts, payout) } : { id, refused: 'bad_request' }
  }
  if (op === 'prove_addresses') return answerOutcome(id, signReservePage(parts, message.proof))
  if (op === 'prove_statement')
    return answerOutcome(id, await parts.record.inTurn(async () => signProofStatement(parts, message.proof)))
  if ((op !== 'sign' && op !== 'dry_run') || !isSignRequest(request)) return { id, refused: 'bad_request' }
  const before = parseUnsignedIntents(message.before)
  if (!before) return { id, refused: 'bad_request' }
  if (op === 'dry_run') return { id, result: dryRun(parts, request, before) }
  return answerOutcome(id, await parts.record.inTurn(() => sign(parts, request)))
}

const answerOutcome = (id: number, outcome: object | SignerRefusal): SignerAnswer =>
  typeof outcome === 'string' ? { id, refused: outcome } : { id, result: outcome }

function treasuryOf(policy: SignerPolicy, id: string): Treasury | null {
  const { treasury = null, float = {} } = findChainPolicy(policy, id) ?? {}
  const inText = Object.entries(float).map(([asset, units]) => [asset, units.toString()])
  return treasury === null ? null : { address: treasury, float: Object.fromEntries(inText) }
}

const releaseSitesOf = ({ chains }: SignerPolicy): ReleaseSite[] =>
  Object.entries(chains).flatMap(([chain, { passkeys }]) =>
    passkeys === null ? [] : [{ chain, rpId: passkeys.rpId, origin: passkeys.origin, keys: passkeys.keys.length }],
  )

/** Seconds after its expiration in which a transaction may still appear: clocks of witnesses differ. */
const EXPIRY_MARGIN = 60

async function sign(
  { keys, policy, record, now }: SignerDeps,
  request: SignRequest,
): Promise<SignedRawTransaction | SignerRefusal> {
  const chain = findChainPolicy(policy, request.chain)
  if (!chain) return 'unknown_chain'
  if (!keys.holdsDeposits && needsDepositKey(request)) return 'no_key'
  const { sending } = chainAdapters[chain.kind]
  const terms = termsOf(request, chain)
  const action = actionOf(request, keys, chain)
  if (!terms || !sending?.does.includes(action.does) || terms.kind !== chain.kind) return 'bad_request'
  const payer = payerOf(request)
  const to = sending.target(action)
  const purpose = limitPurposeOf(request)
  const intent = intentOf(request, to)
  const of = { chain: request.chain, nonce: request.nonce, ...(payer !== 'hot' && { account: payer }) }
  const before = record.signedAt(of)
  const amount = computeOutgoingAmount(request)
  // Already signed with other terms: the payout happens once, so it counts once. Without nonces it is recorded again.
  const isCounted = before?.intent === intent && (before.until === undefined || before.at > now() - DAY_SECONDS)
  const counted = isCounted ? -amount : 0n
  // Fees are limited too: a compromised server could otherwise give the wallet away to a block producer.
  const paid = record.feeAt(of, now())
  const refused = findPolicyViolation(request, policy, {
    hot: keys.address(chain.kind, 'hot'),
    spent: counted + record.spent(request.chain, purpose, now()),
    fees: record.spent(request.chain, 'fee', now()) - paid.counted,
    nonceTaken: before !== undefined && before.intent !== intent,
    now: now(),
    isUsed: release => record.isUsed(release, of),
    unreleased: new UnreleasedPaymentSums()
      .add(record.unreleased(request.chain, purpose, now()))
      .add(isCounted ? (before.unreleased ?? []) : [], -1n),
    elsewhere: signedElsewhere({ policy, record, now }, request.chain, purpose),
  })
  if (refused) return refused
  const { raw, txid } = await sending.sign(action, terms, keys.privateKey(chain.kind, payer))
  const isAgain = before !== undefined && (before.until === undefined || before.txid === txid)
  // Without nonces both could be mined.
  if (before?.until !== undefined && !isAgain && now() <= before.until + EXPIRY_MARGIN) return 'not_expired'
  const until = 'expiration' in request ? { txid, until: Math.ceil(request.expiration / 1000) } : {}
  const isLimited = chain.passkeys !== null && Object.hasOwn(chain.passkeys.above, purpose)
  const [releases, unreleased] = isLimited ? [collectReleaseIds(request), collectUnreleasedPayments(request)] : [[], []]
  if (!isAgain && isRecorded(request))
    record.add({
      at: now(),
      ...of,
      purpose,
      intent,
      amount: amount.toString(),
      ...until,
      ...(releases.length > 0 && { releases }),
      ...(unreleased.length > 0 && { unreleased }),
    })
  const cost = computeMaxFee(request)
  if (cost > paid.fee) record.add({ at: now(), ...of, purpose: 'fee', intent: '', amount: cost.toString() })
  return { raw, txid, from: keys.address(chain.kind, payer), to }
}

/** What was signed in 24 hours for all but a purpose and the fees of a chain, in millionths of a dollar. */
function signedElsewhere(
  { policy, record, now }: Pick<SignerDeps, 'policy' | 'record' | 'now'>,
  chain: string,
  purpose: string,
): bigint {
  let sum = 0n
  for (const each of record.sums(now()))
    if (each.chain !== chain || (each.purpose !== purpose && each.purpose !== 'fee'))
      sum += toMicroDollars(findChainPolicy(policy, each.chain), each.purpose, each.amount)
  return sum
}

/** Whether one of the passkeys of the chain released a payout, and the release was not used up. */
function isGoodRelease({ policy, record }: SignerDeps, { release, ...payout }: ReleaseCheckRequest): boolean {
  const passkeys = findChainPolicy(policy, payout.chain)?.passkeys ?? null
  const { id, ...assertion } = release
  return passkeys !== null && isPayoutReleased({ id, ...payout }, assertion, passkeys) && !record.isUsed(id)
}

/**
 * Dry-runs a request, or each payment of a batch by itself, after those that are accepted before it. A nonce without a
 * signature counts as if it were signed. Records nothing.
 */
function dryRun(
  { keys, policy, record, now }: SignerDeps,
  request: SignRequest,
  before: readonly UnsignedIntent[],
): (SignerRefusal | null)[] {
  const { chain, nonce } = request
  const payments = request.kind === 'batch' ? request.payments : [null]
  const of = findChainPolicy(policy, chain)
  if (!of) return payments.map(() => 'unknown_chain')
  const purpose = limitPurposeOf(request)
  const sumOf = (amounts: string[]) => amounts.reduce((sum, each) => sum + BigInt(each), 0n)
  const unsigned = before.filter(each => !record.signedAt({ chain, nonce: each.nonce }))
  // guard: unsigned-counted
  const own = unsigned.filter(each => each.purpose === purpose)
  const fees = record.spent(chain, 'fee', now()) + sumOf(unsigned.map(each => each.fee))
  let spent = record.spent(chain, purpose, now()) + sumOf(own.map(each => each.amount))
  const others = unsigned.filter(each => each.purpose !== purpose)
  const elsewhere = others.reduce(
    (sum, each) => sum + toMicroDollars(of, each.purpose, BigInt(each.amount)),
    signedElsewhere({ policy, record, now }, chain, purpose),
  )
  const unreleased = new UnreleasedPaymentSums().add(record.unreleased(chain, purpose, now()))
  for (const each of own) unreleased.add(each.unreleased)
  const accepted: BatchRequest['payments'] = []
  const hot = keys.address(of.kind, 'hot')
  const refusal = (one: SignRequest) => {
    const isUsed = (release: string) =>
      record.isUsed(release, { chain, nonce }) || accepted.some(each => each.release?.id === release)
    const facts = { hot, spent, fees, nonceTaken: false, now: now(), isUsed, unreleased, elsewhere }
    return findPolicyViolation(one, policy, facts)
  }
  if (request.kind !== 'batch') return [refusal(request)]
  // The fee is that of all payments together.
  if (isFeeTooHigh(request, of, fees)) return payments.map(() => 'fee_too_high')
  return request.payments.map(payment => {
    const refused = refusal({ ...request, gas: '0', payments: [payment] })
    if (refused === null) {
      spent += BigInt(payment.amount)
      if (!payment.release) unreleased.add([[payment.to, payment.amount]])
      accepted.push(payment)
    }
    return refused
  })
}

/** Whether a nonce is bound to the request. Others only use up a nonce, or move a deposit to a wallet of ours. */
const isRecorded = (request: SignRequest) =>
  request.kind !== 'cancel' && !(request.kind === 'sweep' && request.index !== null)

/** What a request is signed with; null without the block that it must name. */
function termsOf(request: SignRequest, { chainId }: ChainPolicy): TransactionTerms | null {
  if ('expiration' in request) {
    const { refBlock, timestamp, expiration, feeLimit } = request
    return refBlock ? { kind: 'tron', refBlock, timestamp, expiration, feeLimit: BigInt(feeLimit) } : null
  }
  const { nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = request
  const fees = { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }
  return { kind: 'evm', chainId, nonce, gas: BigInt(gas), fees }
}

/** The key that signs and pays the fee. */
function payerOf(request: SignRequest): KeyName {
  if (request.kind === 'sweep' || request.kind === 'transfer') return request.index ?? 'hot'
  if (request.kind === 'sweepMany') return 'sweeper'
  return request.kind === 'cancel' ? (request.index ?? request.wallet ?? 'hot') : 'hot'
}

/** Whether a request can be signed by the key of a deposit address only. */
function needsDepositKey(request: SignRequest): boolean {
  if (request.kind === 'sweepMany') return request.owners.some(each => each.authorize !== null && !each.signature)
  return typeof payerOf(request) === 'number'
}

function actionOf(request: SignRequest, keys: Keys, { kind, treasury }: ChainPolicy): ChainAction {
  const { token } = request
  const address = (name: KeyName) => keys.address(kind, name)
  const transfer = (to: string, amount: string): ChainAction => ({
    does: 'transfer',
    token,
    to,
    amount: BigInt(amount),
  })
  switch (request.kind) {
    case 'transfer':
      return transfer(request.to, request.amount)
    case 'gas':
      return transfer(address(request.index ?? 'sweeper'), request.amount)
    case 'cancel':
      return transfer(address(payerOf(request)), '0')
    case 'sweep':
      return transfer(/* guard: treasury-only */ treasury ?? address('hot') /* end */, request.amount)
    case 'delegate':
    case 'undelegate':
      return { does: request.kind, to: address(request.index), amount: BigInt(request.amount) }
    case 'approve':
      return { does: 'approve', token: request.token, amount: BigInt(request.amount) }
    case 'batch': {
      const payments = request.payments.map(({ to, amount }) => ({ to, amount: BigInt(amount) }))
      return { does: 'batch', token: request.token, payments }
    }
    case 'sweepMany': {
      const owners = request.owners.map(({ index, authorize: nonce, signature }) => {
        const authorize =
          nonce === null
            ? null
            : { nonce, ...(signature ? { signature } : { privateKey: keys.privateKey(kind, index) }) }
        return { address: address(index), authorize }
      })
      // guard: treasury-sweeper
      const to = treasury ?? address('hot')
      return { does: 'sweep', token, treasury: to, owners }
    }
  }
}

/** Identifies what a nonce is used for, without fees and authorizations, which may change between attempts. */
function intentOf(request: SignRequest, to: string): string {
  const head = `${request.kind} ${requestAssetOf(request)} ${to}`
  if (request.kind === 'batch')
    return `${head} ${digestOf(request.payments.map(({ to, amount }) => `${to} ${amount}`))}`
  if (request.kind === 'sweepMany') return `${head} ${digestOf(request.owners.map(({ index }) => String(index)))}`
  return `${head} ${request.amount}`
}

const digestOf = (items: string[]) => createHash('sha256').update(items.join('\n')).digest('hex')

function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
