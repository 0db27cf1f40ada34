import type { Receipt } from '../chain.ts'
import { readBigInt } from './responses.ts'

/**
 * Reads what a chain of the OP Stack charged a transaction beyond its gas, in wei: the fee for data on layer 1, and
 * since Isthmus that of the operator, whose scalar counts millionths of a wei per gas, and hundreds of wei since
 * Jovian, which receipts show by another field. Sources: the specifications of Isthmus and Jovian, exec-engine.md.
 */
export function readSurcharge(receipt: Record<string, unknown>, gasUsed: bigint): bigint {
  const { l1Fee, operatorFeeScalar, operatorFeeConstant, daFootprintGasScalar } = receipt
  const perGas = gasUsed * orNothing(operatorFeeScalar)
  const ofGas = isNone(daFootprintGasScalar) ? perGas / 1_000_000n : perGas * 100n
  return orNothing(l1Fee) + ofGas + orNothing(operatorFeeConstant)
}

/** Returns a receipt whose fee is that of its gas and a surcharge. */
export const withSurcharge = (receipt: Receipt, surcharge: bigint): Receipt => ({
  ...receipt,
  fee: receipt.gasUsed * receipt.gasPrice + surcharge,
  surcharge,
})

const isNone = (value: unknown) => value === null || value === undefined
const orNothing = (value: unknown) => (isNone(value) ? 0n : readBigInt(value))
