import { feeBpsMax, formatBasisPoints } from '@coffer/contract/kit/basis-points.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { sendEventMail } from '../merchants/mails.ts'
import { changeMerchant, lockMerchant } from '../merchants/store.ts'

/**
 * Sets the fees of a merchant, in hundredths of a percent (null: those of the installation), for payments and
 * withdrawals from now on, and notifies it. Idempotent.
 */
export async function setFees(
  deps: Deps,
  input: { merchantId: string; payments: number | null; withdrawals: number | null },
): Promise<void> {
  const { merchantId, payments, withdrawals } = input
  for (const [field, value] of Object.entries({ payments, withdrawals }))
    if (value !== null && !(Number.isInteger(value) && value >= 0 && value <= feeBpsMax))
      throw new Refusal('parameter_error', {
        field,
        detail: {
          en: `from 0% to ${feeBpsMax / 100}% with at most two decimals, or default`,
          'zh-CN': `0% 至 ${feeBpsMax / 100}%，最多两位小数，或 default`,
        },
      })
  const { feeBps, withdrawFeeBps } = deps.config
  const params = {
    payments: formatBasisPoints(payments ?? feeBps),
    withdrawals: formatBasisPoints(withdrawals ?? withdrawFeeBps),
  }
  const changed = await tx(deps.pool, async (c, uow) => {
    const merchant = await lockMerchant(c, merchantId)
    if (!merchant) throw new Refusal('merchant_not_exist')
    if (merchant.fee_bps === payments && merchant.withdraw_fee_bps === withdrawals) return undefined
    await changeMerchant(c, merchantId, { fee_bps: payments, withdraw_fee_bps: withdrawals })
    recordEvent(deps, uow, { merchantId, type: 'fees_changed', from: null, params })
    return merchant
  })
  if (changed) sendEventMail(deps, changed, 'fees_changed', `${params.payments}, ${params.withdrawals}`)
}
