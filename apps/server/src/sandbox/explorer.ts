import type { ChainDefinition } from '@coffer/chains'
import { Token } from '@coffer/chains/evm/generated/contracts.ts'
import { formatDecimal } from '@coffer/contract'
import type { SandboxBalance, SandboxTransaction } from '@coffer/contract/sandbox/answers.ts'
import type { FastifyInstance } from 'fastify'
import { type Hex, keccak256, parseEventLogs, toBytes } from 'viem'
import { z } from 'zod'
import { Refusal } from '../kit/refusal.ts'
import { type AnvilClient, createAnvilClient } from './chains.ts'

/** A wallet outside Coffer that payouts can be sent to. Nobody has its key, as nothing is ever sent from it. */
export const externalWalletAddress: Hex = `0x${keccak256(toBytes('the wallet of a merchant in the sandbox')).slice(-40)}`

/** Reads the local chains as a block explorer does. */
export interface BlockExplorer {
  balances: () => Promise<SandboxBalance[]>
  /** A transaction in a block of any of the chains. */
  transaction: (txid: Hex) => Promise<SandboxTransaction | undefined>
}

export function makeBlockExplorer(chains: { definition: ChainDefinition; url: string }[]): BlockExplorer {
  const nodes = chains.map(({ definition, url }) => ({ definition, client: createAnvilClient(url) }))
  return {
    balances: async () => (await Promise.all(nodes.map(balancesOn))).flat(),
    transaction: async txid =>
      (await Promise.all(nodes.map(node => transactionOn(node, txid)))).find(found => found !== undefined),
  }
}

interface Node {
  definition: ChainDefinition
  client: AnvilClient
}

const balancesOn = ({ definition: { name, native, tokens }, client }: Node): Promise<SandboxBalance[]> =>
  Promise.all(
    [{ ...native, contract: null }, ...tokens].map(async ({ symbol, contract, decimals }) => {
      const units = contract
        ? await client.readContract({
            address: contract as Hex,
            abi: Token.abi,
            functionName: 'balanceOf',
            args: [externalWalletAddress],
          })
        : await client.getBalance({ address: externalWalletAddress })
      return { chain: name, token: symbol, amount: formatDecimal(units, decimals) }
    }),
  )

async function transactionOn({ definition, client }: Node, txid: Hex): Promise<SandboxTransaction | undefined> {
  const receipt = await client.getTransactionReceipt({ hash: txid }).catch(() => undefined)
  if (!receipt) return undefined
  const [sent, block, head] = await Promise.all([
    client.getTransaction({ hash: txid }),
    client.getBlock({ blockHash: receipt.blockHash }),
    client.getBlockNumber(),
  ])
  const { native, tokens, name } = definition
  const transfers = parseEventLogs({ abi: Token.abi, eventName: 'Transfer', logs: receipt.logs }).flatMap(log => {
    const token = tokens.find(each => each.contract === log.address.toLowerCase())
    const { from, to, value } = log.args
    return token ? [{ token: token.symbol, amount: formatDecimal(value, token.decimals), from, to }] : []
  })
  const moves = [
    ...(sent.value > 0n && sent.to
      ? [{ token: native.symbol, amount: formatDecimal(sent.value, native.decimals), from: sent.from, to: sent.to }]
      : []),
    ...transfers,
  ].map(move => ({ ...move, from: move.from.toLowerCase(), to: move.to.toLowerCase() }))
  return {
    txid,
    chain: name,
    block: Number(receipt.blockNumber),
    confirmations: Number(head - receipt.blockNumber) + 1,
    time: Number(block.timestamp),
    succeeded: receipt.status === 'success',
    moves,
  }
}

const txidParams = z.object({ txid: z.string().regex(/^0x[0-9a-f]{64}$/) })

/** Mounts what the page /sandbox shows of the chains: the wallet outside, and single transactions. */
export function mountBlockExplorer(app: FastifyInstance, explorer: BlockExplorer): void {
  app.get('/sandbox/wallet', async () => {
    const list = await explorer.balances()
    return { code: 200, data: { address: externalWalletAddress, list, total: list.length } }
  })
  app.get('/sandbox/transactions/:txid', async request => {
    const { txid } = txidParams.parse(request.params)
    const found = await explorer.transaction(txid as Hex)
    if (!found) throw new Refusal('not_found')
    return { code: 200, data: found }
  })
}
