import { checkLedger } from '../commands/check-ledger.ts'
import { clearSwitch, readSwitch } from '../store/switches.ts'
import { type Command, Complaint } from './command.ts'

export const ledgerCommands: Command[] = [
  {
    usage: 'ledger check',
    help: 'look through the whole ledger for what cannot be',
    async run(deps) {
      const broken = await checkLedger(deps)
      if (broken.length === 0) return 'Every law of the ledger holds.'
      throw new Complaint(
        broken
          .map(({ law, rows }) => [`Broken: ${law}`, ...rows.map(row => `  ${JSON.stringify(row)}`)].join('\n'))
          .join('\n'),
      )
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
