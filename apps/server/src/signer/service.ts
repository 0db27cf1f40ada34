import { isKind, kinds } from '@coffer/chains'
import type { KeyName, Keys } from './keys.ts'
import { assetOf, type ChainPolicy, costOf, type Policy, refusalOf } from './policy.ts'
import { isSignRequest, type Signed, type SignerAnswer, type SignerRefusal, type SignRequest } from './protocol.ts'
import type { SignedRecord } from './record.ts'

export type SignerParts = {
  keys: Keys
  policy: Policy
  record: SignedRecord
  /** Unix seconds. */
  now: () => number
}

/** Answers one line of the protocol. Rejects only when the signing record cannot be written. */
export async function answer(parts: SignerParts, line: string): Promise<SignerAnswer> {
  const message = parse(line)
  const id = Number.isSafeInteger(message.id) ? (message.id as number) : -1
  const { op, kind, request } = message
  if ((op === 'xpub' || op === 'hot') && isKind(kind)) {
    return { id, result: op === 'xpub' ? parts.keys.xpub(kind) : parts.keys.address(kind, 'hot') }
  }
  if (op !== 'sign' || !isSignRequest(request)) return { id, refused: 'bad_request' }
  const outcome = await sign(parts, request)
  return typeof outcome === 'string' ? { id, refused: outcome } : { id, result: outcome }
}

async function sign({ keys, policy, record, now }: SignerParts, request: SignRequest): Promise<Signed | SignerRefusal> {
  const chain = Object.hasOwn(policy, request.chain) ? policy[request.chain] : undefined
  if (!chain) return 'unknown_chain'
  const signTransfer = kinds[chain.kind].sign
  if (!signTransfer) return 'bad_request'
  const hot = keys.address(chain.kind, 'hot')
  const deposit = request.index === null ? null : keys.address(chain.kind, request.index)
  const purpose = request.kind === 'gas' ? 'gas' : assetOf(request)
  const to = receiverOf(request, hot, deposit)
  const intent = `${request.kind} ${assetOf(request)} ${to} ${request.amount}`
  const before = record.intentAt(request.chain, request.nonce)
  // Already signed with other fees: the payout happens once, so it counts once.
  const spent = before === intent ? -BigInt(request.amount) : 0n
  // Fees are limited too: a compromised server could otherwise give the wallet away to a block producer.
  const payer = {
    chain: request.chain,
    nonce: request.nonce,
    ...(request.kind === 'sweep' && { account: request.index! }),
  }
  const paid = record.feeAt(payer, now())
  const cost = costOf(request)
  const refused = refusalOf(request, policy, {
    hot,
    deposit,
    spent: spent + record.spent(request.chain, purpose, now()),
    fees: record.spent(request.chain, 'fee', now()) - paid.counted,
    nonceTaken: before !== undefined && before !== intent,
  })
  if (refused) return refused
  if (before === undefined && (request.kind === 'transfer' || request.kind === 'gas')) {
    const { chain, nonce, amount } = request
    record.add({ at: now(), chain, nonce, purpose, intent, amount })
  }
  if (cost > paid.fee) record.add({ at: now(), ...payer, purpose: 'fee', intent: '', amount: cost.toString() })
  const name: KeyName = request.kind === 'sweep' ? request.index! : 'hot'
  const { raw, txid } = await signTransfer(transferOf(request, chain, to), keys.privateKey(chain.kind, name))
  return { raw, txid, from: request.kind === 'sweep' ? deposit! : hot, to }
}

function receiverOf(request: SignRequest, hot: string, deposit: string | null): string {
  if (request.kind === 'transfer') return request.to!
  return request.kind === 'gas' ? deposit! : hot
}

function transferOf(request: SignRequest, { chainId }: ChainPolicy, to: string) {
  const { token, amount, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = request
  const fees = { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }
  return { chainId, token, to, amount: BigInt(amount), nonce, gas: BigInt(gas), fees }
}

function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
