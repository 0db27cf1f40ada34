/**
 * The HTTP server on a benchmark's database, in its own process so that the measuring does not slow it down:
 * `node bench/serve.ts <database url> <data folder>`. Prints its URL once it listens.
 */
import { readConfig } from '@coffer/server/config.ts'
import { makeLog, makePool } from '@coffer/server/make-deps.ts'
import { makeApp } from '@coffer/server/serve.ts'
import { makeTestDeps } from '@coffer/server/testing/deps.ts'

const [url = '', dataDir] = process.argv.slice(2)
const deps = makeTestDeps({
  pool: makePool(url, makeLog(readConfig({ COFFER_LOG: 'silent' }))),
  config: { mode: 'sandbox', dataDir },
})
const app = await makeApp(deps)
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
