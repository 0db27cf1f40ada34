import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { createApplication } from '@coffer/server/commands/create-application.ts'
import { register } from '@coffer/server/commands/register.ts'
import { requestOpening } from '@coffer/server/commands/request-opening.ts'
import { approveMerchant } from '@coffer/server/commands/review-merchant.ts'
import { sendEmailCode } from '@coffer/server/commands/send-email-code.ts'
import type { Deps } from '@coffer/server/deps.ts'
import type { Inbox } from '@coffer/server/sandbox/inbox.ts'
import { merchantByEmail } from '@coffer/server/store/merchants.ts'

const from = { ip: '127.0.0.1', device: 'torture', language: 'en-US' } as const

/** A merchant with one application whose callbacks go to `notifyUrl`; gives the application's secrets. */
export async function openShop(deps: Deps, inbox: Inbox, notifyUrl: string) {
  const [email, password] = ['torture@coffer.example', 'Correct1Horse']
  await sendEmailCode(deps, { purpose: emailCodePurpose.register, email, merchantId: null, from })
  let code: string | undefined
  while (!code) {
    await new Promise(resolve => setTimeout(resolve, 20))
    code = inbox.list(email)[0]?.code
  }
  await register(deps, { email, code, password, confirm_password: password, from })
  const merchant = await merchantByEmail(deps.pool, email)
  if (!merchant) throw new Error('the merchant was not registered')
  await requestOpening(deps, {
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
  return createApplication(deps, {
    merchantId: merchant.id,
    settings: { name: 'Torture', notify_url: notifyUrl },
    from,
  })
}
