import { closeIncident } from '../domains/chains/close-incident.ts'
import { pauseOf, resumeQueue } from '../domains/chains/pause-queue.ts'
import { type NewIncident, openIncidents } from '../domains/chains/store.ts'
import { checkLedger } from '../domains/ledger/check-ledger.ts'
import { toJson } from '../kit/db.ts'
import { CheckFailure, type Command, timeText } from './command.ts'

/** Incidents that mean a difference between ledger and chain. */
const differences = ['shortage', 'surplus', 'native_missing', 'undone_deposit_is_back', 'deposit_changed']

const differenceText = ({ id, kind, chain_id, detail, created_at }: NewIncident) =>
  `Ledger and chain differ: ${kind} on ${chain_id ?? '-'}, found ${timeText(created_at)} (incident ${id})\n  ${JSON.stringify(detail)}`

export const ledgerCommands: Command[] = [
  {
    usage: 'ledger check',
    help: 'verify the ledger and list open differences to the chains',
    async run(deps) {
      const [violated, incidents] = await Promise.all([checkLedger(deps), openIncidents(deps.pool, differences)])
      const findings = [
        ...violated.map(({ invariant, rows }) =>
          [`Violated: ${invariant}`, ...rows.map(row => `  ${toJson(row)}`)].join('\n'),
        ),
        ...incidents.map(differenceText),
      ]
      if (findings.length > 0) throw new CheckFailure(findings.join('\n'))
      return 'The ledger is consistent, and no difference between ledger and chain is open.'
    },
  },
  {
    usage: 'incident close <incident>',
    help: 'close an incident; a difference that persists is reported again',
    failureText: 'There is no open incident with this id. A halted chain is resumed with "chain resume".',
    async run(deps, [id = '']) {
      await closeIncident(deps, { id })
      return `Incident ${id} is closed.`
    },
  },
  {
    usage: 'withdrawals resume',
    help: 'resume withdrawals stopped by a difference between ledger and chain',
    async run(deps) {
      const stopped = await pauseOf(deps.pool, 'withdrawals')
      if (!stopped) return 'Withdrawals are not stopped.'
      await resumeQueue(deps, { queue: 'withdrawals' })
      return `Withdrawals are resumed. They were stopped because of ${stopped.reason}.`
    },
  },
]
