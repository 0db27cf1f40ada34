import { type EmailCodePurpose, emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { createApplication } from '../../domains/applications/create-application.ts'
import { sendEmailCode } from '../../domains/identity/codes/send-code.ts'
import { register } from '../../domains/identity/sign-in/register.ts'
import { merchantByEmail } from '../../domains/merchants/store.ts'
import { requestMerchantPermission } from '../../domains/onboarding/request-merchant-permission.ts'
import { approveMerchant } from '../../domains/onboarding/review-merchant.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { SandboxInbox, SandboxMessage } from '../inbox.ts'

/** Credentials of the demo's merchant. */
export const demoLogin = { email: 'demo@coffer.example', password: 'Coffee2Demo' }

/** A merchant of the demo. */
export interface DemoAccount {
  merchantId: string
  email: string
}

export interface DemoShop {
  account: DemoAccount
  /** Another merchant, who receives transfers. */
  roaster: DemoAccount
  applications: { appid: string; name: string }[]
}

/** The browser of the demo's merchants. */
export const demoVisitor: Visitor = {
  ip: '127.0.0.1',
  device: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
  language: 'en',
}

/** Registers the demo's merchants, has them approved, and creates the shop's applications. */
export async function openDemoShop(deps: Deps, inbox: SandboxInbox, notifyUrl: string): Promise<DemoShop> {
  const account = await open(deps, inbox, demoLogin.email, 'Aurora Coffee')
  const roaster = await open(deps, inbox, 'roaster@coffer.example', 'Nordlicht Roastery')
  const applications = []
  for (const name of ['Aurora online shop', 'Wholesale portal']) {
    const { appid } = await createApplication(deps, {
      merchantId: account.merchantId,
      settings: { name, notify_url: notifyUrl },
      proof: await requestMailedProof(deps, inbox, account, emailCodePurpose.application),
      from: demoVisitor,
    })
    applications.push({ appid, name })
  }
  return { account, roaster, applications }
}

async function open(deps: Deps, inbox: SandboxInbox, email: string, name: string): Promise<DemoAccount> {
  const { password } = demoLogin
  await sendEmailCode(deps, { purpose: emailCodePurpose.register, email, session: null, from: demoVisitor })
  const code = await codeFor(inbox, email)
  await register(deps, { email, code, password, confirm_password: password, from: demoVisitor })
  const merchant = await merchantByEmail(deps.pool, email)
  if (!merchant) throw new Refusal('account_not_exist')
  await requestMerchantPermission(deps, {
    merchantId: merchant.id,
    name,
    time_zone: 'Europe/Berlin',
    address: { street: 'Lindenstraße 12', city: 'Berlin', country: 'Germany' },
    socials: { telegram: '', twitter: '', facebook: '' },
    website: `https://${name.toLowerCase().replace(' ', '-')}.example`,
    phone: '',
    area_code: '',
    from: demoVisitor,
  })
  await approveMerchant(deps, { merchantId: merchant.id })
  return { merchantId: merchant.id, email }
}

/** Has a code mailed to a merchant, for a purpose of `emailCodePurpose`, and returns it as a proof. */
export async function requestMailedProof(
  deps: Deps,
  inbox: SandboxInbox,
  { merchantId, email }: DemoAccount,
  purpose: EmailCodePurpose,
) {
  const before = inbox.list(email)[0]
  await sendEmailCode(deps, {
    purpose,
    email: undefined,
    session: { merchantId, personId: merchantId },
    from: demoVisitor,
  })
  return { method: 'email' as const, code: await codeFor(inbox, email, before) }
}

/** Waits for a code mailed after `before`: mails are sent in the background. */
async function codeFor(inbox: SandboxInbox, email: string, before?: SandboxMessage): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const mail = inbox.list(email).find(({ id, code }) => id > (before?.id ?? 0) && code !== '')
    if (mail) return mail.code
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error('the code for the demo merchant did not arrive')
}
