import { CallRefused } from '../errors.ts'
import { hasMajority } from '../nodes/agree.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { padWord } from './calls.ts'

/**
 * Calls by which issuers report whom their token refuses: `isBlackListed` (USDT), `isBlacklisted` (USDC and others).
 */
const LISTS = ['0xe47d6060', '0xfe575a87']
/** `paused()`: while true, the token moves nothing. */
const PAUSED = '0x5c975abb'

/**
 * What the issuer of a token says: `listed`, the address is refused; `paused`, everything is; null, neither or no such
 * function.
 */
export type IssuerRefusal = 'listed' | 'paused' | null

/**
 * Queries a token whether its issuer refuses an address, as most nodes report it. A token without such functions
 * refuses nobody.
 * @throws ChainUnavailable if too few nodes report anything
 */
export async function fetchIssuerRefusal(
  nodes: Pick<Nodes, 'askQuorum' | 'size'>,
  token: string,
  address: string,
): Promise<IssuerRefusal> {
  const isTrue = async (data: string) => {
    const call = { method: 'eth_call', params: [{ to: token, data }, 'latest'] }
    const votes = await nodes.askQuorum([call], ([result]) => /^0x0{63}1$/.test(String(result)))
    // A call that is refused reverted, as one of an unknown function does.
    const answers = votes.map(vote => (vote instanceof CallRefused ? false : vote))
    const agree = (answer: boolean) =>
      hasMajority(answers.filter(each => each === answer).length, answers.length, nodes.size)
    // guard: issuer-agreed
    if (agree(true)) return true
    const failed = answers.find(each => each instanceof Error)
    if (!agree(false) && failed) throw failed
    return false
  }
  const lists = await Promise.all(LISTS.map(selector => isTrue(selector + padWord(address.slice(2)))))
  if (lists.includes(true)) return 'listed'
  return (await isTrue(PAUSED)) ? 'paused' : null
}
