import { conformance } from '../conformance.ts'
import { defineSandboxChain, tron } from '../definitions.ts'
import { anvilHarness } from '../testing/evm-harness.ts'
import { failing } from '../testing/proxy.ts'
import { TronChain } from './chain.ts'
import { startTronFacade } from './facade.ts'

conformance(
  'TRON, with an emulated node',
  anvilHarness(async ({ url, pay }, after) => {
    const facade = await startTronFacade(url)
    after(() => facade.stop())
    const definition = defineSandboxChain(tron, { chainId: 1, confirmations: 4, blockTime: 1, tokens: [] })
    return {
      chain: new TronChain(definition, {
        endpoints: [{ url: facade.url, urls: { http: facade.http } }],
        timeoutMs: 2_000,
      }),
      archive: false,
      pay: async (...paid) => Promise.all((await pay(...paid)).map(facade.idOf)),
      nodes: async how => {
        // One block takes many exchanges, each of which must pass.
        facade.breaks = how === 'failing' ? failing(9) : undefined
        facade.behind = typeof how === 'object' ? how.behind : 0
      },
    }
  }),
)
