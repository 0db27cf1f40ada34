import { type EmailCodePurpose, emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { createApplication } from '../../domains/applications/create-application.ts'
import { sendEmailCode } from '../../domains/identity/codes/send-code.ts'
import { register } from '../../domains/identity/sign-in/register.ts'
import { merchantByEmail } from '../../domains/merchants/store.ts'
import { requestOpening } from '../../domains/onboarding/request-opening.ts'
import { approveMerchant } from '../../domains/onboarding/review-merchant.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { Inbox, Message } from '../inbox.ts'

/** Credentials of the demo's merchant. */
export const demoLogin = { email: 'demo@coffer.example', password: 'Coffee2Demo' }

/** A merchant of the demo. */
export interface Account {
  merchantId: string
  email: string
}

export interface Shop {
  account: Account
  /** Another merchant, who receives transfers. */
  roaster: Account
  applications: { appid: string; name: string }[]
}

/** The browser of the demo's merchants. */
export const visitor: Visitor = {
  ip: '127.0.0.1',
  device: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
  language: 'en',
}

/** Registers the demo's merchants, has them approved, and creates the shop's applications. */
export async function openShop(deps: Deps, inbox: Inbox, notifyUrl: string): Promise<Shop> {
  const account = await open(deps, inbox, demoLogin.email, 'Aurora Coffee')
  const roaster = await open(deps, inbox, 'roaster@coffer.example', 'Nordlicht Roastery')
  const applications = []
  for (const name of ['Aurora online shop', 'Wholesale portal']) {
    const { appid } = await createApplication(deps, {
      merchantId: account.merchantId,
      settings: { name, notify_url: notifyUrl },
      proof: await mailedProof(deps, inbox, account, emailCodePurpose.application),
      from: visitor,
    })
    applications.push({ appid, name })
  }
  return { account, roaster, applications }
}

async function open(deps: Deps, inbox: Inbox, email: string, name: string): Promise<Account> {
  const { password } = demoLogin
  await sendEmailCode(deps, { purpose: emailCodePurpose.register, email, merchantId: null, from: visitor })
  const code = await codeFor(inbox, email)
  await register(deps, { email, code, password, confirm_password: password, from: visitor })
  const merchant = await merchantByEmail(deps.pool, email)
  if (!merchant) throw new Refusal('account_not_exist')
  await requestOpening(deps, {
    merchantId: merchant.id,
    name,
    time_zone: 'Europe/Berlin',
    address: { street: 'Lindenstraße 12', city: 'Berlin', country: 'Germany' },
    socials: { telegram: '', twitter: '', facebook: '' },
    website: `https://${name.toLowerCase().replace(' ', '-')}.example`,
    phone: '',
    area_code: '',
    from: visitor,
  })
  await approveMerchant(deps, { merchantId: merchant.id })
  return { merchantId: merchant.id, email }
}

/** Has a code mailed to a merchant, for a purpose of `emailCodePurpose`, and returns it as a proof. */
export async function mailedProof(deps: Deps, inbox: Inbox, { merchantId, email }: Account, purpose: EmailCodePurpose) {
  const before = inbox.list(email)[0]
  await sendEmailCode(deps, { purpose, email: undefined, merchantId, from: visitor })
  return { method: 'email' as const, code: await codeFor(inbox, email, before) }
}

/** Waits for a code mailed after `before`: mails are sent in the background. */
async function codeFor(inbox: Inbox, email: string, before?: Message): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const mail = inbox.list(email).find(({ id, code }) => id > (before?.id ?? 0) && code !== '')
    if (mail) return mail.code
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error('the code for the demo merchant did not arrive')
}
