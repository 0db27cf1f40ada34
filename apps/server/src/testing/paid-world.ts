import { chainAdapters } from '@coffer/chains'
import { availableAccount, groupPostings, houseAccount, makePosting } from '@coffer/core'
import { insertTicket } from '../domains/identity/store.ts'
import { reconcileChain } from '../domains/ledger/reconcile.ts'
import { postEntries } from '../domains/ledger/store.ts'
import { withdrawalOwner } from '../domains/withdrawals/owner.ts'
import { requestWithdrawal } from '../domains/withdrawals/request-withdrawal.ts'
import { hashSecret, newSecret } from '../kit/secrets.ts'
import { visitor } from './merchants.ts'
import { firstRow } from './money.ts'
import { payoutWorld } from './payout-world.ts'

const usdt = 'eth:USDT'

/** A payout world whose owner of payouts are withdrawals, with a merchant who has the wallet's 1,000 USDT. */
export async function paidWorld(t: Parameters<typeof payoutWorld>[0]) {
  const w = await payoutWorld(t)
  w.owners.withdrawal = withdrawalOwner(w.deps)
  const funds = makePosting(
    'adjustment',
    houseAccount('chain', usdt),
    availableAccount(w.merchant.id, usdt),
    1_000_000_000n,
  )
  await postEntries(w.deps.pool, [{ group: groupPostings('test:funds', [funds]) }], w.deps.clock())
  const withdraw = async (amount: string, to: string) => {
    const ticket = newSecret()
    await insertTicket(w.deps.pool, hashSecret(ticket), w.merchant.id, 'withdrawal', w.deps.clock() + 300)
    return requestWithdrawal(w.deps, {
      merchantId: w.merchant.id,
      assetId: usdt,
      address: chainAdapters.evm.address.show(to),
      amount,
      proof: { method: 'ticket', code: ticket },
      from: visitor,
    })
  }
  const read = (id: string) => firstRow(w.deps.owner, 'select * from withdrawals where id = $1', [id])
  const statusOf = async (id: string) => (await read(id)).status
  const totals = async () => (await reconcileChain(w.deps, w.chain)).find(each => each.asset_id === usdt)!
  return { ...w, withdraw, read, statusOf, totals }
}
