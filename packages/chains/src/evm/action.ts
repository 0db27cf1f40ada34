import type { ChainAction, EvmTerms } from '../action.ts'
import { approveData, padWord } from './calls.ts'
import { disperseContract, sweeperOf } from './contracts.ts'
import { buildTransfer, type UnsignedEvmTransaction } from './transfer.ts'

/** What transactions on Ethereum-like chains can do. */
export type EvmAction = Extract<ChainAction, { does: 'transfer' | 'batch' | 'approve' | 'sweep' }>

/** The contract that an action calls or, for a transfer of the native coin, the receiver. */
export function calleeOf(action: EvmAction): string {
  if (action.does === 'batch') return disperseContract.address
  if (action.does === 'sweep') return sweeperOf(action.treasury).address
  return action.does === 'approve' ? action.token : (action.token ?? action.to)
}

/** Builds the transaction of an action. */
export function buildAction(action: EvmAction, { chainId, nonce, gas, fees }: EvmTerms): UnsignedEvmTransaction {
  if (action.does === 'transfer') return buildTransfer({ chainId, nonce, gas, fees, ...action })
  const to = calleeOf(action) as `0x${string}`
  const call = { chainId, nonce, gas, ...fees, to, value: 0n, data: encodeContractCall(action) }
  if (action.does !== 'sweep') return call
  const authorizations = action.owners.flatMap(({ authorize }) => (authorize ? [{ ...authorize, contract: to }] : []))
  return { ...call, authorizations }
}

/** Encodes the call of a contract. */
export function encodeContractCall(action: Exclude<EvmAction, { does: 'transfer' }>): `0x${string}` {
  if (action.does === 'approve') return approveData(disperseContract.address, action.amount)
  if (action.does === 'batch') {
    const list = action.payments.map(({ to, amount }) => padWord(to.slice(2)) + padWord(amount.toString(16)))
    return `0x6a72ae45${withList(action.token, list)}`
  }
  const list = action.owners.map(({ address }) => padWord(address.slice(2)))
  return `0x4b05099c${withList(action.token ?? '0x', list)}`
}

/** Encodes a token and a list: the place of the list, its length and its items. */
function withList(token: string, list: string[]): string {
  return padWord(token.slice(2)) + padWord('40') + padWord(list.length.toString(16)) + list.join('')
}
