import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { conformance } from '../conformance.ts'
import { ethereum, sandboxOf } from '../definitions.ts'
import { makeWorld } from '../testing/evm-harness.ts'
import { behind, failing, startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'

conformance('EVM', async () => {
  const ends: (() => Promise<void> | void)[] = []
  const world = await makeWorld((await withAnvil({ after: end => ends.push(end) })).url)
  const proxy = await startProxy(world.url)
  const definition = sandboxOf(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })
  const { token, feeToken, foreign, pay, mine, reorg } = world
  return {
    chain: new EvmChain(definition, { endpoints: [{ url: proxy.url }], timeoutMs: 2_000 }),
    archive: true,
    token,
    feeToken,
    foreign,
    pay,
    mine,
    reorg,
    nodes: async how => {
      proxy.reset()
      if (how === 'failing') proxy.breaks = failing
      else if (how !== 'healthy') proxy.intercept = behind(how.behind)
    },
    stop: async () => {
      await proxy.stop()
      for (const end of ends) await end()
    },
  }
})
