/**
 * `node open-shop.ts <clone> <database> <secret>`: makes a merchant with one application by the code of a clone, whose
 * tables may be older than this tree's, and prints OpenedShop. The servers must have started once, since they write the
 * chains. `--merchant <id>` takes one that exists, `--given <base units>` gives it USDT, and with `--pays-out` the
 * application may pay out.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { OpenedShop } from './shop.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    merchant: { type: 'string' },
    given: { type: 'string' },
    'pays-out': { type: 'boolean', default: false },
  },
})
const [clone = '', connectionString = '', secret = ''] = positionals
const from = (file: string) => import(join(clone, file))
const { makeTestDeps } = await from('apps/server/src/testing/deps.ts')
const { testMerchant, testApplication, password } = await from('apps/server/src/testing/merchants.ts')
const pool = new pg.Pool({ connectionString, max: 1, options: '-c role=coffer_app' })
const deps = makeTestDeps({ pool, config: { secret }, clock: () => Math.floor(Date.now() / 1_000) })
const { id, email, token } = values.merchant ? { id: values.merchant, email: '', token: '' } : await testMerchant(deps)
const allowed = { payouts_allowed: true, ip_whitelist_enabled: true, ip_whitelist: ['127.0.0.1'] }
const { key } = await testApplication(deps, id, values['pays-out'] ? allowed : {})
if (values.given) {
  const { postEntries } = await from('apps/server/src/domains/ledger/store.ts')
  const { availableAccount, groupPostings, houseAccount, makePosting } = await from('packages/core/src/index.ts')
  const asset = 'local:USDT'
  const to = availableAccount(id, asset)
  const given = makePosting('adjustment', houseAccount('chain', asset), to, BigInt(values.given))
  await postEntries(pool, [{ group: groupPostings('drill:given', [given]) }], deps.clock())
}
await pool.end()
console.log(JSON.stringify({ id, email, password, token, key } satisfies OpenedShop))
process.exit()
