import { askReread } from '../domains/chains/ask-reread.ts'
import { type Delay, delayOf } from '../domains/chains/chain-delay.ts'
import { allChains, type ChainRow, openIncidents, readSwitch } from '../domains/chains/store.ts'
import { resumeChain } from '../domains/deposits/resume-chain.ts'
import { undoDeposit } from '../domains/deposits/undo-deposit.ts'
import { Refusal } from '../kit/refusal.ts'
import { type Command, table, timeText } from './command.ts'

const delays: Record<Exclude<Delay, 'halted'>, string> = {
  unreachable: 'nodes unreachable, behind or in disagreement',
  behind: 'catching up',
  stalled: 'no new block from its nodes',
}

function stateOf(chain: ChainRow, now: number): string {
  if (chain.halted !== null) return chain.halted
  if (!chain.enabled) return 'disabled'
  const delay = delayOf(chain, now)
  return delay === null || delay === 'halted' ? 'up to date' : `delayed: ${delays[delay]}`
}

export const chainCommands: Command[] = [
  {
    usage: 'chain status',
    help: 'show how far each chain is read, and what needs an operator',
    async run({ pool, clock }) {
      const [chains, incidents, stopped] = await Promise.all([
        allChains(pool),
        openIncidents(pool, null),
        readSwitch(pool, 'withdrawals_stopped'),
      ])
      const parts = [
        table(
          ['CHAIN', 'READ', 'HEAD', 'FINAL', 'ANSWERED', 'STATE'],
          chains.map(chain => [
            chain.id,
            String(chain.last_number ?? '-'),
            String(chain.head_number),
            String(Math.max(chain.final_number, 0)),
            chain.read_at === 0 ? 'never' : `${clock() - chain.read_at} s ago`,
            stateOf(chain, clock()),
          ]),
        ),
      ]
      if (stopped) parts.push(`Withdrawals have been stopped since ${timeText(stopped.since)}: ${stopped.reason}`)
      for (const { id, kind, chain_id, created_at, detail } of incidents)
        parts.push(
          `Incident ${id}: ${kind} on ${chain_id ?? '-'}, ${timeText(created_at)}\n${JSON.stringify(detail, null, 2)}`,
        )
      return parts.join('\n\n')
    },
  },
  {
    usage: 'chain resume <chain>',
    help: 'resume a chain halted by a deep reorg',
    failureText: 'No chain with this id is halted by a deep reorg; see "chain status".',
    async run(deps, [chainId = '']) {
      const { number, hash } = await resumeChain(deps, { chainId })
      return `${chainId} resumes from block ${number}${hash ? ` (${hash})` : ''}.`
    },
  },
  {
    usage: 'chain reread <chain> <block> [apply]',
    help: 'compare final blocks with the deposits in them and show what differs; with "apply", mend it',
    async run(deps, [chainId = '', block = '', mode = '']) {
      if (mode !== '' && mode !== 'apply') throw new Refusal('parameter_error', { field: 'apply' })
      if (!/^\d{1,12}$/.test(block)) throw new Refusal('parameter_error', { field: 'chain or block' })
      await askReread(deps, { chainId, block: Number(block), apply: mode === 'apply' })
      const next = mode === '' ? '; "chain status" then shows what "apply" would change' : ' and mended'
      return `${chainId} will be read again from block ${block} to its last final block${next}.`
    },
  },
  {
    usage: 'deposit undo <deposit>',
    help: 'reverse a credit that a deep reorg left in doubt',
    failureText: 'This deposit is not in doubt; "chain status" lists those that are.',
    async run(deps, [depositId = '']) {
      await undoDeposit(deps, { depositId })
      return `The credit of deposit ${depositId} is reversed.`
    },
  },
]
