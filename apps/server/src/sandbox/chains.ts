import { bnbSmartChain, defineSandboxChain, deployer, disperseContract, ethereum, sweeperOf } from '@coffer/chains'
import { Token, UsdtLike } from '@coffer/chains/evm/generated/contracts.ts'
import {
  createTestClient,
  getContractAddress,
  type Hex,
  http,
  parseEther,
  parseUnits,
  publicActions,
  walletActions,
} from 'viem'
import type { WatchedChain } from '../outside/world.ts'

/** A client of a local anvil chain, which can also mine, reorganise and use the node's unlocked accounts. */
export const createAnvilClient = (url: string) =>
  createTestClient({ mode: 'anvil', transport: http(url, { timeout: 10_000 }), pollingInterval: 100 })
    .extend(publicActions)
    .extend(walletActions)

export type AnvilClient = ReturnType<typeof createAnvilClient>

interface LocalToken {
  decimals: number
  abi: typeof Token.abi | typeof UsdtLike.abi
  bytecode: Hex
  args: readonly unknown[]
}

const usdtLike: LocalToken = {
  decimals: 6,
  abi: UsdtLike.abi,
  bytecode: UsdtLike.bytecode,
  args: ['Tether USD', 'USDT', 6],
}
const usdtStandard: LocalToken = {
  decimals: 18,
  abi: Token.abi,
  bytecode: Token.bytecode,
  args: ['Tether USD', 'USDT'],
}

/**
 * The sandbox's two chains: one like Ethereum, whose USDT has 6 decimals and returns no value from `transfer`, and one
 * like BNB Smart Chain, whose USDT has 18 decimals. Deploys a missing token and funds the payer's wallet with it. The
 * page /sandbox below `publicUrl` shows their transactions.
 */
export async function prepareSandboxChains(urls: string[], publicUrl: string): Promise<WatchedChain[]> {
  const [first, second] = urls
  if (!first || !second) throw new Error('the sandbox needs two chains')
  const transactionUrl = `${publicUrl}/sandbox?txid={}#transaction`
  const [eth, bsc] = await Promise.all([tokenOn(first, usdtLike), tokenOn(second, usdtStandard)])
  return [
    {
      definition: defineSandboxChain(ethereum, {
        transactionUrl,
        chainId: 31337,
        confirmations: 6,
        blockTime: 1,
        tokens: [{ symbol: 'USDT', contract: eth, decimals: 6 }],
      }),
      nodes: [{ url: first }],
    },
    {
      definition: defineSandboxChain(bnbSmartChain, {
        transactionUrl,
        chainId: 31338,
        confirmations: 4,
        blockTime: 1,
        tokens: [{ symbol: 'USDT', contract: bsc, decimals: 18 }],
      }),
      nodes: [{ url: second }],
    },
  ]
}

/**
 * Blocks mined before a chain is followed. More than its confirmations, so that block 0 is never stored: a node
 * recreates it with another hash on each start.
 */
const firstBlocks = 12

async function tokenOn(url: string, token: LocalToken): Promise<string> {
  const client = createAnvilClient(url)
  const [owner, payer] = await client.getAddresses()
  if (!owner || !payer) throw new Error(`the chain at ${url} has no unlocked accounts`)
  const address = getContractAddress({ from: owner, nonce: 0n })
  const contract = { address, abi: token.abi as typeof Token.abi }
  const shared = { account: owner, chain: null } as const
  if ((await client.getCode({ address })) === undefined) {
    const { abi, bytecode, args } = token
    // In a block before the next call, whose gas the node estimates on the state of the last block.
    const hash = await client.deployContract({ ...shared, abi: abi as never, bytecode, args: args as never })
    await mined(client, hash)
  }
  if ((await client.readContract({ ...contract, functionName: 'balanceOf', args: [payer] })) === 0n) {
    const args = [payer, parseUnits('1000000000', token.decimals)] as const
    await mined(client, await client.writeContract({ ...shared, ...contract, functionName: 'issue', args }))
  }
  const missing = firstBlocks - Number(await client.getBlockNumber())
  if (missing > 0) await client.mine({ blocks: missing })
  return address.toLowerCase()
}

/** Gives the hot wallet native coin for fees, unless it has some. */
export async function fundWallet(url: string, address: string): Promise<void> {
  const client = createAnvilClient(url)
  const [owner] = await client.getAddresses()
  if ((await client.getBalance({ address: address as Hex })) >= parseEther('10')) return
  const hash = await client.sendTransaction({
    account: owner!,
    chain: null,
    to: address as Hex,
    value: parseEther('100'),
  })
  await mined(client, hash)
}

/** Deploys the contracts that pay and sweep in batches, unless the chain has them. `treasury` is the hot wallet. */
export async function deployBatchContracts(url: string, treasury: string): Promise<void> {
  const client = createAnvilClient(url)
  const [owner] = await client.getAddresses()
  for (const { address, deployData } of [disperseContract, sweeperOf(treasury)]) {
    if ((await client.getCode({ address: address as Hex })) !== undefined) continue
    const hash = await client.sendTransaction({ account: owner!, chain: null, to: deployer, data: deployData })
    await mined(client, hash)
  }
}

/** Waits until a transaction is in a block. Throws if it failed there. */
async function mined(client: AnvilClient, hash: Hex): Promise<void> {
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`transaction ${hash} of the local chain failed`)
}
