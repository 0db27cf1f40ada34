import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '@coffer/server/deps.ts'
import { createApplication } from '@coffer/server/domains/applications/create-application.ts'
import { sendEmailCode } from '@coffer/server/domains/identity/codes/send-code.ts'
import { register } from '@coffer/server/domains/identity/sign-in/register.ts'
import { merchantByEmail } from '@coffer/server/domains/merchants/store.ts'
import { requestMerchantPermission } from '@coffer/server/domains/onboarding/request-merchant-permission.ts'
import { approveMerchant } from '@coffer/server/domains/onboarding/review-merchant.ts'
import type { SandboxInbox } from '@coffer/server/sandbox/inbox.ts'

const from = { ip: '127.0.0.1', device: 'torture', language: 'en' } as const

/**
 * Creates a merchant with one application whose callbacks go to `notifyUrl`. Returns the application's secrets, and the
 * token of the merchant's session.
 */
export async function openShop(deps: Deps, inbox: SandboxInbox, notifyUrl: string) {
  const email = 'torture@coffer.example'
  const password = 'Correct1Horse'
  await sendEmailCode(deps, { purpose: emailCodePurpose.register, email, session: null, from })
  let code: string | undefined
  while (!code) {
    await new Promise(resolve => setTimeout(resolve, 20))
    code = inbox.list(email)[0]?.code
  }
  const { token } = await register(deps, { email, code, password, confirm_password: password, from })
  const merchant = await merchantByEmail(deps.pool, email)
  if (!merchant) throw new Error('the merchant was not registered')
  await requestMerchantPermission(deps, {
    merchantId: merchant.id,
    name: 'Torture',
    time_zone: 'Europe/Berlin',
    address: { street: 'Lane 1', city: 'Berlin', country: 'Germany' },
    socials: { telegram: '', twitter: '', facebook: '' },
    website: 'https://shop.example',
    phone: '',
    area_code: '',
    from,
  })
  await approveMerchant(deps, { merchantId: merchant.id })
  await sendEmailCode(deps, {
    purpose: emailCodePurpose.application,
    email,
    session: { merchantId: merchant.id, personId: merchant.id },
    from,
  })
  const secrets = await createApplication(deps, {
    merchantId: merchant.id,
    settings: {
      name: 'Torture',
      notify_url: notifyUrl,
      payouts_allowed: true,
      refunds_allowed: true,
      ip_whitelist_enabled: true,
      ip_whitelist: ['127.0.0.1'],
    },
    proof: { method: 'email', code: inbox.list(email)[0]!.code! },
    from,
  })
  return { ...secrets, token }
}
