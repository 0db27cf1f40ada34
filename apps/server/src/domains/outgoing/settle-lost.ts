import { type Chain, isChainError, type Receipt } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { type ChainRow, lockChain } from '../chains/store.ts'
import { inBlock } from './advance.ts'
import { attemptsOf, forgetOwn, type Lost, lostOwn, setAbsent } from './own-store.ts'
import { type ExpiringChain, expires, type Sender } from './sender.ts'
import { certainOf, settleNotes } from './settle.ts'
import type { Attempt } from './store.ts'

/**
 * Settles transactions again that had ended when a deep reorg took them out of their blocks, so that the balances of deposit
 * addresses are compared with what these moved: each in the final block that has it now. Of one that is in no block it is
 * noted up to which height; where transactions expire, it is forgotten.
 * @param followed the chain, as its final block was read
 */
export async function settleLost(deps: Pick<Deps, 'pool'>, chain: Sender, followed: ChainRow): Promise<void> {
  if (followed.halted !== null || followed.final_number < 0) return
  for (const row of await lostOwn(deps.pool, followed.id))
    try {
      await settleOne(deps, chain, row, followed.final_number)
    } catch (error) {
      // Nodes give no answer about this one: the others are settled.
      if (!isChainError(error)) throw error
    }
}

async function settleOne(deps: Pick<Deps, 'pool'>, chain: Sender, row: Lost, final: number): Promise<void> {
  const attempts = await attemptsOf(deps.pool, row.chain_id, row.from_address, row.nonce)
  const found = await inBlock(chain, attempts)
  const isNamed = found !== null && found !== 'disputed'
  const isDeep = isNamed && (await chain.agreesOn(found.block, chain.definition.confirmations))
  const receipt = isDeep ? await certainOf(chain, found) : null
  if (receipt) await settleAgain(deps, row, attempts, receipt)
  else if (expires(chain)) await forgetDropped(deps, chain, attempts)
  else if (found === null) await noteAbsent(deps, chain, attempts, final)
}

const settleAgain = (deps: Pick<Deps, 'pool'>, row: Lost, attempts: readonly Attempt[], receipt: Receipt) =>
  whileFinal(deps, row.chain_id, receipt.blockNumber, async c => {
    await settleNotes(c, row, attempts, receipt)
  })

/** Notes that a transaction is in no block up to the final one, as most nodes report. It may be mined later. */
async function noteAbsent(
  deps: Pick<Deps, 'pool'>,
  chain: Chain,
  attempts: readonly Attempt[],
  final: number,
): Promise<void> {
  // guard: lost-absent
  for (const { txid } of attempts) if (!(await chain.isUnknown(txid))) return
  const { id } = chain.definition
  await whileFinal(deps, id, final, async c => {
    await setAbsent(
      c,
      id,
      attempts.map(each => each.txid),
      final,
    )
  })
}

/** Forgets a transaction of which no attempt can be in a block any more. */
async function forgetDropped(
  deps: Pick<Deps, 'pool'>,
  { definition: { id }, expiring }: ExpiringChain,
  attempts: readonly Attempt[],
): Promise<void> {
  for (const { txid, expires } of attempts) if (!(await expiring.whetherDropped(txid, expires!)).isDropped) return
  await forgetOwn(
    deps.pool,
    id,
    attempts.map(each => each.txid),
  )
}

/** Runs a change, unless the chain is no longer final up to a height: a deep reorg halted or unwound it meanwhile. */
const whileFinal = (
  deps: Pick<Deps, 'pool'>,
  chainId: string,
  height: number,
  change: (c: Queryable) => Promise<void>,
) =>
  tx(deps.pool, async c => {
    const chain = await lockChain(c, chainId)
    if (chain && chain.halted === null && chain.final_number >= height) await change(c)
  })
