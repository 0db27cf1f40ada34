import { chainAdapters } from '@coffer/chains'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { isSibling, readChainAssets } from '../chains/assets.ts'
import { lockChain } from '../chains/store.ts'
import { requirePayableDestination } from '../destinations/explain-destination.ts'
import { readPayoutAsset } from '../withdrawals/payout-asset.ts'
import { queueDepositReturn } from '../withdrawals/queue-deposit-return.ts'
import { quotePayout } from '../withdrawals/quote.ts'
import { findReturnWithdrawal } from '../withdrawals/store.ts'
import { DepositBatch } from './deposit-batch.ts'
import { lockDeposit, readDeposit, type StoredDeposit } from './store.ts'

interface Decision {
  depositId: string
  /** The amount that was decided about, in base units; by default the present one. */
  amount?: bigint
  agree?: AgreementCheck
}

const notWaiting = () => new Refusal('operation_failed', { field: 'deposit' })

/**
 * Credits a deposit of a sibling of a token that waits for an operator, in the sibling: it pays no order, and can be
 * withdrawn. Repeating it changes nothing. Throws Refusal('operation_failed') when the deposit does not wait, or is of
 * another amount.
 */
export const creditSiblingDeposit = (deps: Deps, { depositId, amount, agree }: Decision): Promise<{ waits: boolean }> =>
  tx(deps.pool, (_, uow) =>
    decide(deps, uow, {
      depositId,
      amount,
      agree,
      isDone: async deposit => deposit.state === 'credited' && !deposit.returned,
      carry: async (batch, deposit) => batch.credit(deposit),
    }),
  )

/**
 * Gives a deposit of a sibling of a token back to its sender, less the gas of the payout, by a withdrawal that is paid
 * as all others are. Repeating it changes nothing. Throws Refusal('operation_failed') when the deposit does not wait or
 * its sender is not known, and refuses what a withdrawal to the sender would be refused for.
 */
export async function returnSiblingDeposit(
  deps: Deps,
  { depositId, amount, who, agree }: Decision & { who: string },
): Promise<{ waits: boolean; id: string }> {
  const found = await mustRead(deps.pool, depositId)
  const before = await payingBack(deps.pool, depositId)
  if (before) return { waits: false, id: before }
  if (found.state !== 'seen' || found.from_address === '') throw notWaiting()
  const asset = await readPayoutAsset(deps, found.asset_id)
  const shown = chainAdapters[asset.kind].address.show(found.from_address)
  const destination = await requirePayableDestination(deps, found.merchant_id, asset, shown, true)
  const quote = await quotePayout(deps, asset)
  return tx(deps.pool, async (c, uow) => {
    let id = ''
    const { waits } = await decide(deps, uow, {
      depositId,
      amount: amount ?? found.amount,
      agree,
      isDone: async () => {
        id = (await payingBack(c, depositId)) ?? ''
        return id !== ''
      },
      carry: async (batch, deposit) => {
        // A reorg may have replaced what was read.
        if (deposit.from_address !== found.from_address) throw notWaiting()
        batch.creditToReturn(deposit)
        id = await queueDepositReturn(uow, { deposit, asset, destination, quote, who, now: deps.clock() })
      },
    })
    return { waits, id }
  })
}

/** The withdrawal that gives a deposit back, unless it was canceled: then the merchant has it. */
async function payingBack(c: Queryable, depositId: string): Promise<string | undefined> {
  const found = await findReturnWithdrawal(c, depositId)
  return found?.status === withdrawalStatus.canceled ? undefined : found?.id
}

async function mustRead(c: Queryable, depositId: string): Promise<StoredDeposit> {
  const found = await readDeposit(c, depositId)
  if (!found) throw new Refusal('transaction_not_exist')
  return found
}

/** Locks a deposit of a sibling and, if it waits and enough operators agree, carries the decision out. */
async function decide(
  deps: Deps,
  uow: UnitOfWork,
  of: {
    depositId: string
    amount: bigint | undefined
    agree: AgreementCheck | undefined
    isDone: (deposit: StoredDeposit) => Promise<boolean>
    carry: (batch: DepositBatch, deposit: StoredDeposit) => Promise<void>
  },
): Promise<{ waits: boolean }> {
  const { c } = uow
  const found = await mustRead(c, of.depositId)
  const chain = (await lockChain(c, found.chain_id))!
  const deposit = (await lockDeposit(c, of.depositId))!
  if (await of.isDone(deposit)) return { waits: false }
  const assets = await readChainAssets(c, chain.id)
  const asset = assets.get(deposit.asset_id)
  // guard: sibling-once
  if (!asset || !isSibling(asset) || deposit.state !== 'seen' || deposit.held_at === null) throw notWaiting()
  // guard: sibling-amount
  if (of.amount !== undefined && of.amount !== deposit.amount) throw notWaiting()
  if (chain.halted) throw new Refusal('chain_unavailable')
  if ((await of.agree?.(c)) === 'waits') return { waits: true }
  const batch = await DepositBatch.open(deps, uow, {
    chain,
    assets,
    tradeNos: [deposit.trade_no],
    now: deps.clock(),
  })
  await of.carry(batch, deposit)
  await batch.save()
  return { waits: false }
}
