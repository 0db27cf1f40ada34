import { type ChainView, type Contract, deployer, disperse, isChainError, sweeperOf } from '@coffer/chains'
import { SignerUnavailable } from '../signer/client.ts'
import { CheckFailure, type Command, table } from './command.ts'

export const sweeperCommands: Command[] = [
  {
    usage: 'sweeper contracts',
    help: 'show on which chains the contracts for sweeps and batched payouts are deployed, and how to deploy them',
    async run({ chains, signer }) {
      const rows: string[][] = []
      const missing = new Map<string, Contract & { name: string }>()
      for (const [id, chain] of chains) {
        const { kind, delegates } = chain.definition
        if (!chain.batches) continue
        const hot = await signer.hot(kind).catch(unavailable)
        const contracts = [{ name: 'Disperse', ...disperse }]
        if (delegates) contracts.push({ name: 'Sweeper', ...sweeperOf(hot) })
        for (const contract of contracts) {
          const state = await stateOf(chain, contract.address)
          rows.push([id, contract.name, contract.address, state])
          if (state === 'missing') missing.set(contract.address, contract)
        }
      }
      const transactions = [...missing.values()].map(
        ({ name, deployData }) =>
          `To deploy ${name}, send from any wallet: to ${deployer}, value 0, data\n${deployData}`,
      )
      return [table(['CHAIN', 'CONTRACT', 'ADDRESS', 'STATE'], rows), ...transactions].join('\n\n')
    },
  },
]

async function stateOf(chain: ChainView, address: string): Promise<'deployed' | 'missing' | 'nodes unreachable'> {
  try {
    return (await chain.batches!.isDeployed(address)) ? 'deployed' : 'missing'
  } catch (error) {
    if (isChainError(error)) return 'nodes unreachable'
    throw error
  }
}

function unavailable(error: unknown): never {
  if (error instanceof SignerUnavailable)
    throw new CheckFailure('The signer does not answer, so the address of Sweeper is unknown: start the server first.')
  throw error
}
