import { parseEvmAddress, showEvmAddress } from './evm/address.ts'
import { parseTronAddress, showTronAddress } from './tron/address.ts'

/** The two forms of an address: stored and compared (lower-case hex with 0x), and shown to people. */
export type AddressForm = {
  /** Takes what somebody typed; gives the stored form, or null when it is not an address of this kind of chain. */
  parse: (text: string) => string | null
  /** Takes the stored form; gives what people are shown. */
  show: (address: string) => string
}

/** How addresses are written on each kind of chain. */
export const addressForm: Record<'evm' | 'tron', AddressForm> = {
  evm: { parse: parseEvmAddress, show: showEvmAddress },
  tron: { parse: parseTronAddress, show: showTronAddress },
}
