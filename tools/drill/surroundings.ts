import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeWorld } from '@coffer/chains/testing/evm-harness.ts'
import { startProxy } from '@coffer/chains/testing/proxy.ts'
import { startAnvil } from '@coffer/local/anvil.ts'
import { deployBatchContracts } from '@coffer/server/sandbox/chains.ts'
import { startSandboxPriceFeed } from '@coffer/server/sandbox/prices.ts'
import { mailServer } from '@coffer/server/testing/config-world.ts'
import type { Drill } from './part.ts'

/** A transfer of the token that is in a block. */
export interface Arrival {
  to: string
  amount: bigint
}

/** What an installation stands on besides its database. */
export interface Surroundings {
  /** Path of the chains file: one chain, by three nodes. */
  chains: string
  /** Settings that name the mail server, and the mirror of the price sources. */
  mail: Record<string, string>
  prices: Record<string, string>
  chain: {
    /** Its node, without faults. */
    url: string
    /** Gives a hot wallet coin and tokens, by default a million, and lets it pay in batches. */
    fund: (hot: string, tokens?: bigint) => Promise<void>
    /** Sends tokens to an address, in base units. */
    pay: (to: string, amount: bigint) => Promise<void>
    /** All transfers of the token so far. */
    arrivals: () => Promise<Arrival[]>
  }
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const nodes = 3

/** Starts a chain with a block a second behind three nodes, a mail server and a mirror of the price sources. */
export async function startSurroundings({ folder, after }: Drill): Promise<Surroundings> {
  const anvil = await startAnvil({ folder: join(folder, 'chain'), chainId: 31_337, keep: false })
  after(anvil.stop)
  const world = await makeWorld(anvil.url)
  // More than the confirmations, before the chain is followed.
  await world.mine(12)
  const proxies = await Promise.all(Array.from({ length: nodes }, () => startProxy(anvil.url)))
  for (const each of proxies) after(each.stop)
  const chains = join(folder, 'chains.json')
  const chain = {
    id: 'local',
    name: 'Local',
    network: 'Local',
    chainId: 31_337,
    confirmations: 3,
    blockTime: 1,
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [{ symbol: 'USDT', contract: world.token, decimals: 6 }],
    nodes: proxies.map(({ url }) => ({ url })),
  }
  writeFileSync(chains, JSON.stringify({ chains: [chain] }))
  const feed = await startSandboxPriceFeed()
  after(feed.stop)
  const mailPort = await mailServer({ after })
  await world.call('evm_setIntervalMining', 1)
  return {
    chains,
    mail: { COFFER_SMTP_URL: `smtp://127.0.0.1:${mailPort}` },
    prices: { COFFER_PRICES_URL: new URL(feed.at.binance).origin },
    chain: {
      url: anvil.url,
      fund: async (hot, tokens = 1_000_000_000_000n) => {
        await world.call('anvil_setBalance', hot, `0x${(100n * 10n ** 18n).toString(16)}`)
        if (tokens > 0n) await world.pay([[{ token: world.token, to: hot, amount: tokens }]])
        await deployBatchContracts(anvil.url, hot)
      },
      pay: async (to, amount) => void (await world.pay([[{ token: world.token, to, amount }]])),
      arrivals: async () => {
        const filter = { address: world.token, fromBlock: '0x0', toBlock: 'latest', topics: [transferTopic] }
        const logs = await world.call<{ topics: string[]; data: string }[]>('eth_getLogs', filter)
        return logs.map(log => ({ to: `0x${log.topics[2]!.slice(26)}`, amount: BigInt(log.data) }))
      },
    },
  }
}
