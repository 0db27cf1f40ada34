import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { conformance } from '../conformance.ts'
import { sandboxOf, tron } from '../definitions.ts'
import { makeWorld } from '../testing/evm-harness.ts'
import { failing } from '../testing/proxy.ts'
import { TronChain } from './chain.ts'
import { startTronFacade } from './facade.ts'

conformance('TRON, with an emulated node', async () => {
  const ends: (() => Promise<void> | void)[] = []
  const world = await makeWorld((await withAnvil({ after: end => ends.push(end) })).url)
  const facade = await startTronFacade(world.url)
  const definition = sandboxOf(tron, { chainId: 1, confirmations: 4, blockTime: 1, tokens: [] })
  const { token, feeToken, foreign, pay, mine, reorg } = world
  return {
    chain: new TronChain(definition, { endpoints: [{ url: facade.url, http: facade.http }], timeoutMs: 2_000 }),
    archive: false,
    token,
    feeToken,
    foreign,
    pay,
    mine,
    reorg,
    nodes: async how => {
      facade.breaks = how === 'failing' ? failing : () => false
      facade.behind = typeof how === 'object' ? how.behind : 0
    },
    stop: async () => {
      await facade.stop()
      for (const end of ends) await end()
    },
  }
})
