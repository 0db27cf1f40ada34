import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationStatus, merchantStatus, paymentMode } from '@coffer/contract'
import { hashSecret } from '../../kit/secrets.ts'
import { withDeps } from '../../testing/deps.ts'
import { mailedProof, testApplication, testMerchant, visitor } from '../../testing/merchants.ts'
import type { Proof } from '../identity/proofs/check-proof.ts'
import { changeMerchant } from '../merchants/store.ts'
import { freezeMerchant, unfreezeMerchant } from '../onboarding/freeze-merchant.ts'
import { authenticateKey } from './authenticate-key.ts'
import { editApplication } from './change-application.ts'

const ip = '203.0.113.9'

test('a key works while its application is enabled and its merchant is open', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const { appid, key } = await testApplication(deps, merchantId)
  const use = () => authenticateKey(deps, { key, ip })
  assert.deepEqual(await use(), {
    merchantId,
    appid,
    paymentMode: paymentMode.contract,
    scopes: ['read', 'orders'],
    managesEndpoints: true,
    mayMark: false,
    madeBy: merchantId,
    openedAt: deps.clock(),
    pricing: { rates: null, version: 0 },
    key: { hash: hashSecret(key), ip, listedAs: ip },
  })
  await assert.rejects(authenticateKey(deps, { key: `${key.slice(0, -1)}_`, ip }), { reason: 'bad_key' })

  const setStatus = (status: number, proof?: Proof) =>
    editApplication(deps, { merchantId, appid, settings: {}, status, proof, from: visitor })
  await setStatus(applicationStatus.disabled)
  await assert.rejects(use(), { reason: 'application_disabled' })
  await setStatus(applicationStatus.enabled, await mailedProof(deps, merchantId))

  await freezeMerchant(deps, { merchantId })
  await assert.rejects(use(), { reason: 'account_frozen' })
  await unfreezeMerchant(deps, { merchantId })
  await use()

  await changeMerchant(deps.pool, merchantId, { status: merchantStatus.failed_audit })
  await assert.rejects(use(), { reason: 'merchant_not_open' })
  await changeMerchant(deps.pool, merchantId, { status: merchantStatus.approved, deleted_at: 1 })
  await assert.rejects(use(), { reason: 'bad_key' })
})

test('an enabled IP whitelist matches every notation of an address', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const on = await testApplication(deps, id, { ip_whitelist_enabled: true, ip_whitelist: [ip] })
  const off = await testApplication(deps, id, { ip_whitelist_enabled: false, ip_whitelist: [ip] })
  const none = await testApplication(deps, id, { ip_whitelist_enabled: true, ip_whitelist: [] })
  const ranges = ['2001:DB8:0::7', '2001:db8:1::/48', '198.51.100.0/28']
  const wide = await testApplication(deps, id, { ip_whitelist_enabled: true, ip_whitelist: ranges })
  await authenticateKey(deps, { key: on.key, ip })
  await authenticateKey(deps, { key: on.key, ip: `::ffff:${ip}` })
  await authenticateKey(deps, { key: off.key, ip: '198.51.100.1' })
  await assert.rejects(authenticateKey(deps, { key: on.key, ip: '198.51.100.1' }), { reason: 'ip_not_allowed' })
  await assert.rejects(authenticateKey(deps, { key: on.key, ip: '2001:db8::1' }), { reason: 'ip_not_allowed' })
  await assert.rejects(authenticateKey(deps, { key: none.key, ip }), { reason: 'ip_not_allowed' })
  for (const within of ['2001:db8::7', '2001:db8:1:ffff::1', '198.51.100.15', '::ffff:198.51.100.1'])
    await authenticateKey(deps, { key: wide.key, ip: within })
  for (const beside of ['2001:db8::8', '2001:db8:2::1', '198.51.100.16', '::1', 'nonsense'])
    await assert.rejects(authenticateKey(deps, { key: wide.key, ip: beside }), { reason: 'ip_not_allowed' }, beside)
})
