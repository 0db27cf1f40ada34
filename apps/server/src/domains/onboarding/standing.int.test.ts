import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merchantStatus } from '@coffer/contract'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import { codeIn, ownerOf, testApplication, testMerchant, visitor } from '../../testing/merchants.ts'
import { eth, firstRow, moneyWorld } from '../../testing/money.ts'
import { assignFixedAddress } from '../addresses/assign-address.ts'
import {
  deleteApplication,
  editApplication,
  rotateApplicationSecret,
  setNotifyUrl,
} from '../applications/change-application.ts'
import { createApplication } from '../applications/create-application.ts'
import { sendEmailCode } from '../identity/codes/send-code.ts'
import { chooseAsset } from '../payments/choose-asset.ts'
import { closeAccount } from './close-account.ts'
import { editProfile } from './edit-profile.ts'
import { freezeMerchant } from './freeze-merchant.ts'

type World = Awaited<ReturnType<typeof moneyWorld>>
const from = visitor
const later = { chain: undefined, token: undefined }

/** Requests an email code: purpose 11 is for applications, 12 for closing the account. */
async function mailed(world: World, { id }: { id: string }, purpose: 11 | 12) {
  await sendEmailCode(world.deps, { purpose, email: undefined, session: ownerOf(id), from })
  return { method: 'email' as const, code: codeIn(world.deps.mails.at(-1)) }
}

test('closing an account and creating a payment exclude each other', async t => {
  const world = await moneyWorld(t)
  for (let round = 0; round < 10; round++) {
    const merchant = await testMerchant(world.deps)
    const { appid } = await testApplication(world.deps, merchant.id)
    const proof = await mailed(world, merchant, 12)
    const [closed, paid] = await Promise.allSettled([
      closeAccount(world.deps, { merchantId: merchant.id, proof, from }),
      world.pay({}, { merchantId: merchant.id, appid }),
    ])
    assert.deepEqual([closed.status, paid.status].sort(), ['fulfilled', 'rejected'], `round ${round}`)
  }
})

test('closing waits for a payment being created and then refuses', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const proof = await mailed(world, world.merchant, 12)
  await world.owner.query('update payments set status = 4')
  const c = await world.owner.connect()
  await c.query('begin')
  await c.query('select 1 from merchants where id = $1 for key share', [world.merchant.id])
  const closing = closeAccount(world.deps, { merchantId: world.merchant.id, proof, from })
  const refused = assert.rejects(closing, { reason: 'account_not_empty' })
  await untilBlocked(world.owner)
  await c.query('update payments set status = 1 where trade_no = $1', [order.trade_no])
  await c.query('commit')
  c.release()
  await refused
})

interface Given {
  tradeNo: string
  assetId: string
  proof: Awaited<ReturnType<typeof mailed>>
}

/** All verbs that require an active merchant. */
const verbs: Record<string, (world: World, given: Given) => Promise<unknown>> = {
  'create a payment': world => world.pay(),
  'choose an asset': (world, given) => chooseAsset(world.deps, given),
  'assign a fixed address': ({ deps, merchant }) => assignFixedAddress(deps, merchant.id, eth.id),
  'create an application': ({ deps, merchant }, { proof }) =>
    createApplication(deps, { merchantId: merchant.id, settings: { name: 'Another' }, proof, from }),
  'edit an application': ({ deps, merchant, appid }) =>
    editApplication(deps, { merchantId: merchant.id, appid, settings: { remark: 'Other' }, from }),
  'delete an application': ({ deps, merchant, appid }, { proof }) =>
    deleteApplication(deps, { merchantId: merchant.id, appid, proof, from }),
  'renew a secret': ({ deps, merchant, appid }, { proof }) =>
    rotateApplicationSecret(deps, { merchantId: merchant.id, appid, target: 'secret_key', proof, from }),
  'set the notify URL': ({ deps, merchant, appid }, { proof }) =>
    setNotifyUrl(deps, { merchantId: merchant.id, appid, notify_url: 'https://93.184.216.34/', proof, from }),
  'edit the profile': ({ deps, merchant }) =>
    editProfile(deps, { merchantId: merchant.id, changes: { website: 'https://other.example' }, from }),
}
const changes = { closed: 'deleted_at = 1', frozen: 'frozen = true' }

for (const [standing, change] of Object.entries(changes))
  for (const [name, verb] of Object.entries(verbs))
    test(`an account that concurrently becomes ${standing} cannot ${name}`, async t => {
      const world = await moneyWorld(t)
      const { trade_no: tradeNo } = await world.pay(later)
      const { id: assetId } = await firstRow(
        world.owner,
        `select id from assets where chain_id = $1 and symbol = 'USDT'`,
        [eth.id],
      )
      const proof = await mailed(world, world.merchant, 11)
      const c = await world.owner.connect()
      await c.query('begin')
      await c.query('select 1 from merchants where id = $1 for update', [world.merchant.id])
      await c.query(`update merchants set ${change} where id = $1`, [world.merchant.id])
      const refused = assert.rejects(
        verb(world, { tradeNo, assetId: String(assetId), proof }),
        (error: { reason?: string }) =>
          (standing === 'frozen'
            ? ['account_frozen']
            : ['login_expired', 'application_not_exist', 'transaction_not_exist']
          ).includes(error.reason ?? ''),
      )
      await untilBlocked(world.owner)
      await c.query('commit')
      c.release()
      await refused
    })

test('an unapproved merchant gets no fixed address', async t => {
  const world = await moneyWorld(t)
  const waiting = await testMerchant(world.deps, { status: merchantStatus.primary_audit })
  const fresh = await testMerchant(world.deps, { status: merchantStatus.not_opened })
  const assign = (merchantId: string) => assignFixedAddress(world.deps, merchantId, eth.id)
  await assert.rejects(assign(waiting.id), { reason: 'account_under_review' })
  await assert.rejects(assign(fresh.id), { reason: 'merchant_not_open' })
  assert.equal((await firstRow(world.owner, 'select count(*) from deposit_addresses')).count, 0)
})

test('freezing waits for a payment being created', async t => {
  const world = await moneyWorld(t)
  const c = await world.owner.connect()
  await c.query('begin')
  await c.query('select 1 from merchants where id = $1 for key share', [world.merchant.id])
  let frozen = false
  const freezing = freezeMerchant(world.deps, { merchantId: world.merchant.id }).then(() => {
    frozen = true
  })
  await untilBlocked(world.owner)
  assert.equal(frozen, false)
  await c.query('commit')
  c.release()
  await freezing
})
