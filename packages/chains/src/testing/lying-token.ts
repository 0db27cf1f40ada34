import { encodeDeployData, encodeFunctionData } from 'viem/utils'
import { LyingToken } from '../evm/generated/contracts.ts'
import type { World } from './evm-harness.ts'

/** What a token does that its logs do not say; null if it is honest. */
export const lyingWays = { 'keeps a part': 1, 'logs twice': 2, 'shrinks balances': 3 } as const

/** Deploys a token that lies in one way (0: in none), and gives the payer 10^12 base units. Returns its contract. */
export async function deployLying({ submit, mine, call, payer }: World, way: number): Promise<string> {
  const txid = await submit(null, encodeDeployData({ ...LyingToken, args: ['Lying', 'LIE', way] }))
  await mine(1)
  const { contractAddress } = await call<{ contractAddress: string }>('eth_getTransactionReceipt', txid)
  const encode = (functionName: 'become' | 'issue', args: unknown[]) =>
    encodeFunctionData({ abi: LyingToken.abi, functionName, args: args as never })
  await submit(contractAddress, encode('become', [way]))
  await submit(contractAddress, encode('issue', [payer, 10n ** 12n]))
  await mine(1)
  return contractAddress.toLowerCase()
}
