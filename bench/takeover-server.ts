/**
 * A server that does nothing but follow one chain: `node bench/takeover-server.ts <database url> <node url> <definition
 * as JSON>`. Prints a line once it follows, or waits for the server that does.
 */
import type { ChainDefinition } from '@coffer/chains'
import { readConfig } from '@coffer/server/config.ts'
import { syncChains } from '@coffer/server/domains/chains/sync-chains.ts'
import { followChains } from '@coffer/server/domains/deposits/follow.ts'
import { connectionPoolSizes, makeLog, makePool } from '@coffer/server/make-deps.ts'
import { openChain } from '@coffer/server/outside/open-chain.ts'
import { makeTestDeps } from '@coffer/server/testing/deps.ts'
import { addressAt } from '@coffer/server/testing/money.ts'

const [database = '', url = '', definition = ''] = process.argv.slice(2)
const log = makeLog(readConfig({ COFFER_LOG: 'silent' }))
const chain = openChain({ definition: JSON.parse(definition) as ChainDefinition, nodes: [{ url }] }, log)
const pool = makePool(database, log, connectionPoolSizes.chains)
const clock = () => Math.floor(Date.now() / 1_000)
const deps = makeTestDeps({ pool, addressAt, clock, chains: new Map([[chain.definition.id, chain]]) })
await syncChains(deps)
console.log('ready')
await followChains(deps, [chain], new AbortController().signal)
