import type { Action, EvmTerms } from '../action.ts'
import { approveData, word } from './calls.ts'
import { disperse, sweeperOf } from './contracts.ts'
import { buildTransfer, type Unsigned } from './transfer.ts'

/** What transactions on Ethereum-like chains can do. */
export type EvmAction = Extract<Action, { does: 'transfer' | 'batch' | 'approve' | 'sweep' }>

/** The contract that an action calls or, for a transfer of the native coin, the receiver. */
export function calleeOf(action: EvmAction): string {
  if (action.does === 'batch') return disperse.address
  if (action.does === 'sweep') return sweeperOf(action.treasury).address
  return action.does === 'approve' ? action.token : (action.token ?? action.to)
}

/** Builds the transaction of an action. */
export function buildAction(action: EvmAction, { chainId, nonce, gas, fees }: EvmTerms): Unsigned {
  if (action.does === 'transfer') return buildTransfer({ chainId, nonce, gas, fees, ...action })
  const to = calleeOf(action) as `0x${string}`
  const call = { chainId, nonce, gas, ...fees, to, value: 0n, data: dataOf(action) }
  if (action.does !== 'sweep') return call
  const authorizations = action.owners.flatMap(({ authorize }) => (authorize ? [{ ...authorize, contract: to }] : []))
  return { ...call, authorizations }
}

/** Encodes the call of a contract. */
export function dataOf(action: Exclude<EvmAction, { does: 'transfer' }>): `0x${string}` {
  if (action.does === 'approve') return approveData(disperse.address, action.amount)
  if (action.does === 'batch') {
    const list = action.payments.map(({ to, amount }) => word(to.slice(2)) + word(amount.toString(16)))
    return `0x6a72ae45${withList(action.token, list)}`
  }
  const list = action.owners.map(({ address }) => word(address.slice(2)))
  return `0x4b05099c${withList(action.token ?? '0x', list)}`
}

/** Encodes a token and a list: the place of the list, its length and its items. */
function withList(token: string, list: string[]): string {
  return word(token.slice(2)) + word('40') + word(list.length.toString(16)) + list.join('')
}
