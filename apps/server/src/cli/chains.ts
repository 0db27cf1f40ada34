import { checkLedger } from '../commands/check-ledger.ts'
import { resumeChain } from '../commands/resume-chain.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../platform/problem.ts'
import { listChains } from '../store/chains.ts'
import { table } from './table.ts'

/** How far each chain was read, how old that is, and what halted it. */
export async function chainStatus(deps: Deps): Promise<string> {
  const now = deps.clock()
  const rows = await listChains(deps.pool)
  return table(
    ['CHAIN', 'READ', 'HEAD', 'FINAL', 'HEARD', 'STATE'],
    rows.map(({ id, last_number, head_number, final_number, read_at, halted, enabled }) => [
      id,
      last_number === null ? '-' : String(last_number),
      String(head_number),
      String(final_number),
      read_at === 0 ? 'never' : `${now - read_at} s ago`,
      halted ? `halted: ${halted}` : enabled ? 'ok' : 'not configured',
    ]),
  )
}

/** Throws a Problem that names every law that does not hold. */
export async function ledgerCheck(deps: Deps): Promise<string> {
  const broken = await checkLedger(deps)
  if (broken.length > 0)
    throw new Problem(`the books do not hold:\n${broken.map(each => JSON.stringify(each)).join('\n')}`)
  return 'The books hold.'
}

/** Lets a chain go on that a deep reorg halted, once the operator has looked at it. */
export async function chainResume(deps: Deps, chainId = ''): Promise<string> {
  const { number } = await resumeChain(deps, { chainId })
  return `${chainId} goes on from block ${number}`
}
