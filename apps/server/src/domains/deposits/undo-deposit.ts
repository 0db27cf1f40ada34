import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'
import { readChainAssets } from '../chains/assets.ts'
import { lockChain } from '../chains/store.ts'
import { DepositBatch, readCreditReversal } from './deposit-batch.ts'
import { lockDeposit, readDeposit } from './store.ts'

/**
 * Reverses the postings of a doubted deposit that the operator has given up. Repeating it changes nothing. Throws
 * Refusal('insufficient_balance') when the merchant's balance is too low, and Refusal('operation_failed') when the
 * deposit is not in doubt.
 */
export function undoDeposit(
  deps: Deps,
  { depositId, agree }: { depositId: string; agree?: AgreementCheck },
): Promise<{ waits: boolean }> {
  return tx(deps.pool, async (c, uow) => {
    const found = await readDeposit(c, depositId)
    if (!found) throw new Refusal('transaction_not_exist')
    const chain = (await lockChain(c, found.chain_id))!
    const deposit = (await lockDeposit(c, depositId))!
    if (deposit.state === 'undone') return { waits: false }
    if (!deposit.doubted) throw new Refusal('operation_failed')
    if ((await agree?.(c)) === 'waits') return { waits: true }
    const reversal = await readCreditReversal(c, deposit)
    const batch = await DepositBatch.open(deps, uow, {
      chain,
      assets: await readChainAssets(c, chain.id),
      tradeNos: [deposit.trade_no],
      now: deps.clock(),
    })
    batch.undo(deposit, reversal)
    await batch.save()
    return { waits: false }
  })
}
