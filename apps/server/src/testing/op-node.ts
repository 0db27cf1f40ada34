import type { Intercept } from '@coffer/chains/testing/proxy.ts'
import { hexToBigInt, parseTransaction, recoverTransactionAddress } from 'viem'

const oracle = '0x420000000000000000000000000000000000000f'
const word = (units: bigint) => `0x${units.toString(16).padStart(64, '0')}`

/**
 * What an OP chain charges beyond gas, in wei: for data, also by the bytes that the oracle is queried for, and for its
 * operator.
 */
export type OpFees = { ofData: bigint | ((bytes: bigint) => bigint); ofOperator: bigint }

/**
 * Answers as a node of an OP chain does: its oracle quotes what the chain charges beyond gas, and a transaction whose
 * sender has not both is refused.
 */
export const opNode =
  ({ ofData, ofOperator }: OpFees): Intercept =>
  async ({ method, params }, ask) => {
    if (method === 'eth_call') {
      const { to, data } = params[0] as { to?: string; data: string }
      if (to !== oracle) return undefined
      if (!data.startsWith('0xf1c7a58b')) return { result: word(ofOperator) }
      return { result: word(typeof ofData === 'bigint' ? ofData : ofData(hexToBigInt(`0x${data.slice(10)}`))) }
    }
    if (method !== 'eth_sendRawTransaction') return undefined
    const raw = params[0] as `0x02${string}`
    const { gas = 0n, maxFeePerGas = 0n, value = 0n } = parseTransaction(raw)
    const from = await recoverTransactionAddress({ serializedTransaction: raw })
    const held = hexToBigInt((await ask('eth_getBalance', from, 'latest')) as `0x${string}`)
    const charged = ofOperator + (typeof ofData === 'bigint' ? ofData : ofData(BigInt(raw.length / 2)))
    if (held >= gas * maxFeePerGas + value + charged) return undefined
    return { error: { code: -32000, message: 'insufficient funds for gas * price + value + data fee' } }
  }
