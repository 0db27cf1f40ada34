import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { type Abi, createTestClient, type Hex, http, parseEther, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { hexToBytes } from 'viem/utils'
import { buildAction, type EvmAction } from '../evm/action.ts'
import { deployer, disperseContract, sweeperOf } from '../evm/contracts.ts'
import { FeeToken, Token, UsdtLike } from '../evm/generated/contracts.ts'
import { signTransaction } from '../evm/transfer.ts'

/** A key with its address in stored form. */
export type Account = { privateKey: Uint8Array; address: Hex }

export function newAccount(): Account {
  const key = generatePrivateKey()
  return { privateKey: hexToBytes(key), address: privateKeyToAddress(key).toLowerCase() as Hex }
}

const GAS = 6_000_000n
const CHAIN_ID = 31_337

/** A local chain with our contracts, tokens, a funded hot wallet (the treasury) and a funded sweeper. */
export async function moneyOut(scope: Scope) {
  const { url } = await withAnvil(scope, { chainId: CHAIN_ID })
  const client = createTestClient({ mode: 'anvil', transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const [issuer] = (await client.getAddresses()) as [Hex]
  const shared = { account: issuer, chain: null } as const
  const send = async (to: Hex | null, data: Hex, value = 0n) => {
    const hash = await client.sendTransaction({ ...shared, to, data, value, gas: GAS })
    return client.waitForTransactionReceipt({ hash })
  }
  const deploy = async ({ abi, bytecode }: { abi: Abi; bytecode: Hex }, args: unknown[]) => {
    const hash = await client.deployContract({ ...shared, abi, bytecode, args })
    return (await client.waitForTransactionReceipt({ hash })).contractAddress!.toLowerCase() as Hex
  }
  const hot = newAccount()
  const sweeper = newAccount()
  for (const { deployData } of [disperseContract, sweeperOf(hot.address)]) await send(deployer, deployData)
  const usdt = await deploy(UsdtLike, ['Tether USD', 'USDT', 6])
  const standard = await deploy(Token, ['Tether USD', 'USDT'])
  const feeToken = await deploy(FeeToken, ['Fee Token', 'FEE'])
  for (const { address } of [hot, sweeper]) await send(address, '0x', parseEther('100'))

  const write = async (address: Hex, functionName: string, args: unknown[]) => {
    const hash = await client.writeContract({ ...shared, address, abi: UsdtLike.abi as Abi, functionName, args })
    return client.waitForTransactionReceipt({ hash })
  }
  return {
    url,
    client,
    hot,
    sweeper,
    usdt,
    standard,
    feeToken,
    /** Sends from the issuer's account. */
    send,
    /** Calls a function of a token as its issuer. */
    write,
    issue: async (token: Hex, to: Hex, amount: bigint) => void (await write(token, 'issue', [to, amount])),
    balance: (token: Hex, owner: Hex) =>
      client.readContract({ address: token, abi: Token.abi, functionName: 'balanceOf', args: [owner] }),
    /** Signs and sends an action of one of our keys. */
    act: async (action: EvmAction, { privateKey, address }: Account, gas = GAS) => {
      const nonce = await client.getTransactionCount({ address })
      const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
      const unsigned = buildAction(action, { kind: 'evm', chainId: CHAIN_ID, nonce, gas, fees })
      const { raw } = await signTransaction(unsigned, privateKey)
      const hash = await client.sendRawTransaction({ serializedTransaction: raw as Hex })
      return client.waitForTransactionReceipt({ hash })
    },
  }
}

export type MoneyOut = Awaited<ReturnType<typeof moneyOut>>
