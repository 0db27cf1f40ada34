import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { createApplication } from '../../domains/applications/create-application.ts'
import { register } from '../../domains/identity/register.ts'
import { sendEmailCode } from '../../domains/identity/send-code.ts'
import { merchantByEmail } from '../../domains/merchants/store.ts'
import { requestOpening } from '../../domains/onboarding/request-opening.ts'
import { approveMerchant } from '../../domains/onboarding/review-merchant.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { Inbox } from '../inbox.ts'

/** Credentials of the demo's merchant. */
export const demoLogin = { email: 'demo@coffer.example', password: 'Coffee2Demo' }

export interface Shop {
  merchantId: string
  applications: { appid: string; name: string }[]
}

const from: Visitor = { ip: '127.0.0.1', device: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', language: 'en' }

/** Registers the demo's merchant, has it approved and creates two applications. */
export async function openShop(deps: Deps, inbox: Inbox, notifyUrl: string): Promise<Shop> {
  const { email, password } = demoLogin
  await sendEmailCode(deps, { purpose: emailCodePurpose.register, email, merchantId: null, from })
  const code = await codeFor(inbox, email)
  await register(deps, { email, code, password, confirm_password: password, from })
  const merchant = await merchantByEmail(deps.pool, email)
  if (!merchant) throw new Refusal('account_not_exist')
  await requestOpening(deps, {
    merchantId: merchant.id,
    name: 'Aurora Coffee',
    time_zone: 'Europe/Berlin',
    address: { street: 'Lindenstraße 12', city: 'Berlin', country: 'Germany' },
    socials: { telegram: '', twitter: '', facebook: '' },
    website: 'https://aurora-coffee.example',
    phone: '',
    area_code: '',
    from,
  })
  await approveMerchant(deps, { merchantId: merchant.id })
  const applications = []
  for (const name of ['Aurora online shop', 'Wholesale portal']) {
    const { appid } = await createApplication(deps, {
      merchantId: merchant.id,
      settings: { name, notify_url: notifyUrl },
      proof: await mailedProof(deps, inbox, merchant),
      from,
    })
    applications.push({ appid, name })
  }
  return { merchantId: merchant.id, applications }
}

async function mailedProof(deps: Deps, inbox: Inbox, { id: merchantId, email }: { id: string; email: string }) {
  await sendEmailCode(deps, { purpose: emailCodePurpose.application, email: undefined, merchantId, from })
  return { method: 'email' as const, code: await codeFor(inbox, email) }
}

/** Waits for the mailed code: mails are sent in the background. */
async function codeFor(inbox: Inbox, email: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const code = inbox.list(email)[0]?.code
    if (code) return code
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error('the code for the demo merchant did not arrive')
}
