import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationStatus } from '@coffer/contract'
import { withDeps } from '../../testing/deps.ts'
import { visitor as from, testApplication, testMerchant } from '../../testing/merchants.ts'
import { editProfile } from '../onboarding/edit-profile.ts'
import { editApplication, rotateSecret } from './change-application.ts'
import { createApplication } from './create-application.ts'
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

test('profile and application changes are limited to 300 an hour for each merchant', async t => {
  const deps = await withDeps(t)
  const [{ id }, other] = await Promise.all([testMerchant(deps), testMerchant(deps)])
  const { appid } = await testApplication(deps, id)
  const edit = (merchantId: string) =>
    editProfile(deps, { merchantId, changes: { website: 'https://shop.example' }, from })
  for (let i = 0; i < 300; i++) await edit(id)
  const often = { reason: 'frequent_operation' }
  await assert.rejects(edit(id), often)
  await assert.rejects(editApplication(deps, { merchantId: id, appid, settings: { name: 'x' }, from }), often)
  await assert.rejects(createApplication(deps, { merchantId: id, settings: { name: 'Shop' }, from }), often)
  await assert.rejects(rotateSecret(deps, { merchantId: id, appid, target: 'webhook_secret', from }), often)
  await edit(other.id)
  deps.pass(3_600)
  await edit(id)
})
