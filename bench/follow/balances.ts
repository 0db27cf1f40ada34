import type { ChainDefinition } from '@coffer/chains'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  multicall3Abi,
  pad,
  toHex,
} from 'viem'
import type { Deposit } from './life.ts'

/** What addresses hold on a chain, which is what deposits brought. */
export class Balances {
  readonly #deposits = new Map<string, Deposit[]>()
  readonly #multicall: string | undefined

  constructor({ multicall }: ChainDefinition, deposits: readonly Deposit[]) {
    this.#multicall = multicall
    for (const each of deposits) {
      const key = `${each.token} ${each.to}`
      this.#deposits.set(key, [...(this.#deposits.get(key) ?? []), each])
    }
  }

  /** The balance of an address after a block, in base units; `token` null is the native coin. */
  of(token: string | null, address: string, block: number): bigint {
    const found = this.#deposits.get(`${token} ${address.toLowerCase()}`) ?? []
    return found.reduce((sum, each) => (each.block <= block ? sum + each.amount : sum), 0n)
  }

  /** What a call returns that asks for balances. Throws Error for any other. */
  call({ to, data }: { to: string; data: string }, block: number): Hex {
    if (to.toLowerCase() !== this.#multicall) return word(this.of(to.toLowerCase(), holderOf(data), block))
    const { args } = decodeFunctionData({ abi: multicall3Abi, data: data as Hex })
    const results = (args as readonly [readonly { target: Address; callData: Hex }[]])[0].map(
      ({ target, callData }) => {
        const token = target.toLowerCase() === this.#multicall ? null : target.toLowerCase()
        const holder = token === null ? nativeHolderOf(callData) : holderOf(callData)
        return { success: true, returnData: word(this.of(token, holder, block)) }
      },
    )
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: results })
  }
}

const word = (value: bigint): Hex => pad(toHex(value))

function holderOf(data: string): string {
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: data as Hex })
  if (functionName !== 'balanceOf') throw new Error(`${functionName} is not answered`)
  return args[0]
}

function nativeHolderOf(data: Hex): string {
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data })
  if (functionName !== 'getEthBalance') throw new Error(`${functionName} is not answered`)
  return args[0]
}
