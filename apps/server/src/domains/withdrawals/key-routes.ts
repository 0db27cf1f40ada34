import { createHash } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { defineHandlers, type KeyHolder } from '../../http/context.ts'
import { cursorAnswer } from '../../kit/cursor.ts'
import { describeAllowedValues } from '../../kit/describe-allowed-values.ts'
import { Refusal } from '../../kit/refusal.ts'
import { listEnabledAssets, readPayableAsset } from '../chains/assets.ts'
import { merchantById } from '../merchants/store.ts'
import { readKeyCoolDown } from '../policies/policy.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import { listWithdrawals, readWithdrawal, withdrawalFile } from './list.ts'
import { serializeWithdrawal } from './notify.ts'
import { createOncePerNumber } from './once-per-number.ts'
import { requestWithdrawal } from './request-withdrawal.ts'
import { findWithdrawalByOutNo } from './store.ts'

/**
 * Refuses a key that, of a merchant without a second factor, has been able to pay out for too short a time: who reads
 * the mailbox can make one.
 */
export async function checkPayoutKey(deps: Deps, holder: Pick<KeyHolder, 'merchantId' | 'openedAt'>): Promise<void> {
  const merchant = await merchantById(deps.pool, holder.merchantId)
  const left = holder.openedAt + (merchant ? await readKeyCoolDown(deps, deps.pool, merchant) : 0) - deps.clock()
  if (left > 0) throw new Refusal('payouts_not_allowed', { detail: waits(left) })
}

const waits = (seconds: number) => {
  const hours = Math.ceil(seconds / 3_600)
  return {
    en: `without an authenticator or passkey, what a changed key or whitelist may pay waits; it opens in ${hours} h`,
    'zh-CN': `账号未绑定验证器或通行密钥，密钥或白名单变更后 ${hours} 小时内不可付款`,
  }
}

/** Identifies the body of a request, whatever the order of its fields. */
export const hashBody = (body: Record<string, unknown>): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(body).sort()))
    .digest()

/** Returns the number of a payout given by itself, or by the application's own as `out:...`. */
export async function findPayoutId(
  find: (outNo: string) => Promise<{ id: string } | undefined>,
  ref: string,
): Promise<string> {
  if (!ref.startsWith('out:')) return ref
  const row = await find(ref.slice(4))
  if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
  return row.id
}

/**
 * Returns the asset with this symbol on a chain, an enabled one or a sibling of one. Refuses any other, and lists the
 * enabled ones.
 */
async function assetIdOf({ pool }: Deps, chain: string, token: string): Promise<string> {
  const enabled = await listEnabledAssets(pool)
  const onChain = enabled.filter(each => each.chain_id === chain)
  const asset = onChain.find(each => each.symbol === token) ?? (await readPayableAsset(pool, `${chain}:${token}`))
  if (asset?.chain_id === chain && asset.symbol === token) return asset.id
  const [field, choices] = onChain[0]
    ? (['token', onChain.map(each => each.symbol)] as const)
    : (['chain', enabled.map(each => each.chain_id)] as const)
  throw new Refusal('currency_not_exist', { field, detail: describeAllowedValues(field, choices) })
}

/** Withdrawals in the merchant API. Each key sees those of its own application. */
export const withdrawalKeyHandlers = defineHandlers({
  'POST /api/v1/pay/withdrawals': async context => {
    const { deps, holder, body } = context
    const { out_no: outNo, chain, token, amount, address, remark } = body
    const { merchantId, appid, recheck } = holder
    const byKey = { appid, outNo, bodyHash: hashBody(body), recheck, madeBy: holder.madeBy }
    const id = await createOncePerNumber(deps, findWithdrawalByOutNo, merchantId, byKey, async () => {
      await checkPayoutKey(deps, holder)
      const assetId = await assetIdOf(deps, chain, token)
      return requestWithdrawal(deps, { merchantId, byKey, assetId, amount, address, remark, from: context })
    })
    return serializeWithdrawal((await readWithdrawal(deps.pool, merchantId, id))!)
  },

  'GET /api/v1/pay/withdrawals': async ({ deps, holder: { merchantId, appid }, query }) => {
    const { out_no, ...rest } = query
    const id = out_no && (await findWithdrawalByOutNo(deps.pool, merchantId, appid, out_no))?.id
    if (out_no && !id) return { list: [], total: 0, next_cursor: '' }
    const filter = { ...rest, appid, ...(id && { id }) }
    const list = { page: listWithdrawals, next: withdrawalFile.next }
    return cursorAnswer(deps.pool, list, { merchantId, filter }, query, serializeWithdrawal, row => row.created_at)
  },

  'GET /api/v1/pay/withdrawals/:id': async ({ deps: { pool }, holder: { merchantId, appid }, params }) => {
    const id = await findPayoutId(outNo => findWithdrawalByOutNo(pool, merchantId, appid, outNo), params.id)
    const row = await readWithdrawal(pool, merchantId, id)
    if (row?.appid !== appid) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    return serializeWithdrawal(row)
  },

  'POST /api/v1/pay/withdrawals/:id/cancel': async context => {
    const { deps, holder, params } = context
    const { merchantId, appid, recheck } = holder
    await cancelWithdrawal(deps, { merchantId, appid, id: params.id, from: context, recheck })
    return serializeWithdrawal((await readWithdrawal(deps.pool, merchantId, params.id))!)
  },
})
