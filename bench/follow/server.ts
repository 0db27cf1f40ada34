/**
 * The server as in production, but that prices are fixed and mails are not sent: `node bench/follow/server.ts`, with
 * its settings in the environment. Prints its URL once it listens.
 */
import { mainnets } from '@coffer/chains'
import { readConfig } from '@coffer/server/config.ts'
import { syncChains } from '@coffer/server/domains/chains/sync-chains.ts'
import { bindInstallation } from '@coffer/server/domains/installation/fingerprints.ts'
import { makeDatabaseClock } from '@coffer/server/kit/clock.ts'
import { makeDeps, makeLog } from '@coffer/server/make-deps.ts'
import { readChainsFile } from '@coffer/server/outside/chains-file.ts'
import { startCofferServer } from '@coffer/server/serve.ts'
import { fixedPrices } from '@coffer/server/testing/money.ts'

const config = readConfig(process.env)
const world = {
  mail: { send: async () => {}, check: async () => {} },
  text: { send: async () => {} },
  signIn: null,
  priceSources: [],
  chains: await readChainsFile(config.chainsFile),
  xpubs: config.xpubs,
}
const clock = makeDatabaseClock(makeLog(config))
const made = makeDeps({ ...config, port: 0 }, world, clock.now)
await clock.read(made.pools.jobs)
const table = Object.values(mainnets).flatMap(({ native, tokens }) => [
  [native.symbol, '100'],
  ...tokens.map(({ symbol }) => [symbol, '1']),
])
const deps = { ...made, prices: fixedPrices(Object.fromEntries(table), made.clock) }
await bindInstallation(deps)
await syncChains(deps)
const { app, stop } = await startCofferServer(deps, world)
process.on('SIGTERM', async () => {
  await Promise.all([stop(), made.prices.stop()])
  process.exit()
})
console.log(app.listeningOrigin)
