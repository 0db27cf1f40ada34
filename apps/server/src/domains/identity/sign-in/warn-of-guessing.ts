import type { Deps } from '../../../deps.ts'
import type { UnitOfWork } from '../../../kit/unit-of-work.ts'
import { deviceName, plainIp, type Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { sendEventMail } from '../../merchants/mails.ts'
import type { Merchant } from '../../merchants/store.ts'
import { createWorkPassLink } from '../work/work.ts'

/** Records that the password of a merchant's person is guessed, and returns what mails it. */
export function warnOfGuessing(deps: Deps, uow: UnitOfWork, merchant: Merchant, from: Visitor): () => void {
  const { id: merchantId, person_id: personId } = merchant
  recordEvent(deps, uow, { merchantId, personId, type: 'password_guessed', from })
  const who = `${plainIp(from.ip)} ${deviceName(from.device)}`.trim()
  const link = createWorkPassLink(deps, merchant.email)
  return () =>
    sendEventMail(deps, merchant, 'password_guessed', {
      en: `${who}\n\nIf you want to sign in while this goes on, open this link in the browser that you use (valid for 24 hours):\n${link}`,
      'zh-CN': `${who}\n\n如需在此期间登录，请在您使用的浏览器中打开以下链接（24 小时内有效）：\n${link}`,
    })
}
