import { freezeMerchant, unfreezeMerchant } from '../commands/freeze-merchant.ts'
import { approveMerchant, refuseMerchant } from '../commands/review-merchant.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../platform/problem.ts'
import { listMerchants, merchantByMchid } from '../store/merchants.ts'
import { table } from './table.ts'

const states = ['not opened', 'primary audit', 'advanced audit', 'approved', 'failed audit', 'abnormal']
const waits = (status: number) => status === 1 || status === 2

/** Every merchant, those that wait for a review first. */
export async function listAll(deps: Deps): Promise<string> {
  const rows = await listMerchants(deps.pool)
  if (rows.length === 0) return 'There are no merchants yet.'
  const sorted = rows.toSorted((a, b) => Number(waits(b.status)) - Number(waits(a.status)))
  return table(
    ['MCHID', 'STATUS', 'NAME', 'E-MAIL', 'SINCE'],
    sorted.map(({ mchid, status, frozen, name, email, created_at }) => [
      mchid,
      frozen ? 'frozen' : (states[status] ?? String(status)),
      name || '-',
      email,
      new Date(created_at * 1000).toISOString().slice(0, 10),
    ]),
  )
}

/** Decides about one merchant. Throws a Problem when the id or a reason is missing, a Refusal when it cannot be. */
export async function review(
  deps: Deps,
  verb: 'approve' | 'refuse' | 'freeze' | 'unfreeze',
  mchid = '',
  reason = '',
): Promise<string> {
  const merchant = await merchantByMchid(deps.pool, mchid)
  if (!merchant) throw new Problem(`there is no merchant "${mchid}": npm run coffer -- merchant list shows their ids`)
  const input = { merchantId: merchant.id }
  if (verb === 'refuse' && reason.trim() === '')
    throw new Problem('refusing needs a reason, which the merchant will read')
  if (verb === 'approve') await approveMerchant(deps, input)
  if (verb === 'refuse') await refuseMerchant(deps, { ...input, reason })
  if (verb === 'freeze') await freezeMerchant(deps, input)
  if (verb === 'unfreeze') await unfreezeMerchant(deps, input)
  return `${merchant.mchid} ${merchant.name || merchant.email}: ${verb === 'refuse' ? 'refused' : verb === 'approve' ? 'approved' : `${verb.replace('freeze', 'frozen')}`}`
}
