import { isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { type ChainRow, lockChain } from '../chains/store.ts'
import { findInBlock } from './advance.ts'
import { createSendingFor } from './kinds.ts'
import {
  deleteOwnTransactions,
  listLostOwnTransactions,
  listOutgoingAttempts,
  setOwnTransactionsAbsent,
} from './own-store.ts'
import type { PayableChain } from './sender.ts'
import type { OutgoingAttempt } from './store.ts'

/**
 * Notes up to which height transactions that a deep reorg took out of their blocks are in none, so that the balances of
 * deposit addresses are compared without what they moved. Where transactions expire, those that are void are forgotten.
 * @param followed the chain, as its final block was read
 */
export async function recordAbsentTransactions(
  deps: Pick<Deps, 'pool'>,
  chain: PayableChain,
  followed: ChainRow,
): Promise<void> {
  const { id, halted, final_number: final } = followed
  if (halted !== null || final < 0) return
  for (const { from_address, nonce } of await listLostOwnTransactions(deps.pool, id)) {
    const attempts = await listOutgoingAttempts(deps.pool, id, from_address, nonce)
    try {
      await noteOne(deps, chain, attempts, final)
    } catch (error) {
      // Nodes give no answer about this one: the others are looked for.
      if (!isChainError(error)) throw error
    }
  }
}

/**
 * Notes that a transaction is in no block up to the final one, as most nodes report: it may be mined later. Forgets it
 * if no attempt can be in a block any more.
 */
async function noteOne(
  { pool }: Pick<Deps, 'pool'>,
  chain: PayableChain,
  attempts: readonly OutgoingAttempt[],
  final: number,
): Promise<void> {
  const { id } = chain.definition
  const txids = attempts.map(each => each.txid)
  const sending = createSendingFor(chain)
  const found = await sending.findLost(attempts)
  if (found === 'dropped') await deleteOwnTransactions(pool, id, txids)
  if (found !== 'absent' || (await findInBlock(chain, sending, attempts)) !== null) return
  await tx(pool, async c => {
    const now = await lockChain(c, id)
    // A deep reorg halted or unwound it meanwhile.
    if (!now || now.halted !== null || now.final_number < final) return
    await setOwnTransactionsAbsent(c, id, txids, final)
  })
}
