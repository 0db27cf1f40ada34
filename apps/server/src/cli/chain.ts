import { type Delay, delayOf } from '../domains/chains/chain-delay.ts'
import { allChains, askReread, type ChainRow, openIncidents } from '../domains/chains/store.ts'
import { readSwitch } from '../domains/chains/switches.ts'
import { resumeChain } from '../domains/deposits/resume-chain.ts'
import { undoDeposit } from '../domains/deposits/undo-deposit.ts'
import { Refusal } from '../kit/refusal.ts'
import { type Command, table, timeText } from './command.ts'

const delays: Record<Exclude<Delay, 'halted'>, string> = {
  silent: 'its nodes do not answer, are behind us or disagree',
  unread: 'blocks are left to read',
  still: 'its nodes have no new block',
}

function stateOf(chain: ChainRow, now: number): string {
  if (chain.halted !== null) return chain.halted
  if (!chain.enabled) return 'off'
  const delay = delayOf(chain, now)
  return delay === null || delay === 'halted' ? 'followed' : `delayed: ${delays[delay]}`
}

export const chainCommands: Command[] = [
  {
    usage: 'chain status',
    help: 'how far each chain is read, and what waits for a person',
    async run({ pool, clock }) {
      const [chains, incidents, stopped] = await Promise.all([
        allChains(pool),
        openIncidents(pool),
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
      if (stopped) parts.push(`Withdrawals are stopped since ${timeText(stopped.since)}: ${stopped.reason}`)
      for (const { id, kind, chain_id, created_at, detail } of incidents)
        parts.push(
          `Incident ${id}: ${kind} on ${chain_id ?? '-'}, ${timeText(created_at)}\n${JSON.stringify(detail, null, 2)}`,
        )
      return parts.join('\n\n')
    },
  },
  {
    usage: 'chain resume <chain>',
    help: 'let a chain go on that was halted by a deep reorg',
    notSo: 'No chain of this name is halted by a deep reorg; "chain status" shows how each one is.',
    async run(deps, [chainId = '']) {
      const { number, hash } = await resumeChain(deps, { chainId })
      return `${chainId} goes on from block ${number} (${hash}).`
    },
  },
  {
    usage: 'chain reread <chain> <block>',
    help: 'read final blocks again, from this one on, and credit tokens that a node left out',
    async run({ pool }, [chainId = '', block = '']) {
      const asked = /^\d{1,12}$/.test(block) && (await askReread(pool, chainId, Number(block)))
      if (!asked) throw new Refusal('parameter_error', { field: 'chain or block' })
      return `${chainId} is read again from block ${block} on, up to its last final block.`
    },
  },
  {
    usage: 'deposit undo <deposit>',
    help: 'take back a credit that a deep reorg left in doubt',
    notSo: 'This deposit is not in doubt; "chain status" lists those that are.',
    async run(deps, [depositId = '']) {
      await undoDeposit(deps, { depositId })
      return `Deposit ${depositId} is undone.`
    },
  },
]
