import { checkAudit } from '../domains/audit/check-audit.ts'
import { type Command, CommandFailure } from './command.ts'

export const auditCommands: Command[] = [
  {
    usage: 'audit verify',
    help: 'verify that no entry of the audit log was changed, removed or inserted, and that accounts are as it says',
    async run(_, __, deps) {
      const { entries, faults } = await checkAudit(deps)
      if (faults.length === 0) return `The audit log is complete: ${entries} entries.`
      const lines = faults.map(
        ({ merchant_id, seq, fault }) => `Entry ${seq} of ${merchant_id || 'the operator'}: ${faultTexts[fault]}`,
      )
      throw new CommandFailure(lines.join('\n'))
    },
  },
]

const faultTexts = {
  changed: 'was changed or inserted',
  missing: 'is missing',
  head: 'is not the last one that was written',
  state: 'says what a hold, an authenticator or an operator is not, or is missing for an operator (0)',
}
