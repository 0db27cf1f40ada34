import type { FeeMarket } from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { ChainUnavailable } from '../errors.ts'
import type { AnswerDifference, Nodes } from '../nodes/nodes.ts'
import { encodeQuantity } from './calls.ts'
import { readBigInt, readList } from './responses.ts'

/** Blocks whose fees are compared. */
const FEE_BLOCKS = 10
/**
 * How many times the base fee of a block that of the next ones is at most, and at least its part: five full or empty
 * blocks of Ethereum.
 */
const BASE_RANGE = 2n
/** How many times the tip of most nodes one may report, or its part, before it is named. */
const FAR_OFF = 10n
const GWEI = 1_000_000_000n

/** What a node reports: the base fee of the next block, and a tip that recent transactions paid. */
type Report = { baseFee: bigint; tip: bigint }

/** The limits of the tip in wei, as a definition states them. */
export function tipLimits({ tip }: Pick<ChainDefinition, 'tip'>): { least: bigint; most: bigint } {
  const wei = (gwei: number) => BigInt(Math.round(gwei * 1_000_000_000))
  return { least: wei(tip?.least ?? 0.001), most: wei(tip?.most ?? 5) }
}

/**
 * Returns fees by the median of what the nodes report, so that one of three decides nothing. The base fee is within a
 * range of that in a verified header, and the tip within the limits of the chain's definition or twice that base fee.
 * @param verified the base fee of the newest block; null where headers are not verified
 * @param differs called with the URL of a node that is far off, and how
 * @throws ChainUnavailable or CallRefused if no node answers
 */
export async function fetchFeeMarket(
  nodes: Nodes,
  definition: Pick<ChainDefinition, 'tip'>,
  verified: bigint | null,
  differs: (url: string, difference: AnswerDifference) => void,
): Promise<FeeMarket> {
  const calls = [
    { method: 'eth_feeHistory', params: [encodeQuantity(FEE_BLOCKS), 'latest', [50]] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
  ]
  const answers = await nodes.askAll(calls, readReport)
  const reports = answers.flatMap(({ url, answer }) => (answer instanceof Error ? [] : [{ url, ...answer }]))
  if (reports.length === 0) {
    const failure = answers.find(({ answer }) => answer instanceof Error)?.answer
    throw failure instanceof Error ? failure : new ChainUnavailable('no node reports fees')
  }
  const limits = tipLimits(definition)
  const told = { baseFee: median(reports.map(each => each.baseFee)), tip: median(reports.map(each => each.tip)) }
  // guard: base-fee-verified
  const baseFee = verified === null ? told.baseFee : within(told.baseFee, verified / BASE_RANGE, verified * BASE_RANGE)
  const mostTip = higher(limits.most, baseFee * 2n)
  const tip = within(told.tip, limits.least, mostTip)
  for (const { url, ...report } of reports) {
    const difference = farOff(report, {
      // Of two answers none is of most nodes; a base fee can be compared with that of a header.
      baseFee: reports.length > 2 || verified !== null ? baseFee : null,
      tip: reports.length > 2 ? tip : null,
    })
    if (difference !== null) differs(url, difference)
  }
  // The base fee rises by at most an eighth per block, so twice the base fee covers five full blocks.
  return { baseFee, maxFeePerGas: baseFee * 2n + tip, maxPriorityFeePerGas: tip, mostTip }
}

function readReport([history, suggested]: unknown[]): Report {
  const { baseFeePerGas, reward } = history as { baseFeePerGas: unknown; reward?: unknown }
  // Blocks without transactions report zero.
  const tips = readList(reward ?? []).map(block => readBigInt(readList(block)[0]))
  const paid = tips.filter(tip => tip > 0n)
  // The last base fee is that of the next block.
  return { baseFee: readBigInt(readList(baseFeePerGas).at(-1)), tip: median(paid) || readBigInt(suggested) }
}

/** Returns the middle value, the lower one of two: what is offered too low is raised. 0 if there is none. */
function median(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n
}

const higher = (a: bigint, b: bigint) => (a > b ? a : b)
const within = (value: bigint, least: bigint, most: bigint) => (value < least ? least : value > most ? most : value)

/**
 * How a report is far from what is known, null for what nobody knows; null if it is not. Below a gwei, what nodes
 * report of tips differs by chance.
 */
function farOff(report: Report, known: { [Fee in keyof Report]: bigint | null }): AnswerDifference | null {
  const { baseFee, tip } = known
  if (baseFee !== null && (report.baseFee > baseFee * FAR_OFF || report.baseFee * FAR_OFF < baseFee))
    return ['far_base_fee', inGwei(report.baseFee), inGwei(baseFee)]
  if (tip !== null && (report.tip > tip * FAR_OFF + GWEI || (report.tip + GWEI / 10n) * FAR_OFF < tip))
    return ['far_tip', inGwei(report.tip), inGwei(tip)]
  return null
}

const inGwei = (wei: bigint) => String(Number(wei) / 1e9)
