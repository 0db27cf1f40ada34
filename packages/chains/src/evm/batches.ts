import type { AccountState, BatchPayouts, Payment } from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { ChainUnavailable } from '../errors.ts'
import { findMajorityAnswer, findMajorityBalance, hasMajority } from '../nodes/agree.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { encodeContractCall } from './action.ts'
import { allowanceData } from './calls.ts'
import { disperseContract } from './contracts.ts'
import { addGasMargin, estimateGas } from './estimate.ts'
import { readNumber, readWord } from './responses.ts'

/** First bytes of the code of a delegated account; the address of the contract follows (EIP-7702). */
const DELEGATION = '0xef0100'
/** Gas allowed for one address: more than transfers of common tokens need, and what is not used is not paid. */
const PER_ADDRESS = 60_000n
/** Gas of an authorization (EIP-7702). */
const PER_AUTHORIZATION = 25_000n
/** Gas of any transaction, and what Sweeper requires to be left before each address. */
const FIXED = 21_000n + 150_000n

/** Reads what is needed to pay and sweep by our contracts. */
export class EvmBatches implements BatchPayouts {
  readonly #nodes: Nodes
  readonly #definition: ChainDefinition

  constructor(nodes: Nodes, definition: ChainDefinition) {
    this.#nodes = nodes
    this.#definition = definition
  }

  async isDeployed(contract: string): Promise<boolean | null> {
    const call = { method: 'eth_getCode', params: [contract, 'latest'] }
    const votes = await this.#nodes.askQuorum([call], ([code]) => readCode(code) !== '0x')
    if (votes.every(vote => vote instanceof Error)) throw votes[0]
    const agree = (answer: boolean) =>
      hasMajority(votes.filter(vote => vote === answer).length, votes.length, this.#nodes.size)
    return agree(true) || (agree(false) ? false : null)
  }

  async allowance(token: string, owner: string): Promise<bigint> {
    const call = { to: token, data: allowanceData(owner, disperseContract.address) }
    const votes = await this.#nodes.askQuorum([{ method: 'eth_call', params: [call, 'latest'] }], ([word]) =>
      readWord(word),
    )
    // guard: allowance-agreed
    const allowed = findMajorityBalance(votes, this.#nodes.size)
    if (allowed !== null) return allowed
    throw votes.find(vote => vote instanceof Error) ?? new ChainUnavailable('nodes do not agree on an allowance')
  }

  async gasForBatch(from: string, token: string, payments: readonly Payment[]): Promise<bigint> {
    const call = { from, to: disperseContract.address, data: encodeContractCall({ does: 'batch', token, payments }) }
    return addGasMargin(await estimateGas(this.#nodes, this.#definition, call, payments.length))
  }

  async gasForApproval(from: string, token: string, amount: bigint): Promise<bigint> {
    const call = { from, to: token, data: encodeContractCall({ does: 'approve', token, amount }) }
    return addGasMargin(await estimateGas(this.#nodes, this.#definition, call))
  }

  gasForSweep(owners: readonly { authorize: number | null }[]): bigint {
    const authorized = owners.filter(({ authorize }) => authorize !== null).length
    return FIXED + PER_ADDRESS * BigInt(owners.length) + PER_AUTHORIZATION * BigInt(authorized)
  }

  async accounts(addresses: readonly string[]): Promise<(AccountState | null)[]> {
    const calls = addresses.flatMap(address =>
      ['eth_getTransactionCount', 'eth_getCode'].map(method => ({ method, params: [address, 'latest'] })),
    )
    const votes = await this.#nodes.askQuorum(calls, results =>
      addresses.map((_, i): AccountState => {
        const code = readCode(results[2 * i + 1])
        return {
          nonce: readNumber(results[2 * i]),
          delegatedTo: code.startsWith(DELEGATION) ? `0x${code.slice(DELEGATION.length)}` : null,
        }
      }),
    )
    if (votes.every(vote => vote instanceof Error)) throw votes[0]
    return addresses.map((_, i) => {
      const of = votes.map(vote => (vote instanceof Error ? vote : vote[i]!))
      // guard: accounts-agreed
      return findMajorityAnswer(of, this.#nodes.size, ({ nonce, delegatedTo }) => `${nonce} ${delegatedTo}`)
    })
  }
}

function readCode(value: unknown): string {
  if (typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)) return value.toLowerCase()
  throw new Error('invalid code in response')
}
