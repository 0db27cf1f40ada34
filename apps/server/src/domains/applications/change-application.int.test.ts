import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationStatus } from '@coffer/contract'
import { withDeps } from '../../testing/deps.ts'
import { visitor as from, testApplication, testMerchant } from '../../testing/merchants.ts'
import { editApplication } from './change-application.ts'
import { useKey } from './use-key.ts'

test('an application that is disabled while somebody saves it is not revived without a proof', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const { appid, key } = await testApplication(deps, merchantId)
  const { pool } = deps
  // Somebody else disables it once it was read, and before it is written.
  const connect = async () => {
    await pool.query('update applications set status = $2 where appid = $1', [appid, applicationStatus.disabled])
    return pool.connect()
  }
  const racing = new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name).bind(target)),
  })
  const save = { merchantId, appid, settings: {}, status: applicationStatus.enabled, from }
  await assert.rejects(editApplication({ ...deps, pool: racing }, save), { reason: 'proof_needed' })
  await assert.rejects(useKey(deps, { key, ip: from.ip }), { reason: 'application_disabled' })
})
