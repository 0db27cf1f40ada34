import { createHash } from 'node:crypto'
import { type Action, calleeOf, isKind, kinds } from '@coffer/chains'
import type { KeyName, Keys } from './keys.ts'
import { assetOf, type ChainPolicy, costOf, type Policy, refusalOf, spendingOf } from './policy.ts'
import {
  isSignRequest,
  type Signed,
  type SignerAnswer,
  type SignerRefusal,
  type SignRequest,
  type WalletName,
} from './protocol.ts'
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
  if (op === 'xpub' && isKind(kind)) return { id, result: parts.keys.xpub(kind) }
  if ((op === 'hot' || op === 'sweeper') && isKind(kind)) return { id, result: parts.keys.address(kind, op) }
  if (op !== 'sign' || !isSignRequest(request)) return { id, refused: 'bad_request' }
  const outcome = await sign(parts, request)
  return typeof outcome === 'string' ? { id, refused: outcome } : { id, result: outcome }
}

async function sign({ keys, policy, record, now }: SignerParts, request: SignRequest): Promise<Signed | SignerRefusal> {
  const chain = Object.hasOwn(policy, request.chain) ? policy[request.chain] : undefined
  if (!chain) return 'unknown_chain'
  const signAction = kinds[chain.kind].sign
  if (!signAction) return 'bad_request'
  const payer = payerOf(request)
  const action = actionOf(request, keys, chain)
  const to = action.does === 'transfer' ? action.to : calleeOf(action)
  const purpose = request.kind === 'gas' ? 'gas' : assetOf(request)
  const intent = intentOf(request, to)
  // A deposit address pays nobody but the hot wallet, whatever its nonces are used for.
  const wallet: WalletName = payer === 'sweeper' ? 'sweeper' : 'hot'
  const before = record.intentAt(request.chain, request.nonce, wallet)
  const amount = spendingOf(request)
  // Already signed with other fees: the payout happens once, so it counts once.
  const spent = before === intent ? -amount : 0n
  // Fees are limited too: a compromised server could otherwise give the wallet away to a block producer.
  const { chain: id, nonce } = request
  const of = { chain: id, nonce, ...(payer !== 'hot' && { account: payer }) }
  const paid = record.feeAt(of, now())
  const cost = costOf(request)
  const refused = refusalOf(request, policy, {
    hot: keys.address(chain.kind, 'hot'),
    spent: spent + record.spent(id, purpose, now()),
    fees: record.spent(id, 'fee', now()) - paid.counted,
    nonceTaken: before !== undefined && before !== intent,
  })
  if (refused) return refused
  if (before === undefined && request.kind !== 'cancel' && request.kind !== 'sweep')
    record.add({ at: now(), ...of, purpose, intent, amount: amount.toString() })
  if (cost > paid.fee) record.add({ at: now(), ...of, purpose: 'fee', intent: '', amount: cost.toString() })
  const fees = {
    maxFeePerGas: BigInt(request.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(request.maxPriorityFeePerGas),
  }
  const terms = { chainId: chain.chainId, nonce, gas: BigInt(request.gas), fees }
  const { raw, txid } = await signAction(action, terms, keys.privateKey(chain.kind, payer))
  return { raw, txid, from: keys.address(chain.kind, payer), to }
}

/** The key that signs and pays the fee. */
function payerOf(request: SignRequest): KeyName {
  if (request.kind === 'sweep') return request.index
  if (request.kind === 'sweepMany') return 'sweeper'
  return request.kind === 'cancel' ? (request.wallet ?? 'hot') : 'hot'
}

function actionOf(request: SignRequest, keys: Keys, { kind }: ChainPolicy): Action {
  const { token } = request
  const address = (name: KeyName) => keys.address(kind, name)
  const transfer = (to: string, amount: string): Action => ({ does: 'transfer', token, to, amount: BigInt(amount) })
  switch (request.kind) {
    case 'transfer':
      return transfer(request.to, request.amount)
    case 'gas':
      return transfer(address(request.index ?? 'sweeper'), request.amount)
    case 'cancel':
      return transfer(address(payerOf(request)), '0')
    case 'sweep':
      return transfer(address('hot'), request.amount)
    case 'approve':
      return { does: 'approve', token: request.token, amount: BigInt(request.amount) }
    case 'batch': {
      const payments = request.payments.map(({ to, amount }) => ({ to, amount: BigInt(amount) }))
      return { does: 'batch', token: request.token, payments }
    }
    case 'sweepMany': {
      const owners = request.owners.map(({ index, authorize: nonce }) => {
        const authorize = nonce === null ? null : { privateKey: keys.privateKey(kind, index), nonce }
        return { address: address(index), authorize }
      })
      return { does: 'sweep', token, treasury: address('hot'), owners }
    }
  }
}

/** Identifies what a nonce is used for, without fees and authorizations, which may change between attempts. */
function intentOf(request: SignRequest, to: string): string {
  const head = `${request.kind} ${assetOf(request)} ${to}`
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
