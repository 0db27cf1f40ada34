import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Merchant } from './store.ts'

type Held = Pick<Merchant, 'held_at' | 'factor_changed_at'>

/**
 * What holds money: a reported foreign sign-in, until the operator lifts it (`until` is 0), or what changed lately;
 * null if nothing does. Times are Unix seconds.
 */
export function findAccountHold(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { held_at, factor_changed_at }: Held,
): { cause: 'reported' | 'changed'; since: number; until: number } | null {
  if (held_at > 0) return { cause: 'reported', since: held_at, until: 0 }
  const until = factor_changed_at + config.withdrawHoldHours * 3_600
  if (factor_changed_at === 0 || until <= clock()) return null
  return { cause: 'changed', since: factor_changed_at, until }
}

/**
 * Returns why nothing may leave a merchant's account now: a reported foreign sign-in, or a factor that changed lately,
 * a reset password or a sign-in by the mailbox alone; null if nothing holds it.
 */
export function formatHoldReason(
  deps: Pick<Deps, 'config' | 'clock'>,
  merchant: Held,
): Record<Language, string> | null {
  const hold = findAccountHold(deps, merchant)
  if (hold?.cause === 'reported')
    return {
      en: 'you reported a suspicious sign-in; contact the operator',
      'zh-CN': '您已报告非本人登录，请联系运营方解除',
    }
  if (hold === null) return null
  const hours = Math.ceil((hold.until - deps.clock()) / 3_600)
  return {
    en: `your password, verification methods or devices changed lately; withdrawals, refunds, transfers and new keys open in ${hours} h`,
    'zh-CN': `密码、验证方式或登录设备近期有变更，${hours} 小时后可提现、退款、划转及新建密钥`,
  }
}

/** Refuses new keys while nothing may leave the account. Throws Refusal('account_held'). */
export function assertAccountNotHeld(deps: Pick<Deps, 'config' | 'clock'>, merchant: Held): void {
  const detail = formatHoldReason(deps, merchant)
  if (detail) throw new Refusal('account_held', { detail })
}
