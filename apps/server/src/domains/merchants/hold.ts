import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Merchant } from './store.ts'

type Held = Pick<Merchant, 'held_at' | 'factor_changed_at'>

/**
 * Returns why nothing may leave a merchant's account now: a reported foreign sign-in, or a factor that changed lately, a reset password
 * or a sign-in by the mailbox alone; null if nothing holds it.
 */
export function holdReason(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  merchant: Held,
): Record<Language, string> | null {
  if (merchant.held_at > 0)
    return {
      en: 'you reported a foreign sign-in; contact the operator',
      'zh-CN': '您已报告非本人登录，请联系运营方解除',
    }
  const free = merchant.factor_changed_at + config.withdrawHoldHours * 3_600
  if (merchant.factor_changed_at === 0 || free <= clock()) return null
  const hours = Math.ceil((free - clock()) / 3_600)
  return {
    en: `your password, verification methods or devices changed lately; withdrawals, refunds, transfers and new keys open in ${hours} h`,
    'zh-CN': `密码、验证方式或登录设备近期有变更，${hours} 小时后可提现、退款、划转及新建密钥`,
  }
}

/** Refuses new keys while nothing may leave the account. Throws Refusal('account_held'). */
export function mustNotBeHeld(deps: Pick<Deps, 'config' | 'clock'>, merchant: Held): void {
  const detail = holdReason(deps, merchant)
  if (detail) throw new Refusal('account_held', { detail })
}
