import type { ChainDefinition } from '../definitions.ts'
import { CallRefused, ChainUnavailable } from '../errors.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { padWord, transferData } from './calls.ts'

type AskedNodes = Pick<Nodes, 'askQuorum'>

/**
 * Contract of OP chains that quotes what they charge beyond gas. Source: the specification of the OP Stack, predeploys.
 */
const OP_ORACLE = '0x420000000000000000000000000000000000000f'
/**
 * `getL1FeeUpperBound(uint256)` of the bytes of a transaction without its signature (Fjord), and
 * `getOperatorFee(uint256)` of its gas (Isthmus).
 */
const FEE_OF_DATA = '0xf1c7a58b'
const FEE_OF_OPERATOR = '0x275aedd2'
/**
 * What nodes of Arbitrum answer by themselves: `gasEstimateL1Component(address,bool,bytes)`. Source: NodeInterface of
 * nitro-contracts.
 */
const NODE_INTERFACE = '0x00000000000000000000000000000000000000c8'
const GAS_OF_DATA = '0x77d488a2'
/** Most gas that is believed to be for data. */
const dataGasMost = 2_000_000n

/**
 * Quotes what an OP chain charges a transaction for its data and its operator, in wei: the upper median of what nodes
 * report, and at most what the definition of the chain allows, also where its oracle does not answer. 0 on other
 * chains.
 * @throws ChainUnavailable if no node answers
 */
export async function fetchDataFee(
  nodes: AskedNodes,
  { surcharge, native }: Pick<ChainDefinition, 'surcharge' | 'native'>,
  { gas, bytes }: { gas: bigint; bytes: number },
): Promise<bigint> {
  if (!surcharge) return 0n
  // Loaded on first use, as for signing.
  const { parseUnits } = await import('viem/utils')
  const most = parseUnits(surcharge.most, native.decimals)
  const quoted = async (data: string) => upperMedian(nodes, { to: OP_ORACLE, data })
  const ofData = await quoted(`${FEE_OF_DATA}${padWord(bytes.toString(16))}`)
  const ofOperator = (await quoted(`${FEE_OF_OPERATOR}${padWord(gas.toString(16))}`)) ?? 0n
  return ofData === null || ofData + ofOperator > most ? most : ofData + ofOperator
}

/** Estimates the gas that a transfer of a token takes for its data, where that is charged as gas; 0 on other chains. */
export async function fetchDataGas(
  nodes: AskedNodes,
  { layer1Gas = false }: Pick<ChainDefinition, 'layer1Gas'>,
): Promise<bigint> {
  if (!layer1Gas) return 0n
  const transfer = transferData(NODE_INTERFACE, 2n ** 200n - 1n).slice(2)
  const bytes = transfer.length / 2
  const given = [NODE_INTERFACE.slice(2), '', '60', bytes.toString(16)].map(padWord).join('')
  const data = `${GAS_OF_DATA}${given}${transfer.padEnd(Math.ceil(bytes / 32) * 64, '0')}`
  const gas = (await upperMedian(nodes, { to: NODE_INTERFACE, data })) ?? dataGasMost
  return gas < dataGasMost ? gas : dataGasMost
}

/** The first word that a call returns, as the upper median of nodes; null if they refuse it. */
async function upperMedian(nodes: AskedNodes, call: { to: string; data: string }): Promise<bigint | null> {
  const votes = await nodes.askQuorum([{ method: 'eth_call', params: [call, 'latest'] }], ([result]) =>
    firstWord(result),
  )
  const found = votes.filter(vote => typeof vote === 'bigint').sort((a, b) => (a < b ? -1 : 1))
  if (found.length > 0) return found[Math.floor(found.length / 2)]!
  if (votes.some(vote => vote instanceof CallRefused)) return null
  throw votes.find(vote => vote instanceof Error) ?? new ChainUnavailable('no node quotes what data costs')
}

function firstWord(result: unknown): bigint {
  const [word] = /^0x[0-9a-f]{64}/.exec(String(result)) ?? []
  // Without the contract a call returns nothing.
  if (word === undefined) throw new CallRefused('no quote of what data costs', 0)
  return BigInt(word)
}
