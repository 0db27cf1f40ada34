import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import {
  changeTestMerchant,
  codeIn,
  ownerOf,
  testApplication,
  testAuthenticator,
  visitor,
} from '../../testing/merchants.ts'
import { firstRow } from '../../testing/money.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'
import { addAddressBookEntries } from '../address-book/add-address-book-entries.ts'
import { authenticateKey } from '../applications/authenticate-key.ts'
import { editApplication, rotateApplicationSecret } from '../applications/change-application.ts'
import { createApplication } from '../applications/create-application.ts'
import { merchantById } from '../merchants/store.ts'
import { cancelRefund } from '../refunds/cancel-refund.ts'
import { claimRefund, quoteRefundClaim } from '../refunds/claim-refund.ts'
import { deriveRefundLinkTokens } from '../refunds/link-store.ts'
import { makeRefundLink } from '../refunds/make-link.ts'
import { requestRefund } from '../refunds/request-refund.ts'
import { sendTransfer } from '../transfers/send-transfer.ts'
import { checkPayoutKey } from '../withdrawals/key-routes.ts'
import { reportUnauthorizedUseByLink } from './alarms/not-me.ts'
import { sendEmailCode } from './codes/send-code.ts'
import { resetPassword } from './factors/password.ts'
import { renewRecoveryCodes } from './factors/recovery-codes.ts'
import type { Proof } from './proofs/check-proof.ts'
import { authenticateSession } from './sessions/sessions.ts'
import { login, loginByCode, verifyLogin } from './sign-in/login.ts'
import { loginThirdParty } from './sign-in/login-third-party.ts'

const thief = { ...visitor, ip: '192.0.2.66', deviceToken: 'thief' }
const day = 86_400
const stolen = 'Another2Horse'

interface Target {
  proof: (purpose: number) => Promise<Proof>
  /** A payment that can be refunded. */
  tradeNo: string
  /** Another merchant. */
  account: string
  appid: string
}

/** Every way in which money leaves a merchant, each with a proof by mail. */
function waysOut(
  world: Awaited<ReturnType<typeof withdrawalWorld>>,
  { proof, tradeNo, account, appid }: Target,
): Record<string, () => Promise<unknown>> {
  const { deps, merchant } = world
  const base = { merchantId: merchant.id, from: thief }
  const refund = { ...base, tradeNo, kind: 'all', basis: 'token', gasPayer: 'merchant', reason: 'r' } as const
  return {
    withdrawal: async () => world.withdraw('10', { proof: await proof(emailCodePurpose.withdrawal), from: thief }),
    transfer: async () =>
      sendTransfer(deps, {
        ...base,
        account,
        assetId: 'eth:USDT',
        amount: '10',
        note: '',
        requestKey: undefined,
        proof: await proof(emailCodePurpose.transfer),
      }),
    refund: async () =>
      requestRefund(deps, { ...refund, address: outside, proof: await proof(emailCodePurpose.withdrawal) }),
    'refund link': async () => makeRefundLink(deps, { ...refund, proof: await proof(emailCodePurpose.withdrawal) }),
    key: async () =>
      createApplication(deps, {
        ...base,
        settings: { name: 'mine' },
        proof: await proof(emailCodePurpose.application),
      }),
    'renewed key': async () =>
      rotateApplicationSecret(deps, {
        ...base,
        appid,
        target: 'secret_key',
        proof: await proof(emailCodePurpose.application),
      }),
    'payouts by key': async () =>
      editApplication(deps, {
        ...base,
        appid,
        settings: { payouts_allowed: true },
        proof: await proof(emailCodePurpose.application),
      }),
  }
}

/**
 * A merchant with money, a paid payment and an application, and a thief who reads the merchant's mail and nothing else.
 */
async function robbery(t: TestContext) {
  const identity = { provider: 'p', subject: 's1', email: '', emailVerified: true, name: '' }
  const signIn = { clientId: 'c', scriptUrl: '', label: '', begin: () => ({}), exchange: async () => identity }
  const world = await withdrawalWorld(t, { config: { withdrawHoldHours: 24 }, signIn: signIn as never })
  const { deps, merchant } = world
  identity.email = merchant.email
  const { trade_no, address } = await world.pay({ amount: '100' })
  await world.eth.add([{ to: address, amount: 100_000_000n, txid: '0xpaid' }])
  await world.eth.confirm()
  deps.pass(1800)
  const other = await world.newMerchant()
  const { appid } = await testApplication(deps, merchant.id, {
    ip_whitelist_enabled: true,
    ip_whitelist: ['192.0.2.66'],
  })

  const mailed = async (purpose: number, merchantId: string | null = merchant.id) => {
    deps.pass(61)
    const session = merchantId === null ? null : ownerOf(merchantId)
    const { challenge } = await sendEmailCode(deps, { purpose, email: merchant.email, session, from: thief })
    return { code: codeIn(deps.mails.filter(each => each.to === merchant.email).at(-1)), challenge }
  }
  const proof = async (purpose: number) => ({ method: 'email' as const, code: (await mailed(purpose)).code })
  const ways = waysOut(world, { proof, tradeNo: trade_no, account: other.mchid, appid })
  const balance = () => world.balances()
  return {
    ...world,
    other,
    mailed,
    proof,
    ways,
    /** Whether an application of the merchant may pay out now, by its key. */
    byKey: async (key: string) => {
      const holder = await authenticateKey(deps, { key, ip: thief.ip })
      await checkPayoutKey(deps, holder)
      const { appid } = holder
      return world.withdraw('10', {
        byKey: { appid, outNo: newSecret(), bodyHash: Buffer.alloc(32), madeBy: merchant.id },
        proof: undefined,
      })
    },
    /** When the refund of a link that is claimed to an address is sent. */
    claim: async (link: string, address: string) => {
      const claimed = { token: deriveRefundLinkTokens(deps, link)[0]!, assetId: 'eth:USDT', address, from: thief }
      const { receives } = await quoteRefundClaim(deps, { ...claimed, language: 'en' })
      await claimRefund(deps, { ...claimed, receives })
      return (await firstRow(world.owner, 'select send_after from refunds order by created_at desc, id desc limit 1'))
        .send_after
    },
    /** Tries every way to take money, and returns those that work. */
    take: async () => {
      const before = await balance()
      const taken: string[] = []
      for (const [name, way] of Object.entries(ways)) {
        const error = await way().then(
          () => undefined,
          error => error,
        )
        if (error === undefined) taken.push(name)
        else assert.match(error.reason, /withdrawal_forbidden|account_held/, `${name}: ${error.stack}`)
      }
      if (taken.length === 0) assert.deepEqual(await balance(), before)
      return taken
    },
    /** The secret in the latest mail or message that ends the theft. */
    link: (to: { text: string }[] = deps.mails) =>
      to.flatMap(each => /login#not-me=(\S+)/.exec(each.text)?.[1] ?? []).at(-1)!,
  }
}

const entries: Record<string, (w: Awaited<ReturnType<typeof robbery>>) => Promise<unknown>> = {
  'a password reset': async ({ deps, merchant, mailed }) => {
    const { email } = merchant
    const code = await mailed(emailCodePurpose.retrievePassword, null)
    await resetPassword(deps, { ...code, email, password: stolen, confirm_password: stolen, from: thief })
    await login(deps, { email, password: stolen, from: thief })
  },
  'a code sign-in from a new device': async ({ deps, merchant: { email }, mailed }) =>
    loginByCode(deps, { ...(await mailed(emailCodePurpose.login, null)), email, from: thief }),
  'a code sign-in after all devices were forgotten': async ({ deps, owner, merchant: { email }, mailed }) => {
    await owner.query('delete from known_devices')
    await loginByCode(deps, { ...(await mailed(emailCodePurpose.login, null)), email, from: thief })
  },
  'an account of a sign-in provider made with the mailbox': async ({ deps }) =>
    loginThirdParty(deps, { code: 'c', state: 's', from: thief }),
}

for (const [name, enter] of Object.entries(entries))
  test(`whoever has only the mailbox takes nothing for 24 hours: ${name}`, async t => {
    const world = await robbery(t)
    const { deps, merchant, owner } = world
    await login(deps, { email: merchant.email, password: 'Correct1Horse', from: { ...visitor, deviceToken: 'own' } })
    await changeTestMerchant(owner, merchant.id, { phone: '13800138000', area_code: '86', phone_verified: true })
    await owner.query(`insert into former_emails values ($1, 'former@example.com', 0)`, [merchant.id])
    await enter(world)
    assert.deepEqual(await world.take(), [])
    deps.pass(day - 3_600)
    assert.deepEqual(await world.take(), [], 'an hour before the end')
    await deps.delivered()
    const former = deps.mails.filter(each => each.to === 'former@example.com')
    assert.ok(former.length > 0, 'a former address is notified, too')
    const token = world.link(former)
    assert.ok(world.link(deps.texts), 'and the phone')
    const { token: session } = await login(deps, {
      email: merchant.email,
      from: thief,
      password: name === 'a password reset' ? stolen : 'Correct1Horse',
    })
    await reportUnauthorizedUseByLink(deps, { token, from: visitor })
    await assert.rejects(authenticateSession(deps, { token: session, pending: false }), { reason: 'login_expired' })
    deps.pass(day)
    assert.deepEqual(await world.take(), [], 'until the operator lifts it')
    await assert.rejects(
      reportUnauthorizedUseByLink(deps, { token, from: visitor }),
      { reason: 'link_not_valid' },
      'once',
    )
    await assert.rejects(reportUnauthorizedUseByLink(deps, { token: `${token}x`, from: visitor }), {
      reason: 'link_not_valid',
    })
  })

test('a recovery code in place of a lost authenticator holds money, and so does no sign-in of a known device', async t => {
  const world = await robbery(t)
  const { deps, merchant } = world
  const { id, email } = merchant
  const own = { ...visitor, deviceToken: 'own' }
  await login(deps, { email, password: 'Correct1Horse', from: own })
  await loginByCode(deps, { ...(await world.mailed(emailCodePurpose.login, null)), email, from: own })
  assert.equal((await merchantById(deps.pool, id))!.factor_changed_at, 0, 'a known device')
  const { code } = await testAuthenticator(deps, id)
  const { codes } = await renewRecoveryCodes(deps, {
    session: merchant.session,
    proof: { method: 'google', code: code() },
    from: own,
  })
  const { token, verification } = await loginByCode(deps, {
    ...(await world.mailed(emailCodePurpose.login, null)),
    email,
    from: thief,
  })
  assert.equal(verification, true)
  assert.equal((await merchantById(deps.pool, id))!.factor_changed_at, 0, 'the authenticator is still asked for')
  const session = { ...ownerOf(id), tokenHash: hashSecret(token) }
  await verifyLogin(deps, { session, from: thief, recovery_code: codes[0]! })
  await assert.rejects(world.withdraw('10'), { reason: 'withdrawal_forbidden' })
  await deps.delivered()
  await reportUnauthorizedUseByLink(deps, { token: world.link(), from: visitor })
  assert.notEqual((await merchantById(deps.pool, id))!.held_at, 0)
})

test('without a second factor a new address waits 24 hours, and the link in the mail about it takes it back', async t => {
  const world = await robbery(t)
  const { deps, merchant, proof } = world
  const send = async () => world.withdraw('10', { proof: await proof(emailCodePurpose.withdrawal) })
  const add = async () =>
    addAddressBookEntries(deps, {
      merchantId: merchant.id,
      from: visitor,
      proof: await proof(emailCodePurpose.addressBook),
      entries: [
        { currency_id: 'eth', address: outside, label: 'New', memo: '', beneficiary: '', wallet: '', institution: '' },
      ],
    })
  await assert.rejects(send(), { reason: 'policy_refused' }, 'not in the address book')
  await add()
  await assert.rejects(send(), { reason: 'policy_refused' }, 'not yet')
  deps.pass(day)
  await send()
  await world.owner.query('update address_book set deleted_at = 1')
  await add()
  await deps.delivered()
  await reportUnauthorizedUseByLink(deps, { token: world.link(), from: visitor })
  await changeTestMerchant(world.owner, merchant.id, { held_at: 0 })
  deps.pass(day)
  await assert.rejects(send(), { reason: 'policy_refused' }, 'forgotten')
  const byKey = { appid: 'a', outNo: '1', bodyHash: Buffer.alloc(32), madeBy: merchant.id }
  await world.withdraw('10', { byKey, proof: undefined })
  await testAuthenticator(deps, merchant.id)
  await world.withdraw('10')
})

test('without a second factor a new receiver of transfers waits 24 hours, and the link in the mail takes it back', async t => {
  const world = await robbery(t)
  const { deps, merchant, other, owner } = world
  const transfer = world.ways.transfer!
  const waits = { reason: 'policy_refused', field: 'account' }
  await changeTestMerchant(owner, merchant.id, { phone: '13800138000', area_code: '86', phone_verified: true })
  await owner.query(`insert into former_emails values ($1, 'former@example.com', 0)`, [merchant.id])
  await assert.rejects(transfer(), waits)
  await deps.delivered()
  assert.ok(deps.mails.some(each => each.to === 'former@example.com'))
  assert.ok(world.link(deps.texts))
  deps.pass(day - 3_600)
  await assert.rejects(transfer(), waits, 'asking again changes nothing')
  await deps.delivered()
  await reportUnauthorizedUseByLink(deps, { token: world.link(), from: visitor })
  await changeTestMerchant(owner, merchant.id, { held_at: 0 })
  deps.pass(day)
  await assert.rejects(transfer(), waits, 'forgotten')
  assert.deepEqual(await world.balances('eth:USDT', other.id), ['1000000000', '0'])
  deps.pass(day)
  await transfer()
  await transfer()
  assert.deepEqual(await world.balances('eth:USDT', other.id), ['1020000000', '0'])
})

test('without a second factor a refund by link reaches the payer, and anybody else after 24 hours only', async t => {
  const world = await robbery(t)
  const { deps, merchant } = world
  const made = deps.clock()
  const link = (await world.ways['refund link']!()) as string
  const sent = await world.claim(link, outside)
  assert.ok(sent >= made + day, 'time to stop it')
  await cancelRefund(deps, {
    merchantId: merchant.id,
    id: (await firstRow(world.owner, 'select id from refunds')).id,
    from: visitor,
  })
  const payer = (await firstRow(world.owner, 'select from_address from deposits limit 1')).from_address
  const again = (await world.ways['refund link']!()) as string
  assert.equal(await world.claim(again, payer), 0, 'the payer, at once')
})

test('without a second factor a key pays out 24 hours after it could', async t => {
  const world = await robbery(t)
  const { deps, merchant, byKey } = world
  const from = { merchantId: merchant.id, from: thief }
  const proof = () => world.proof(emailCodePurpose.application)
  const settings = { name: 'new', payouts_allowed: true, ip_whitelist_enabled: true, ip_whitelist: [thief.ip] }
  const waits = { reason: 'payouts_not_allowed' }
  const { appid, secret_key } = await createApplication(deps, { ...from, settings, proof: await proof() })
  await assert.rejects(byKey(secret_key), waits, 'a new application')
  deps.pass(day)
  await byKey(secret_key)
  await editApplication(deps, { ...from, appid, settings: { remark: 'x' } })
  await byKey(secret_key)
  const changed = { ip_whitelist: [thief.ip, '192.0.2.67'] }
  await editApplication(deps, { ...from, appid, settings: changed, proof: await proof() })
  await assert.rejects(byKey(secret_key), waits, 'another whitelist')
  deps.pass(day)
  const renewed = await rotateApplicationSecret(deps, { ...from, appid, target: 'secret_key', proof: await proof() })
  await assert.rejects(byKey(renewed.secret_key!), waits, 'a renewed key')
  await testAuthenticator(deps, merchant.id)
  await byKey(renewed.secret_key!)
})
