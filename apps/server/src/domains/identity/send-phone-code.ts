import { merchantStatus, phoneCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle, throttleIp } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { codeMessage } from '../merchants/mails.ts'
import { merchantById } from '../merchants/store.ts'
import { phoneTarget } from './check-proof.ts'
import { dropCode } from './codes.ts'
import { codeTimes, newCode } from './send-email-code.ts'

const fromOneNetwork = { max: 20, seconds: 3_600 }
const byOneMerchant = { max: 20, seconds: 3_600 }
const toOnePhone = { max: 10, seconds: 3_600 }
/** Shared limit for unapproved merchants. Accounts are free, but messages to premium numbers are not. */
const byNewcomers = { max: 60, seconds: 3_600 }

/**
 * Sends a 6-digit code to a phone. Requires a session, because text messages cost money. A code to bind or change a phone
 * goes to the given number. A code to confirm a withdrawal goes to the bound number, whatever number is given.
 */
export async function sendPhoneCode(
  deps: Deps,
  input: {
    purpose: number
    phone: string | undefined
    area_code: string | undefined
    merchantId: string | null
    from: Visitor
  },
): Promise<typeof codeTimes> {
  const merchant = input.merchantId === null ? undefined : await merchantById(deps.pool, input.merchantId)
  if (!merchant) throw new Refusal('login_expired')
  const key = { channel: 'phone' as const, target: targetOf(merchant, input), purpose: storedPurpose(input.purpose) }
  await throttleIp(deps, 'phone code', input.from.ip, fromOneNetwork)
  await throttle(deps, `phone code by ${merchant.id}`, byOneMerchant)
  await throttle(deps, `phone code to ${key.target}`, toOnePhone)
  if (merchant.status !== merchantStatus.approved) await throttle(deps, 'phone code by newcomers', byNewcomers)
  const { code, hash } = await newCode(deps, key, merchant.id)
  try {
    await deps.text.send({ to: key.target, text: codeMessage(input.from.language, code) })
  } catch (error) {
    await dropCode(deps.pool, key, hash)
    deps.log.error({ err: error }, 'text message not sent')
    throw new Refusal('busy')
  }
  return codeTimes
}

/** Returns the purpose under which a code is stored. Binding and changing a phone share one: both verify the number. */
export const storedPurpose = (purpose: number): number =>
  purpose === phoneCodePurpose.updatePhone ? phoneCodePurpose.bindPhone : purpose

function targetOf(
  merchant: { phone: string; area_code: string; phone_verified: boolean },
  input: { purpose: number; phone: string | undefined; area_code: string | undefined },
): string {
  if (input.purpose === phoneCodePurpose.withdrawal) {
    if (!merchant.phone_verified) throw new Refusal('not_bound')
    return phoneTarget(merchant.area_code, merchant.phone)
  }
  if (!input.area_code) throw new Refusal('area_code_needed', { field: 'area_code' })
  if (!input.phone) throw new Refusal('phone_and_area_code', { field: 'phone' })
  return phoneTarget(input.area_code, input.phone)
}
