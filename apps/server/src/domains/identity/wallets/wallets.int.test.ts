import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { type ChainView, ethereum } from '@coffer/chains'
import { ChainUnavailable } from '@coffer/chains/errors.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { testStart, withDeps } from '../../../testing/deps.ts'
import {
  codeIn,
  mailedProof,
  type TestMerchant,
  testAuthenticator,
  testMerchant,
  visitor,
} from '../../../testing/merchants.ts'
import { closeAccount } from '../../onboarding/close-account.ts'
import { sendEmailCode } from '../codes/send-code.ts'
import { authenticateSession } from '../sessions/sessions.ts'
import { loginByCode } from '../sign-in/login.ts'
import { deleteExpiredCredentials } from '../store.ts'
import {
  linkWallet,
  loginByWallet,
  readLinkedWallet,
  registerByWallet,
  requestWalletMessage,
  unlinkWallet,
} from './wallets.ts'

/** What the contract wallets of the chain answer. */
let contractSays: (address: string, hash: string, signature: string) => boolean | Error
beforeEach(() => {
  contractSays = () => false
})
const chain = {
  definition: ethereum,
  isSignedBy: async (...requested: [string, string, string]) => {
    const said = contractSays(...requested)
    if (said instanceof Error) throw said
    return said
  },
} as unknown as ChainView
const elsewhere = { definition: { ...ethereum, chainId: 56, name: 'Other' } } as ChainView
const deps = await withDeps(
  { after },
  {
    config: { publicUrl: 'https://pay.example' },
    chains: new Map([
      ['eth', chain],
      ['other', elsewhere],
    ]),
  },
)
const { pool, owner } = deps
const from = visitor
const wrong = { reason: 'wallet_error' }
const newWallet = () => privateKeyToAccount(generatePrivateKey())
type Wallet = ReturnType<typeof newWallet>

async function signed(wallet: Wallet, session: TestMerchant['session'] | null = null) {
  const { message } = await requestWalletMessage(deps, session, { address: wallet.address.toLowerCase(), chain_id: 1 })
  return { message, signature: (await wallet.signMessage({ message })) as string }
}

const signIn = async (wallet: Wallet) => loginByWallet(deps, { ...(await signed(wallet)), from })
const merchantOf = async (token: string) => (await authenticateSession(deps, { token, pending: false })).merchantId

async function link(merchant: TestMerchant, wallet: Wallet) {
  const proof = await mailedProof(deps, merchant.id, 22)
  const answer = await signed(wallet, merchant.session)
  const { token } = await linkWallet(deps, { ...answer, session: merchant.session, proof, from })
  merchant.session.tokenHash = (await authenticateSession(deps, { token, pending: false })).tokenHash
  deps.pass(61)
}

const linked = async (wallet = newWallet()) => {
  const merchant = await testMerchant(deps)
  await link(merchant, wallet)
  return { merchant, wallet }
}

async function mailedCode(email: string, purpose: number) {
  const { challenge } = await sendEmailCode(deps, { purpose, email, session: null, from })
  return { email, code: codeIn(deps.mails.at(-1)), challenge }
}

test('the message names the site, the chain and its end', async () => {
  const { address } = newWallet()
  const { message, expires_in } = await requestWalletMessage({ ...deps, clock: () => testStart }, null, {
    address,
    chain_id: 1,
  })
  assert.equal(expires_in, 900)
  const pattern = `^pay\\.example wants you to sign in with your Ethereum account:
${address}

Sign in to Coffer\\.

URI: https://pay\\.example
Version: 1
Chain ID: 1
Nonce: [0-9a-f]{48}
Issued At: 2025-06-02T10:00:00\\.000Z
Expiration Time: 2025-06-02T10:15:00\\.000Z$`
  assert.match(message, new RegExp(pattern))
})

test('an unknown wallet registers with the signature that was refused at the sign-in', async () => {
  const wallet = newWallet()
  const answer = await signed(wallet)
  await assert.rejects(loginByWallet(deps, { ...answer, from }), { reason: 'wallet_unknown' })
  const mailed = await mailedCode('wallet@example.com', 2)
  const { token, verification } = await registerByWallet(deps, { ...answer, ...mailed, time_zone: 'Asia/Tokyo', from })
  assert.equal(verification, false)
  const id = await merchantOf(token)
  assert.equal(await readLinkedWallet(pool, id), wallet.address)
  assert.equal(await merchantOf((await signIn(wallet)).token), id)
  await assert.rejects(loginByWallet(deps, { ...answer, from }), wrong, 'the message is spent')
})

test('registration refuses a wrong code, a taken email and a taken wallet, and spends nothing', async () => {
  const { merchant, wallet } = await linked()
  const fresh = newWallet()
  const answer = await signed(fresh)
  const taken = await mailedCode(merchant.email, 2)
  await assert.rejects(registerByWallet(deps, { ...answer, ...taken, code: '000000', from }), {
    reason: 'email_code_error',
  })
  await assert.rejects(registerByWallet(deps, { ...answer, ...taken, from }), { reason: 'mailbox_exists' })
  deps.pass(61)
  const mailed = await mailedCode('second@example.com', 2)
  await assert.rejects(registerByWallet(deps, { ...(await signed(wallet)), ...mailed, from }), {
    reason: 'wallet_taken',
  })
  await registerByWallet(deps, { ...answer, ...mailed, from })
})

test('a changed, foreign, old, spent or repurposed message is refused', async () => {
  const { merchant, wallet } = await linked()
  const other = newWallet()
  const { message } = await signed(wallet)
  const changes: [string, (text: string) => string][] = [
    ['domain', text => text.replace('pay.example wants', 'evil.example wants')],
    ['scheme', text => `https://${text}`],
    ['URI', text => text.replace('URI: https://pay.example', 'URI: https://evil.example')],
    ['statement', text => text.replace('Sign in to Coffer', 'Win a prize')],
    ['address', text => text.replace(wallet.address, other.address)],
    ['nonce', text => text.replace(/Nonce: ./, 'Nonce: z')],
    ['end', text => text.replace(/10:\d\d:\d\d\.000Z$/, '23:59:59.000Z')],
    ['resources', text => `${text}\nResources:\n- https://pay.example`],
    ['line end', text => `${text}\n`],
    ['nothing of it', () => 'hello'],
    ['far future', text => text.replace(/Issued At: \d{4}/, 'Issued At: 9999')],
  ]
  for (const [what, change] of changes) {
    const text = change(message)
    assert.notEqual(text, message, what)
    const signature = await (what === 'address' ? other : wallet).signMessage({ message: text })
    await assert.rejects(loginByWallet(deps, { message: text, signature, from }), wrong, what)
  }
  const onOther = message.replace('Chain ID: 1', 'Chain ID: 56')
  const signature = await wallet.signMessage({ message: onOther })
  await assert.rejects(loginByWallet(deps, { message: onOther, signature, from }), wrong)
  await assert.rejects(loginByWallet(deps, { message, signature: await other.signMessage({ message }), from }), wrong)

  // Anybody can make this one of a signature.
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const own = await signed(wallet)
  const flipped = own.signature.endsWith('1b') ? '1c' : '1b'
  const high = order - BigInt(`0x${own.signature.slice(66, 130)}`)
  const twin = `${own.signature.slice(0, 66)}${high.toString(16).padStart(64, '0')}${flipped}`
  await assert.rejects(loginByWallet(deps, { message: own.message, signature: twin, from }), wrong, 'a high s')

  const forLink = await signed(wallet, merchant.session)
  await assert.rejects(loginByWallet(deps, { ...forLink, from }), wrong, 'a message for linking')
  const late = await signed(wallet)
  deps.pass(900)
  await assert.rejects(loginByWallet(deps, { ...late, from }), wrong, 'expired')
  const once = await signed(wallet)
  const both = await Promise.allSettled([1, 2].map(() => loginByWallet(deps, { ...once, from })))
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  await deleteExpiredCredentials(deps)
  await assert.rejects(loginByWallet(deps, { ...once, from }), wrong, 'spent')
})

test('a key signs on any chain, a contract on configured ones; sites without a full name are refused', async () => {
  const { merchant, wallet } = await linked()
  const { message: elsewhere } = await requestWalletMessage(deps, null, { address: wallet.address, chain_id: 56 })
  const signature = await wallet.signMessage({ message: elsewhere })
  const { token } = await loginByWallet(deps, { message: elsewhere, signature, from })
  assert.equal(await merchantOf(token), merchant.id)
  const { address } = newWallet()
  const { message } = await requestWalletMessage(deps, null, { address, chain_id: 56 })
  await assert.rejects(loginByWallet(deps, { message, signature: `0x${'11'.repeat(65)}`, from }), {
    reason: 'wallet_chain',
    detail: { en: 'Ethereum', 'zh-CN': 'Ethereum' },
  })
  const at = (publicUrl: string) => ({ ...deps, config: { ...deps.config, publicUrl } })
  for (const url of ['http://[::1]:8080', 'https://coffer'])
    await assert.rejects(requestWalletMessage(at(url), null, { address, chain_id: 1 }), {
      reason: 'wallet_unavailable',
    })
  for (const url of ['http://127.0.0.1:8080', 'http://localhost:8080', 'https://a-b.example:8443'])
    assert.match((await requestWalletMessage(at(url), null, { address, chain_id: 1 })).message, /^[\w.:-]+ wants/)
})

test('linking needs a proof and a free wallet; unlinking ends other sessions and leaves the mailed code', async () => {
  const { merchant, wallet } = await linked()
  await deps.delivered()
  assert.match(deps.mails.at(-1)!.text, new RegExp(`A wallet was linked.*${wallet.address}`, 's'))
  const stranger = await testMerchant(deps)
  const answer = await signed(wallet, stranger.session)
  const byStranger = { ...answer, session: stranger.session, from }
  await assert.rejects(linkWallet(deps, byStranger), { reason: 'proof_needed' })
  const proof = await mailedProof(deps, stranger.id, 22)
  await assert.rejects(linkWallet(deps, { ...byStranger, proof }), { reason: 'wallet_taken' })
  await assert.rejects(linkWallet(deps, { ...byStranger, session: merchant.session, proof }), {
    reason: 'email_code_error',
  })
  const { session } = merchant
  const second = { ...(await signed(newWallet(), session)), session, proof: await mailedProof(deps, merchant.id, 22) }
  await assert.rejects(linkWallet(deps, { ...second, from }), { reason: 'already_bound' })
  await assert.rejects(unlinkWallet(deps, { session, from }), { reason: 'proof_needed' })

  const elsewhere = await signIn(wallet)
  const { token } = await unlinkWallet(deps, { session, proof: second.proof, from })
  assert.equal(await merchantOf(token), merchant.id)
  await assert.rejects(merchantOf(elsewhere.token), { reason: 'login_expired' })
  await assert.rejects(signIn(wallet), { reason: 'wallet_unknown' })
  assert.equal(await readLinkedWallet(pool, merchant.id), '')
  const { rows } = await owner.query('select type from audit_log where merchant_id = $1 order by seq desc limit 1', [
    merchant.id,
  ])
  assert.deepEqual(rows, [{ type: 'wallet_unlinked' }])
  // Without a password, too, the account can be entered.
  await owner.query('update persons set password_hash = null where id = $1', [merchant.id])
  const mailed = await mailedCode(merchant.email, 1)
  assert.equal(await merchantOf((await loginByCode(deps, { ...mailed, from })).token), merchant.id)
  deps.pass(61)
  await link(stranger, wallet)
  assert.equal(await merchantOf((await signIn(wallet)).token), stranger.id)
})

test('asks for the authenticator, and refuses frozen and closed accounts', async () => {
  const { merchant, wallet } = await linked()
  await testAuthenticator(deps, merchant.id)
  assert.equal((await signIn(wallet)).verification, true)
  await owner.query('update persons set authenticator_secret = null where id = $1', [merchant.id])
  await owner.query('update merchants set frozen = true where id = $1', [merchant.id])
  await assert.rejects(signIn(wallet), { reason: 'account_frozen' })
  await owner.query('update merchants set frozen = false where id = $1', [merchant.id])
  await closeAccount(deps, { merchantId: merchant.id, proof: await mailedProof(deps, merchant.id, 12), from })
  await assert.rejects(signIn(wallet), { reason: 'wallet_unknown' })
})

test('a contract wallet signs for its chain alone; one that refuses, or no node, signs in nobody', async () => {
  const { address } = newWallet()
  const merchant = await testMerchant(deps)
  const ask = async (session: TestMerchant['session'] | null) =>
    (await requestWalletMessage(deps, session, { address, chain_id: 1 })).message
  contractSays = (requested, _hash, signature) => requested === address.toLowerCase() && signature === '0x01'
  const proof = await mailedProof(deps, merchant.id, 22)
  const { session } = merchant
  await linkWallet(deps, { message: await ask(session), signature: '0x01', session, proof, from })
  const { rows } = await owner.query('select subject from identities where person_id = $1', [merchant.id])
  assert.deepEqual(rows, [{ subject: `eip155:1:${address.toLowerCase()}` }])
  assert.equal(await readLinkedWallet(pool, merchant.id), address)
  const { token } = await loginByWallet(deps, { message: await ask(null), signature: '0x01', from })
  assert.equal(await merchantOf(token), merchant.id)
  await assert.rejects(loginByWallet(deps, { message: await ask(null), signature: '0x02', from }), wrong)
  contractSays = () => new ChainUnavailable('no node')
  await assert.rejects(loginByWallet(deps, { message: await ask(null), signature: '0x01', from }), { reason: 'busy' })
})
