import { conformance } from '../conformance.ts'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import { anvilHarness } from '../testing/evm-harness.ts'
import { behind, failing, startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'

conformance(
  'EVM',
  anvilHarness(async ({ url }, after) => {
    const proxy = await startProxy(url)
    after(() => proxy.stop())
    const definition = defineSandboxChain(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })
    return {
      chain: new EvmChain(definition, { endpoints: [{ url: proxy.url }], timeoutMs: 2_000 }),
      archive: true,
      nodes: async how => {
        proxy.reset()
        if (how === 'failing') proxy.breaks = failing(4)
        else if (how !== 'healthy') proxy.intercept = behind(how.behind)
      },
    }
  }),
)
