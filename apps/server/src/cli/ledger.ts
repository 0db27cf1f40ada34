import { type NewIncident, openIncidents } from '../domains/chains/store.ts'
import { clearSwitch, readSwitch } from '../domains/chains/switches.ts'
import { checkLedger } from '../domains/ledger/check-ledger.ts'
import { closeIncident } from '../domains/ledger/close-incident.ts'
import { type Command, Complaint, timeText } from './command.ts'

/** Incidents by which ledger and chain were found to differ. */
const differences = ['shortage', 'surplus', 'native_missing', 'undone_deposit_is_back', 'deposit_changed']

const differenceText = ({ id, kind, chain_id, detail, created_at }: NewIncident) =>
  `Ledger and chain differ: ${kind} on ${chain_id ?? '-'}, found ${timeText(created_at)} (incident ${id})\n  ${JSON.stringify(detail)}`

export const ledgerCommands: Command[] = [
  {
    usage: 'ledger check',
    help: 'look through the whole ledger for what cannot be, and tell where it was found to differ from a chain',
    async run(deps) {
      const [broken, incidents] = await Promise.all([checkLedger(deps), openIncidents(deps.pool, differences)])
      const complaints = [
        ...broken.map(({ law, rows }) => [`Broken: ${law}`, ...rows.map(row => `  ${JSON.stringify(row)}`)].join('\n')),
        ...incidents.map(differenceText),
      ]
      if (complaints.length > 0) throw new Complaint(complaints.join('\n'))
      return 'Every law of the ledger holds, and no difference to a chain is open.'
    },
  },
  {
    usage: 'incident close <incident>',
    help: 'say that an incident is dealt with; what is still so is found again',
    notSo: 'No incident of this id is open; a chain that is halted goes on by "chain resume".',
    async run(deps, [id = '']) {
      await closeIncident(deps, { id })
      return `Incident ${id} is closed.`
    },
  },
  {
    usage: 'withdrawals resume',
    help: 'let withdrawals go on that a difference between ledger and chain stopped',
    async run({ pool }) {
      const stopped = await readSwitch(pool, 'withdrawals_stopped')
      if (!stopped) return 'Withdrawals are not stopped.'
      await clearSwitch(pool, 'withdrawals_stopped')
      return `Withdrawals go on. They were stopped because of ${stopped.reason}.`
    },
  },
]
