import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import { listBackups } from '../domains/backups/store.ts'
import { releaseCopy } from '../domains/installation/hold-copy.ts'
import { readCopyHold } from '../kit/copy-switch.ts'
import { type Command, CommandFailure, formatTable, formatUtcTime } from './command.ts'

/** Commands about backups that a running installation answers. */
export const backupCommands: Command[] = [
  {
    usage: 'backup list',
    help: 'list the newest backups, and when each was restored for a check',
    run: async (_, __, { pool }) => {
      const list = await listBackups(pool)
      const text = formatTable(list, 'No backup was noted.', ['name', 'bytes', 'made', 'checked'], {
        made: row => formatUtcTime(row.made_at),
        checked: row => (row.verified_at === null ? 'never' : formatUtcTime(row.verified_at)),
      })
      return { text, data: { list } }
    },
  },
  {
    usage: 'restore release <reason> [original-is-off]',
    help: 'let a restored copy pay, call back and mail: the original is off for good, which "original-is-off" says in a script',
    changes: true,
    saidBy: 'original-is-off',
    async asks(_, __, { pool }) {
      const hold = await readCopyHold(pool)
      return hold === undefined
        ? ''
        : [
            `${formatStoredReason(hold.reason, 'en')}. Are the servers and the database of the original off?`,
            'Will they stay off, and did you compare what waits under Withdrawals with the wallets in an explorer?',
          ]
    },
    async run(_, __, deps) {
      if (!(await releaseCopy(deps))) throw new CommandFailure('This database is not held as a copy.')
      return 'Released: payouts, sweeps, callbacks and messages go on. Wallets that are halted stay so: see "wallet status".'
    },
  },
]
