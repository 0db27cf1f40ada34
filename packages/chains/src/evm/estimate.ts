import type { ChainDefinition } from '../definitions.ts'
import { CallRefused, ChainUnavailable, ResponseTooLarge, TooMuchGas } from '../errors.ts'
import { hasMajority } from '../nodes/agree.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { readBigInt } from './responses.ts'

/** Percent added to an estimate: the cost of a storage write depends on transactions mined before it. */
const MARGIN = 25n
/**
 * Most gas of one transfer, where the definition of the chain states no other: several times what any known token or
 * wallet takes. A receiver must not have us pay for whatever it burns.
 */
const MOST_GAS = 250_000
/** Codes of JSON-RPC that say that the node does not serve the call: malformed, or an unknown method. */
const UNSERVED = new Set([-32_700, -32_600, -32_601, -32_602])
/** Refusals that are about the sender or the node's state, not about the execution. */
const NOT_EXECUTED = /insufficient funds|missing trie node|header not found|unknown block/i

/** A call as eth_estimateGas takes it. */
type Transaction = { from: string; to: string; data?: string; value?: string }

export const addGasMargin = (gas: bigint): bigint => gas + (gas * MARGIN) / 100n

/**
 * Estimates the gas of a call by all nodes; the upper median counts, since a limit that is not used costs nothing.
 * @param mostGas the most that one transfer may take, see the definition of the chain
 * @param transfers how many transfers the call makes, which bounds its gas
 * @throws CallRefused if most nodes report that the execution fails, and that one of no effect does not; TooMuchGas if
 *   most report more than the bound; ChainUnavailable if too few report anything
 */
export async function estimateGas(
  nodes: Nodes,
  { mostGas = MOST_GAS }: Pick<ChainDefinition, 'mostGas'>,
  call: Transaction,
  transfers = 1,
): Promise<bigint> {
  const isDecided = (found: bigint[], queried: number) => hasMajority(found.length, queried, nodes.size)
  const ask = (transaction: Transaction) =>
    nodes.askQuorum([{ method: 'eth_estimateGas', params: [transaction] }], ([gas]) => readBigInt(gas), isDecided)
  const votes = await ask(call)
  const failures = votes.filter(isFailure)
  if (/* guard: estimate-agreed */ hasMajority(failures.length, votes.length, nodes.size) /* end */) {
    // A node that estimates nothing at all says nothing about this call.
    const controls = await ask({ from: call.from, to: call.from, value: '0x0' })
    const working = controls.filter(vote => !(vote instanceof Error)).length
    if (hasMajority(working, controls.length, nodes.size)) throw new CallRefused(failures[0]!.message, 0)
    throw new ChainUnavailable(`nodes estimate no gas: ${failures[0]!.message}`)
  }
  const found = votes.filter(vote => typeof vote === 'bigint').sort((a, b) => (a < b ? -1 : 1))
  const most = BigInt(mostGas * transfers)
  const dear = found.filter(gas => gas > most)
  if (hasMajority(dear.length, votes.length, nodes.size))
    throw new TooMuchGas(`it takes ${dear[0]} gas, and may take ${most}`, 0)
  const usual = found.filter(gas => gas <= most)
  const used = usual[Math.floor(usual.length / 2)]
  if (used === undefined) throw votes.find(vote => vote instanceof ChainUnavailable) ?? noAgreement
  return used
}

const noAgreement = new ChainUnavailable('nodes do not agree on whether a transfer would fail')

/**
 * Whether a node reports that the execution fails. Codes of refused requests as a whole are HTTP statuses, above zero.
 * An estimate is a number: a large answer is what the contract says as it fails.
 */
const isFailure = (vote: unknown): vote is CallRefused | ResponseTooLarge =>
  vote instanceof ResponseTooLarge ||
  (vote instanceof CallRefused && !UNSERVED.has(vote.code) && vote.code < 400 && !NOT_EXECUTED.test(vote.message))
