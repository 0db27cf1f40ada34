import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationStatus } from '@coffer/contract'
import { withDeps } from '../../testing/deps.ts'
import { visitor as from, mailedProof, testApplication, testMerchant } from '../../testing/merchants.ts'
import { editProfile } from '../onboarding/edit-profile.ts'
import { uploadPicture } from '../pictures/routes.ts'
import { authenticateKey } from './authenticate-key.ts'
import { editApplication, rotateApplicationSecret } from './change-application.ts'
import { createApplication } from './create-application.ts'

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
  await assert.rejects(authenticateKey(deps, { key, ip: from.ip }), { reason: 'application_disabled' })
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
  await assert.rejects(rotateApplicationSecret(deps, { merchantId: id, appid, target: 'webhook_secret', from }), often)
  await edit(other.id)
  deps.pass(3_600)
  await edit(id)
})

test('a logo must be an upload of the same merchant or empty', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const other = await testMerchant(deps)
  const freshProof = () => {
    deps.pass(60)
    return mailedProof(deps, id)
  }
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const { url } = await uploadPicture(deps, id, picture)
  const { url: foreign } = await uploadPicture(deps, other.id, picture)
  const create = async (logo: string) =>
    createApplication(deps, { merchantId: id, settings: { name: 'Shop', logo }, proof: await freshProof(), from })
  const bad = { reason: 'bad_image', field: 'logo' }
  for (const logo of [foreign, 'https://example.com/x.png', '/uploads/../x.png', `${url}?x`, 'javascript:alert(1)'])
    await assert.rejects(create(logo), bad, logo)
  const { appid } = await create(url)
  await assert.rejects(
    editApplication(deps, { merchantId: id, appid, settings: { logo: foreign }, proof: await freshProof(), from }),
    bad,
  )
  await editApplication(deps, { merchantId: id, appid, settings: { logo: '' }, proof: await freshProof(), from })
})
