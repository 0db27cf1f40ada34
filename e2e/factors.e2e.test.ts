import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import { until } from '@coffer/local/testing/until.ts'
import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { newAccount, newEmail, newShop, password, takePayment } from './merchants.ts'
import { withReceiver } from './receiver.ts'
import { connectShop, type Receiver, sendKeyToShop } from './shop-steps.ts'
import { addAuthenticator, assertAccessible, authenticatorCodes, fillCode, leave } from './steps.ts'
import { withWorld } from './world.ts'

// Browsers make passkeys for names only.
const { url, newPage } = await withWorld({ after })

/** Opens the account of a new merchant without permission. */
async function openAccount(t: Parameters<typeof newPage>[0], name: string): Promise<{ page: Page; email: string }> {
  const email = newEmail(name)
  const page = await newPage(t, { as: { token: await newAccount(url, email) } })
  await page.goto(`${url}/accountInfo`)
  return { page, email }
}

/** Adds a passkey at the second try of the device when given what has it refuse. */
async function addPasskey(page: Page, email: string, name: string, verifies?: (isUserVerified: boolean) => unknown) {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  if (await dialog.getByRole('tab', { name: 'Email' }).count()) await dialog.getByRole('tab', { name: 'Email' }).click()
  await fillCode(dialog, url, email)
  const add = () => dialog.getByRole('button', { name: 'Add a passkey' }).click()
  if (verifies) {
    await verifies(false)
    await add()
    await dialog.getByText('The passkey was not used').waitFor()
    await verifies(true)
  }
  // The code, which is spent, need not be sent again.
  await add()
  await page.getByText('Passkey added.').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
}

async function signInByPasskey(page: Page) {
  await page.getByRole('link', { name: 'Other ways' }).click()
  await page.getByRole('button', { name: 'Passkey' }).press('Enter')
}

test('passkeys sign in and confirm; a copied one is blocked, a removed one is refused', async t => {
  const { page, email } = await openAccount(t, 'passkeys')
  const { session, authenticatorId } = await addAuthenticator(page)
  const verifies = (isUserVerified: boolean) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  await addPasskey(page, email, 'Laptop', verifies)

  await leave(page, url)
  await signInByPasskey(page)
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  // The field for the email offers it, too; the virtual authenticator takes the offer.
  await leave(page, url)
  await page.getByLabel('Email').focus()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

  // Step up: the passkey confirms its own renewal of a factor without any code.
  await page.goto(`${url}/accountInfo`)
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill('Correct1Horse')
  await dialog.getByLabel('New password', { exact: true }).fill('Another1Horse')
  await dialog.getByLabel('Confirm password').fill('Another1Horse')
  await dialog.getByText('Your device asks for your fingerprint').waitFor()
  await verifies(false)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The passkey was not used').waitFor()
  await verifies(true)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Password changed.').waitFor()

  // Withdrawals then ask for the passkey alone.
  await page.getByRole('button', { name: 'Change: Confirmation of actions' }).click()
  await dialog.getByLabel('Confirmed by').selectOption('Passkey only')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Withdrawals and refunds: Passkey only').waitFor()

  // A copy has fewer signatures than the original.
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
  const [credential] = credentials
  assert.ok(credential && credential.signCount > 1)
  await session.send('WebAuthn.clearCredentials', { authenticatorId })
  await session.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } })
  await leave(page, url)
  await signInByPasskey(page)
  await page.getByText('A copy of this passkey was used before').waitFor()
  await page.goto(`${url}/login#code`)
  await page.getByLabel('Email').fill(email)
  await fillCode(page, url, email, 'Verification code')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.goto(`${url}/accountInfo`)
  await page.getByText('Blocked: a copy was used').waitFor()
  await page.getByRole('button', { name: 'Remove: Laptop' }).click()
  await fillCode(dialog, url, email)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Passkey removed.').first().waitFor()
  await page.getByText('Add at least two, on different devices').waitFor()
  await leave(page, url)
  await signInByPasskey(page)
  await page.getByText('The passkey could not be verified').waitFor()
})

/**
 * Adds a webhook endpoint, which receives a test, renews its secret, turns it off and removes it, each confirmed by the
 * passkey.
 */
async function useEndpoint(page: Page, { url: at, received }: Receiver) {
  await page.goto(`${url}/appManage`)
  await page.getByRole('button', { name: 'More actions for Passkeys' }).click()
  await page.getByRole('menuitem', { name: 'Webhook endpoints' }).click()
  const drawer = page.getByRole('dialog', { name: 'Webhook endpoints' })
  await drawer.getByText('No webhook endpoints').waitFor()
  const confirm = async (title: string, button: string) => {
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByText('Your device asks for your fingerprint').waitFor()
    await dialog.getByRole('button', { name: button }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const secretOnce = async () => {
    const shown = page.getByRole('dialog', { name: 'Save this secret now' })
    const secret = await shown.getByText(/^whsec_/).textContent()
    await shown.getByRole('button', { name: 'I have saved it' }).click()
    return secret
  }
  await drawer.getByRole('button', { name: 'Add endpoint' }).click()
  const add = page.getByRole('dialog', { name: 'Add endpoint' })
  await add.getByLabel('URL').fill(at)
  await add.getByLabel('Note').fill('Bookkeeping')
  await add.getByRole('checkbox', { name: 'Payment detected' }).uncheck()
  await assertAccessible(page)
  await confirm('Add endpoint', 'Add endpoint')
  const first = await secretOnce()

  const endpoint = drawer.getByRole('listitem', { name: at })
  await endpoint.getByText('Bookkeeping').waitFor()
  await endpoint.getByRole('button', { name: 'Send test' }).click()
  await until('the test event', () => received.some(({ body }) => body.includes('test.ping')))
  await endpoint.getByRole('button', { name: 'Renew secret' }).click()
  await confirm('Renew the secret of this endpoint?', 'Renew secret')
  assert.notEqual(await secretOnce(), first)
  await endpoint.getByText('Old secret signs until').waitFor()
  await endpoint.getByRole('button', { name: 'Change' }).click()
  const change = page.getByRole('dialog', { name: 'Change endpoint' })
  await change.getByRole('switch', { name: 'Events are sent' }).uncheck()
  assert.equal(await change.getByRole('checkbox', { name: 'Payment detected' }).isChecked(), false)
  await confirm('Change endpoint', 'Save')
  await endpoint.getByText('Off', { exact: true }).waitFor()
  assert.ok(await endpoint.getByRole('button', { name: 'Send test' }).isDisabled())
  await assertAccessible(page)
  await endpoint.getByRole('button', { name: 'Remove' }).click()
  await confirm('Remove this endpoint?', 'Remove')
  await drawer.getByText('No webhook endpoints').waitFor()
}

test('a passkey connects a shop and a webhook endpoint, renews their keys, and on a phone ends a withdrawal', async t => {
  const shop = await newShop(url, 'Passkeys')
  await takePayment(url, shop, { out_trade_no: 'p-1', amount: '200' })
  const page = await newPage(t, { as: shop })
  const { session, authenticatorId } = await addAuthenticator(page)
  await page.goto(`${url}/accountInfo`)
  await addPasskey(page, shop.email, 'Phone')
  await page.goto(`${url}/property/WithdrawSetting`)
  await page.getByRole('switch', { name: 'Confirmation by passkey' }).check()
  await page.getByLabel('Above, in USDT').fill('50')
  await page.getByRole('button', { name: 'Save' }).click()
  const save = page.getByRole('dialog', { name: 'Save the withdrawal settings' })
  await save.getByText('Your device asks for your fingerprint').waitFor()
  await save.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Rules saved and in effect', { exact: true }).waitFor()

  await connectShop(page, url, await withReceiver(t))
  await useEndpoint(page, await withReceiver(t))
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const asking = await withReceiver(t)
  await sendKeyToShop(page, url, `${asking.url}?settings`)
  const given = new URLSearchParams(asking.received.find(each => each.body)?.body)
  assert.match(given.get('apiKey') ?? '', /^[0-9a-f]{32}$/)
  assert.deepEqual(
    given.getAll('permissions[]').map(each => each.split(':')[0]),
    ['btcpay.store.canviewinvoices', 'btcpay.store.cancreateinvoice'],
    'what it asked for, and no more',
  )

  const held = await newPage(t, { as: { ...shop, token }, ...phone })
  const own = await addAuthenticator(held)
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
  const [credential] = credentials
  assert.ok(credential)
  await own.session.send('WebAuthn.addCredential', { authenticatorId: own.authenticatorId, credential })
  await held.goto(`${url}/m/property`)
  await held.getByRole('link', { name: 'Withdraw', exact: true }).click()
  // The assets, from which the link leads here, have a row like the one to choose.
  await held.getByText('Choose what to withdraw').waitFor()
  await held.getByRole('listitem').filter({ hasText: 'Ethereum' }).getByRole('button').click()
  await held.getByLabel('Receiving address').fill('0x8ba1f109551bD432803012645Ac136ddd64DBA72')
  await held.getByText('Valid address.').waitFor()
  await held.getByLabel('Amount', { exact: true }).fill('60')
  const next = held.getByRole('button', { name: 'Continue' })
  const sheet = held.getByRole('dialog', { name: 'Confirm the withdrawal' })
  // Where the browser has none, no code is sent that would be refused.
  await held.evaluate('window.own = PublicKeyCredential; delete window.PublicKeyCredential')
  await next.click()
  await sheet.getByText('This browser cannot use passkeys here').waitFor()
  assert.equal(await sheet.getByRole('textbox').count(), 0)
  await held.keyboard.press('Escape')
  await held.evaluate('window.PublicKeyCredential = own')
  await next.click()
  await sheet.getByText('Your device asks for your fingerprint').waitFor()
  assert.equal(await sheet.getByRole('textbox').count(), 0, 'no code')
  await assertAccessible(held)
  await sheet.getByRole('button', { name: 'Withdraw' }).click()
  await held.getByRole('dialog', { name: 'Withdrawal', exact: true }).waitFor()
})

/** Gives the page's browser a wallet that announces itself (EIP-6963), and whose answers the test can change. */
async function addWallet(page: Page, account = privateKeyToAccount(generatePrivateKey())) {
  const wallet = { account, chain: 31_337, refuses: false, reads: (message: string) => message }
  await page.exposeFunction('walletAnswers', async (method: string, [data]: `0x${string}`[] = []) => {
    if (method === 'eth_requestAccounts') return { result: [account.address] }
    if (method === 'eth_chainId') return { result: `0x${wallet.chain.toString(16)}` }
    if (wallet.refuses) return { code: 4001 }
    const message = wallet.reads(Buffer.from(data!.slice(2), 'hex').toString())
    return { result: await account.signMessage({ message }) }
  })
  await page.addInitScript(`{
    const info = { uuid: 'a', name: 'Test Wallet', rdns: 'example.wallet', icon: 'data:image/svg+xml,<svg/>' }
    const request = async ({ method, params }) => {
      const answer = await walletAnswers(method, params)
      if (answer.code) throw answer
      return answer.result
    }
    const detail = Object.freeze({ info, provider: { request } })
    addEventListener('eip6963:requestProvider', () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })))
  }`)
  return wallet
}

test('a wallet registers, signs in on a phone, and is unlinked and linked; what it did not sign is refused', async t => {
  const page = await newPage(t)
  const wallet = await addWallet(page)
  const email = newEmail('wallets')
  const dialog = page.getByRole('dialog')
  const choose = () => page.getByRole('button', { name: 'Test Wallet' }).press('Enter')
  await page.goto(`${url}/login#more`)
  await page.getByRole('button', { name: 'Wallet', exact: true }).press('Enter')
  wallet.refuses = true
  await choose()
  await page.getByText('The wallet did not sign').waitFor()
  wallet.refuses = false
  wallet.reads = message => message.replace(/^\S+/, 'evil.example')
  await choose()
  await page.getByText('The signature of the wallet could not be verified').waitFor()
  wallet.reads = message => message
  // A key signs alike on a network that the server does not read.
  wallet.chain = 56
  await choose()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  await page.getByLabel('Email').fill(email)
  await fillCode(page, url, email, 'Verification code')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

  // On a phone, in Chinese; what was sent is good once.
  const handheld = await newPage(t, { ...phone, locale: 'zh-CN' })
  await addWallet(handheld, wallet.account)
  await handheld.goto(`${url}/m/login`)
  await handheld.getByRole('link', { name: '其他方式' }).click()
  await handheld.getByRole('button', { name: '钱包', exact: true }).click()
  const sent = handheld.waitForRequest(
    request => request.url().endsWith('/public/login') && request.method() === 'POST',
  )
  await handheld.getByRole('button', { name: 'Test Wallet' }).click()
  const again = (await sent).postData()
  await handheld.waitForURL(`${url}/m/**`)
  await handheld.waitForFunction(() => localStorage.getItem('token') !== null)
  const replay = await fetch(`${url}/api/v1/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: again,
  })
  assert.equal(((await replay.json()) as { code: number }).code, 10190)

  await page.goto(`${url}/accountInfo`)
  await page.getByRole('button', { name: 'Unlink: Wallet' }).click()
  await fillCode(dialog, url, email)
  await dialog.getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('Wallet unlinked.').first().waitFor()
  await page.getByRole('button', { name: 'Link: Wallet' }).click()
  await fillCode(dialog, url, email)
  wallet.refuses = true
  await choose()
  await dialog.getByText('The wallet did not sign').waitFor()
  wallet.refuses = false
  await choose()
  await page.getByText('Wallet linked.').first().waitFor()
  await page.getByText(wallet.account.address).first().waitFor()
})

test('a recovery code signs in once, and "This was not me" ends all sessions', async t => {
  const { page, email } = await openAccount(t, 'recovery')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Bind: Authenticator' }).click()
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  await assertAccessible(page)
  const [secret] = /[A-Z2-7]{32}/.exec((await dialog.textContent()) ?? '') ?? []
  assert.ok(secret)
  const nextCode = authenticatorCodes(secret)
  await fillCode(dialog, url, email)
  await dialog.getByLabel('Code from the new authenticator').fill(await nextCode())
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click()
  await page.getByText('Authenticator bound.').waitFor()
  // Codes come with it, and no key closes them without a question.
  await dialog.getByText('they are shown only once').waitFor()
  const first = await dialog.getByRole('listitem').allTextContents()
  assert.equal(first.length, 10)
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Have you saved the codes?' }).getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('You can let a bound phone confirm withdrawals').waitFor()
  await page.getByRole('button', { name: 'Generate new codes: Recovery codes' }).click()
  await dialog.getByLabel('Authenticator code').fill(await nextCode())
  await dialog.getByRole('button', { name: 'Generate codes' }).click()
  await dialog.getByText('they are shown only once').waitFor()
  const codes = await dialog.getByRole('listitem').allTextContents()
  assert.equal(codes.length, 10)
  assert.ok(!codes.includes(first[0]!))
  await dialog.getByRole('button', { name: 'I have saved them' }).click()

  const signIn = async (on: Page, code: string) => {
    await on.goto(`${url}/login`)
    await on.getByLabel('Email').fill(email)
    await on.getByLabel('Password', { exact: true }).fill(password)
    await on.getByRole('button', { name: 'Sign in', exact: true }).click()
    await on.getByRole('button', { name: 'Use a recovery code' }).click()
    await on.getByLabel('Recovery code').fill(code)
    await on.getByRole('button', { name: 'Verify' }).click()
  }
  const other = await newPage(t)
  await signIn(other, codes[0]!)
  await other.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  const third = await newPage(t)
  await signIn(third, codes[0]!)
  await third.getByText('Recovery code error or used before').first().waitFor()

  await page.goto(`${url}/accountInfo`)
  await page.getByText('9 of 10 left').waitFor()
  await page.getByRole('button', { name: 'This was not me' }).press('Enter')
  await page.getByRole('alertdialog').or(dialog).getByRole('button', { name: 'This was not me' }).press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  // The page that is open may be leaving by itself at this moment.
  const again = await other.context().newPage()
  await again.goto(`${url}/accountInfo`)
  await again.getByRole('heading', { name: 'Sign in' }).waitFor()
})
