import { alertKinds } from '@coffer/contract/operator/names.ts'
import { createApiCommand } from './act.ts'
import { type Command, CommandFailure, formatTable } from './command.ts'
import { declaredCommands } from './declared.ts'

const secretText = ({ secret }: { secret: string }) => `The secret that signs alerts, shown only now:\n${secret}`

/** Systems that get alerts as signed JSON. */
export const hookCommands: Command[] = [
  {
    usage: 'hook list',
    help: 'list the systems that get alerts',
    async run(call) {
      const data = await call('GET alert-hooks')
      const text = formatTable(data.list, 'No system gets alerts.', ['id', 'url', 'kinds', 'last', 'created_time'], {
        kinds: row => row.kinds.join(','),
        last: ({ last: [newest] }) => newest?.result || '-',
      })
      return { text, data }
    },
  },
  {
    usage: `hook add <url> [${alertKinds.join(',')}]`,
    help: 'send alerts to a URL from now on, of all kinds unless some are named; shows the secret once',
    async run(call, [url = '', kinds]) {
      const wanted = kinds === undefined ? [...alertKinds] : (kinds.split(',') as (typeof alertKinds)[number][])
      const data = await call('POST alert-hooks', { body: { url, kinds: wanted } })
      return { text: `Alerts go to ${url} (${data.id}).\n${secretText(data)}`, data }
    },
  },
  createApiCommand('hook renew <hook>', 'POST alert-hooks/:id/renew', (_, data) => secretText(data), {
    failureText: 'There is no such hook.',
  }),
  createApiCommand(
    'hook test <hook>',
    'POST alert-hooks/:id/test',
    (_, { ok, result }) => {
      if (!ok) throw new CommandFailure(`It was not accepted: ${result}.`)
      return `It was accepted: ${result}.`
    },
    { failureText: 'There is no such hook.' },
  ),
  ...declaredCommands('alert_hook'),
]
