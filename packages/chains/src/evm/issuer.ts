import { CallRefused } from '../errors.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { word } from './calls.ts'

/** Calls by which issuers report whom their token refuses: `isBlackListed` (USDT), `isBlacklisted` (USDC and others). */
const LISTS = ['0xe47d6060', '0xfe575a87']
/** `paused()`: while true, the token moves nothing. */
const PAUSED = '0x5c975abb'

/** What the issuer of a token says: `listed`, the address is refused; `paused`, everything is; null, neither or no such function. */
export type IssuerWord = 'listed' | 'paused' | null

/** Queries a token whether its issuer refuses an address. A token without such functions refuses nobody. */
export async function askIssuer(nodes: Pick<Nodes, 'ask'>, token: string, address: string): Promise<IssuerWord> {
  const isTrue = async (data: string) => {
    try {
      return await nodes.ask('eth_call', [{ to: token, data }, 'latest'], result => /^0x0{63}1$/.test(String(result)))
    } catch (error) {
      if (error instanceof CallRefused) return false
      throw error
    }
  }
  const lists = await Promise.all(LISTS.map(selector => isTrue(selector + word(address.slice(2)))))
  if (lists.includes(true)) return 'listed'
  return (await isTrue(PAUSED)) ? 'paused' : null
}
