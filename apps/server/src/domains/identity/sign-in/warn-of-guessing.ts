import type { Deps } from '../../../deps.ts'
import { tx } from '../../../kit/db.ts'
import { countCall } from '../../../kit/throttle.ts'
import { deviceName, plainIp, type Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { sendEventMail } from '../../merchants/mails.ts'
import type { Merchant } from '../../merchants/store.ts'
import { createWorkPassLink } from '../work/work.ts'

/** Wrong passwords a day after which the owner is notified, once in that day. */
const warnAfter = 10
const daySeconds = 86_400

/**
 * Counts a wrong password and, after ten in a day, notifies the owner once. Does not wait: the time of a refused
 * sign-in must not reveal whether the account exists.
 */
export function warnOfGuessing(deps: Deps, merchant: Merchant, from: Visitor): void {
  const warn = async () => {
    if ((await countCall(deps, `wrong passwords ${merchant.person_id}`, daySeconds)) < warnAfter) return
    const warned = await tx(deps.pool, async (c, uow) => {
      if ((await countCall({ ...deps, pool: c }, `guessing notice ${merchant.person_id}`, daySeconds)) > 1) return false
      const { id: merchantId, person_id: personId } = merchant
      recordEvent(deps, uow, { merchantId, personId, type: 'password_guessed', from })
      return true
    })
    if (!warned) return
    const who = `${plainIp(from.ip)} ${deviceName(from.device)}`.trim()
    const link = createWorkPassLink(deps, merchant.email)
    sendEventMail(deps, merchant, 'password_guessed', {
      en: `${who}\n\nIf you want to sign in while this goes on, open this link in the browser that you use (valid for 24 hours):\n${link}`,
      'zh-CN': `${who}\n\n如需在此期间登录，请在您使用的浏览器中打开以下链接（24 小时内有效）：\n${link}`,
    })
  }
  warn().catch(error => deps.log.error({ err: error }, 'the owner was not told of wrong passwords'))
}
