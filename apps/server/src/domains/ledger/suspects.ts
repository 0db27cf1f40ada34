/**
 * Seconds between two readings, and parts of all addresses of which each reading looks at another one: one in a hundred
 * an hour.
 */
const everySeconds = 600
const parts = 600
/** Most addresses of a part that one reading looks at. */
export const sampledAddressesMax = 200

/** What the last reading of an asset found that may pass: held by the caller between two readings, by asset. */
export type SurplusReadings = Map<string, SurplusReading>
export interface SurplusReading {
  /** Addresses that held more than deposits are known of. */
  more: ExcessBalances
  /** The head after they were read. */
  head: number
  /** The final block when all addresses were read; null if some were not. */
  final: number | null
  /** Whether nodes did not agree on a balance. */
  isUnsure: boolean
}

/** What addresses held, and what had left them by then, in base units. */
export type ExcessBalances = ReadonlyMap<string, { held: bigint; gone: bigint }>
/** What deposits brought to addresses, and what sweeps have taken away. */
export type AddressFlows = ReadonlyMap<string, { came: bigint; gone: bigint }>

const nothing: SurplusReading = { more: new Map(), head: 0, final: null, isUnsure: false }
export const getSurplusReading = (suspects: SurplusReadings, assetId: string): SurplusReading =>
  suspects.get(assetId) ?? nothing

/** The part of all addresses that a reading at this time looks at, and how many parts there are. */
export const computeAddressPartition = (now: number): [part: number, parts: number] => [
  Math.floor(now / everySeconds) % parts,
  parts,
]

/** The addresses that hold more than deposits are known of, by flows that were read before their balances. */
export function findExcess(balances: ReadonlyMap<string, bigint>, flows: AddressFlows): ExcessBalances {
  const more = new Map<string, { held: bigint; gone: bigint }>()
  for (const [address, held] of balances) {
    const { came, gone } = flows.get(address) ?? { came: 0n, gone: 0n }
    if (held > 0n && held > came - gone) more.set(address, { held, gone })
  }
  return more
}

/**
 * The addresses of a reading at which something was left out: they held more than has come in by deposits that are
 * known now, though all blocks up to the head of that reading are final. Before that, deposits may not have been seen
 * yet; null then.
 */
export function findAddressesMissingDeposits(
  { more, head }: SurplusReading,
  final: number,
  flows: AddressFlows,
): string[] | null {
  // guard: left-out-final
  if (head === 0 || final < head) return null
  return [...more].flatMap(([address, { held, gone }]) =>
    /* guard: left-out-known */ held > (flows.get(address)?.came ?? 0n) - gone /* end */ ? [address] : [],
  )
}
