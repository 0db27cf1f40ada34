import { setTimeout as sleep } from 'node:timers/promises'
import { tradeNo } from '@coffer/contract/kit/schemas.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { readChain } from '../domains/chains/store.ts'
import { resumeChain } from '../domains/deposits/resume-chain.ts'
import { first } from '../kit/db.ts'
import { Refusal } from '../kit/refusal.ts'
import type { SandboxWallet } from './wallet.ts'

const reverseBody = z.strictObject({ trade_no: tradeNo })

/** How long the follower may take to notice that final blocks are gone (ms). */
const patience = { maxMs: 30_000, stepMs: 100 }

const credited = first(
  'sandbox-credited',
  `select chain_id, min(block_number) as block from deposits where trade_no = $1 and state = 'credited' group by chain_id limit 1`,
)

/** Mounts `POST /sandbox/reverse`, which has the chain lose the final transfers of a payment. */
export function mountPaymentReorg(app: FastifyInstance, deps: Deps, wallet: SandboxWallet): void {
  app.post('/sandbox/reverse', async request => {
    const { trade_no } = reverseBody.parse(request.body, { reportInput: true })
    await reorgPayment(deps, wallet, trade_no)
    return { code: 200, data: { trade_no } }
  })
}

/**
 * Reverts a chain to before the first credited transfer of a payment, and resumes it, as an operator would, once that
 * halted it. The payment is in doubt then, like all others that the lost blocks paid.
 */
export async function reorgPayment(deps: Deps, wallet: SandboxWallet, trade_no: string): Promise<void> {
  const found = await credited(deps.pool, trade_no)
  if (!found) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
  const isHalted = async () => (await readChain(deps.pool, found.chain_id))?.halted
  if (await isHalted()) throw new Refusal('chain_unavailable')
  await wallet.revert(found.chain_id, Number(found.block))
  for (let waited = 0; !(await isHalted()); waited += patience.stepMs) {
    if (waited >= patience.maxMs) throw new Refusal('operation_failed')
    await sleep(patience.stepMs)
  }
  await resumeChain(deps, { chainId: found.chain_id })
}
