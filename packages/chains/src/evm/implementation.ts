import { CallRefused } from '../errors.ts'
import { mostReport } from '../nodes/agree.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { readWord } from './responses.ts'

/** Slots in which proxies keep whose code they run: of EIP-1967, and of the older proxy that USDC stands behind. */
const SLOTS = [
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
]
/** `upgradedAddress()` of USDT, which passes calls on to that contract once it is set. */
const UPGRADED = '0x26976e3f'

/**
 * Returns the contract whose code a token runs, as most nodes report it: that of a proxy, or the one that has replaced it; an empty text for
 * a token that has neither. Null while too few nodes agree.
 */
export async function askImplementation(
  nodes: Pick<Nodes, 'askQuorum' | 'size'>,
  token: string,
): Promise<string | null> {
  const calls = [
    ...SLOTS.map(slot => ({ method: 'eth_getStorageAt', params: [token, slot, 'latest'] })),
    { method: 'eth_call', params: [{ to: token, data: UPGRADED }, 'latest'] },
  ]
  const words = await Promise.all(
    calls.map(async call => {
      const votes = await nodes.askQuorum([call], ([result]) => (result === '0x' ? 0n : readWord(result)))
      // A token without the function refuses the call.
      const isCall = call.method === 'eth_call'
      const answers = votes.map(vote => (isCall && vote instanceof CallRefused ? 0n : vote))
      return /* guard: implementation-agreed */ mostReport(answers, nodes.size) /* end */
    }),
  )
  if (words.includes(null)) return null
  const found = words.find(each => each !== 0n)
  return found ? `0x${found.toString(16).padStart(40, '0').slice(-40)}` : ''
}
