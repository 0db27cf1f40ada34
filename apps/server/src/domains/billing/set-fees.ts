import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchant } from '../merchants/store.ts'

/** Fees in thousandths, at most this; null is the fee of the installation. */
const permilleMax = 100

/** Sets the fees of a merchant for payments and withdrawals from now on, and notifies it. Idempotent. */
export async function setFees(
  deps: Deps,
  input: { merchantId: string; payments: number | null; withdrawals: number | null },
): Promise<void> {
  const { merchantId, payments, withdrawals } = input
  for (const [field, value] of Object.entries({ payments, withdrawals }))
    if (value !== null && !(Number.isInteger(value) && value >= 0 && value <= permilleMax))
      throw new Refusal('parameter_error', {
        field,
        detail: {
          en: `thousandths from 0 to ${permilleMax}, or default`,
          'zh-CN': `千分比，0 至 ${permilleMax}，或 default`,
        },
      })
  const { feePermille, withdrawFeePermille } = deps.config
  const params = {
    payments: percent(payments ?? feePermille),
    withdrawals: percent(withdrawals ?? withdrawFeePermille),
  }
  const changed = await tx(deps.pool, async (c, uow) => {
    const merchant = await lockMerchant(c, merchantId)
    if (!merchant) throw new Refusal('merchant_not_exist')
    if (merchant.fee_permille === payments && merchant.withdraw_fee_permille === withdrawals) return undefined
    await changeMerchant(c, merchantId, { fee_permille: payments, withdraw_fee_permille: withdrawals })
    recordEvent(deps, uow, { merchantId, type: 'fees_changed', from: null, params })
    return merchant
  })
  if (changed) mailEvent(deps, changed, 'fees_changed', `${params.payments}, ${params.withdrawals}`)
}

const percent = (permille: number) => `${permille / 10}%`
