/**
 * `node open-shop.ts <clone> <database> <secret>`: makes a merchant with money and one application by the code of a
 * clone, whose tables may be older than this tree's, and prints the application's key. The servers must have started
 * once, since they write the chains.
 */
import { join } from 'node:path'
import pg from 'pg'

const [clone = '', connectionString = '', secret = ''] = process.argv.slice(2)
const from = (file: string) => import(join(clone, file))
const { makeTestDeps } = await from('apps/server/src/testing/deps.ts')
const { testMerchant, testApplication } = await from('apps/server/src/testing/merchants.ts')
const { postEntries } = await from('apps/server/src/domains/ledger/store.ts')
const { availableAccount, groupPostings, houseAccount, makePosting } = await from('packages/core/src/index.ts')
const pool = new pg.Pool({ connectionString, max: 1, options: '-c role=coffer_app' })
const deps = makeTestDeps({ pool, config: { secret }, clock: () => Math.floor(Date.now() / 1_000) })
const { id } = await testMerchant(deps)
const allowed = { payouts_allowed: true, ip_whitelist_enabled: true, ip_whitelist: ['127.0.0.1'] }
const { key } = await testApplication(deps, id, allowed)
const asset = 'local:USDT'
const given = makePosting('adjustment', houseAccount('chain', asset), availableAccount(id, asset), 100_000_000_000n)
await postEntries(pool, [{ group: groupPostings('drill:given', [given]) }], deps.clock())
await pool.end()
console.log(key)
process.exit()
