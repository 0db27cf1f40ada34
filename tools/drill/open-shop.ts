/**
 * `node open-shop.ts <clone> <database> <secret>`: makes a merchant with one application by the code of a clone, whose
 * tables may be older than this tree's, and prints the application's key.
 */
import { join } from 'node:path'
import pg from 'pg'

const [clone = '', connectionString = '', secret = ''] = process.argv.slice(2)
const from = (file: string) => import(join(clone, 'apps/server/src/testing', file))
const { makeTestDeps } = await from('deps.ts')
const { testMerchant, testApplication } = await from('merchants.ts')
const pool = new pg.Pool({ connectionString, max: 1, options: '-c role=coffer_app' })
const deps = makeTestDeps({ pool, config: { secret } })
const { id } = await testMerchant(deps)
const { key } = await testApplication(deps, id)
await pool.end()
console.log(key)
process.exit()
