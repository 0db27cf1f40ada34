import { open } from 'node:fs/promises'
import {
  type ChainKind,
  type ChainView,
  type DeployableContract,
  deployer,
  disperseContract,
  isChainError,
  sweeperOf,
} from '@coffer/chains'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { xpubVariable } from '../config.ts'
import type { Deps } from '../deps.ts'
import { readChain } from '../domains/chains/store.ts'
import { countAuthorizations, importAuthorizations } from '../domains/sweeps/authorizations.ts'
import { readChainsFile } from '../outside/chains-file.ts'
import { openChain } from '../outside/open-chain.ts'
import { SignerUnavailable } from '../signer/client.ts'
import { type Command, CommandFailure, formatTable } from './command.ts'

export const sweeperCommands: Command[] = [
  {
    usage: 'sweeper contracts',
    help: 'show on which chains the contracts for sweeps and batched payouts are deployed, and how to deploy them',
    async run(_, __, deps) {
      const { signer } = deps
      const chains = await chainsOf(deps)
      const rows: { chain: string; contract: string; address: string; state: string }[] = []
      const missing = new Map<string, DeployableContract & { name: string }>()
      for (const [id, chain] of chains) {
        const { kind, delegates } = chain.definition
        if (!chain.batches) continue
        const contracts = [{ name: 'Disperse', ...disperseContract }]
        if (delegates) contracts.push({ name: 'Sweeper', ...sweeperOf(await sweptTo(signer, id, kind)) })
        for (const contract of contracts) {
          const state = await stateOf(chain, contract.address)
          rows.push({ chain: id, contract: contract.name, address: contract.address, state })
          if (state === 'missing') missing.set(contract.address, contract)
        }
      }
      const transactions = [...missing.values()].map(
        ({ name, deployData }) =>
          `To deploy ${name}, send from any wallet: to ${deployer}, value 0, data\n${deployData}`,
      )
      return [formatTable(rows, 'No chains.', ['chain', 'contract', 'address', 'state']), ...transactions].join('\n\n')
    },
  },
  {
    usage: 'sweeper import <chain> <file>',
    help: 'store what "sweeper authorize" wrote, for a signer without the keys of deposit addresses',
    changes: true,
    run: (_, [id = '', path = ''], deps) => importFrom(deps, id, path),
  },
]

/** Where deposits of a chain go: the treasury or, without one, the hot wallet. */
const sweptTo = async (signer: Deps['signer'], id: string, kind: ChainKind): Promise<string> =>
  (await signer.treasury(id).catch(unavailable))?.address ?? (await signer.hot(kind).catch(unavailable))

/** The chains of the chains file: the command line does not open them by itself. */
async function chainsOf({ chains, config, log }: Deps): Promise<Deps['chains']> {
  if (chains.size > 0) return chains
  const watched = await readChainsFile(config.chainsFile)
  return new Map(watched.map(each => [each.definition.id, openChain(each, log)]))
}

async function importFrom({ pool, config, signer }: Deps, id: string, path: string): Promise<string> {
  const row = await readChain(pool, id)
  const { chainId, delegates, kind } = row?.definition ?? {}
  if (!kind || !delegates || chainId === undefined)
    throw new CommandFailure(`${id} is no chain on which addresses can be delegated.`)
  const xpub = config.xpubs[kind]
  if (!xpub) throw new CommandFailure(`${xpubVariable(kind)} is not set.`)
  const to = await sweptTo(signer, id, kind)
  const file = await open(path).catch((error: Error) => {
    throw new CommandFailure(`${path} cannot be read (${error.message}).`)
  })
  try {
    const added = await importAuthorizations({ pool }, { id, chainId, to }, { xpub, lines: file.readLines() })
    const { n, unused } = (await countAuthorizations(pool, id, sweeperOf(to).address))!
    return `${added} were new. ${id} has ${n}, ${unused} of them for addresses that were not given out yet.`
  } catch (error) {
    if (error instanceof OperatorProblem) throw new CommandFailure(error.message)
    throw error
  } finally {
    await file.close()
  }
}

async function stateOf(chain: ChainView, address: string): Promise<'deployed' | 'missing' | 'nodes unreachable'> {
  try {
    const isDeployed = await chain.batches!.isDeployed(address)
    return isDeployed === null ? 'nodes unreachable' : isDeployed ? 'deployed' : 'missing'
  } catch (error) {
    if (isChainError(error)) return 'nodes unreachable'
    throw error
  }
}

function unavailable(error: unknown): never {
  if (error instanceof SignerUnavailable)
    throw new CommandFailure(
      'The signer does not answer, so the address of Sweeper is unknown: start the server first.',
    )
  throw error
}
