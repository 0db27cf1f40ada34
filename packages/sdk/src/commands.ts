import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Coffer } from './client.ts'
import { CofferError } from './errors.ts'
import type { NewMemberInvitation, WebhookEndpointWithSecret } from './generated/types.ts'
import { listen } from './listen.ts'
import { tailLogs } from './logs.ts'
import { testEndpoint } from './scenarios.ts'
import { trigger } from './trigger.ts'
import { verifyExport } from './verify-export.ts'

const usage = `coffer <command>, with COFFER_URL and COFFER_KEY in the environment or --url and --key

  coffer listen --forward-to <url> [--secret whsec_...] [--since <Unix seconds>]
      forwards the events of your application to <url>, signed with the secret (or COFFER_WEBHOOK_SECRET)
  coffer events resend <id>
  coffer endpoints list|add <url>|test <id>|renew <id>|remove <id>
      receivers of events beside the notify URL, and their secrets, which add and renew print once
  coffer members list|invite <email> --role support|clerk|viewer|remove <id>
      people who work for the shop, for keys with the scope members
  coffer orders create --amount <decimal> [--currency USDT] [--out-trade-no <number>]
  coffer trigger payment.paid|payment.partial|payment.over|payment.timeout|payment.late|payment.error [--amount <decimal>]
      makes an order of a sandbox, and pays it, lets it time out, pays it afterwards (late) or has its chain lose a final payment (error)
  coffer scenarios --endpoint <url> [--status-url <url>] [--only <names, separated by commas>]
      tests an endpoint in a sandbox: paid, in parts, over, late, reversed, twice, out of order, lost responses, slow, forged.
      The status URL, with {out_trade_no} in it, gives {"paid": true or false}, and as "delivered" how often the order was delivered
  coffer logs tail [--since <Unix seconds>]
      prints events of your application as they happen, and each attempt to send them with the response
  coffer addresses verify <export.xlsx> [--xpub-evm xpub...] [--xpub-tron xpub...]
      verifies, offline, that the addresses of exported payments derive from the operator's account keys (or COFFER_XPUB_EVM, COFFER_XPUB_TRON)
  coffer --help | --version`

const words = {
  help: { type: 'boolean' },
  version: { type: 'boolean' },
  url: { type: 'string' },
  key: { type: 'string' },
  'forward-to': { type: 'string' },
  secret: { type: 'string' },
  since: { type: 'string' },
  amount: { type: 'string' },
  currency: { type: 'string' },
  'out-trade-no': { type: 'string' },
  endpoint: { type: 'string' },
  'status-url': { type: 'string' },
  only: { type: 'string' },
  role: { type: 'string' },
  'xpub-evm': { type: 'string' },
  'xpub-tron': { type: 'string' },
} as const
const parse = (args: string[]) => parseArgs({ args, options: words, allowPositionals: true })
type Values = ReturnType<typeof parse>['values']

/** What a command uses of its process. */
export interface Surroundings {
  env: Record<string, string | undefined>
  /** Ends `listen` and `logs tail`. */
  signal: AbortSignal
  print: (line: string) => void
  complain: (line: string) => void
  fetch?: typeof fetch | undefined
  /** Milliseconds between two reads of events; 2000 by default. */
  pauseMs?: number | undefined
}

/** Runs a command line. Returns the exit code: 1 after a refusal or a wrong command, which is one line of `complain`. */
export async function runCommand(args: string[], around: Surroundings): Promise<number> {
  try {
    const { values, positionals } = parse(args)
    if (values.version) around.print(ownVersion())
    else if (values.help || positionals.length === 0) around.print(usage)
    else await dispatch(positionals, values, around)
    return 0
  } catch (error) {
    around.complain(complaintOf(error))
    return 1
  }
}

function complaintOf(error: unknown): string {
  if (error instanceof CofferError) return `coffer: ${error.code} ${error.msg}${error.field ? ` (${error.field})` : ''}`
  if (!(error instanceof Error)) return `coffer: ${error}`
  return `coffer: ${error.message.split('\n', 1)[0]}`
}

async function dispatch([word = '', second = '', third]: string[], values: Values, around: Surroundings) {
  const command = ['events', 'orders', 'addresses', 'logs', 'endpoints', 'members'].includes(word)
    ? `${word} ${second}`
    : word
  const coffer = () => clientOf(values, around)
  switch (command) {
    case 'listen':
      return listen(coffer().client, {
        ...around,
        forwardTo: needed(values['forward-to'], '--forward-to'),
        secret: values.secret ?? around.env.COFFER_WEBHOOK_SECRET,
        since: values.since,
      })
    case 'events resend': {
      const { id, event } = await coffer().client.resendCallback(needed(third, 'an event ID'))
      return around.print(`${event} ${id} is sent again`)
    }
    case 'endpoints list':
    case 'endpoints add':
    case 'endpoints test':
    case 'endpoints renew':
    case 'endpoints remove':
      return around.print(await endpointCommand(coffer().client, second, third))
    case 'members list':
    case 'members invite':
    case 'members remove':
      return around.print(await memberCommand(coffer().client, second, third, values))
    case 'orders create':
      return around.print(JSON.stringify(await orderOf(coffer().client, values), null, 2))
    case 'addresses verify': {
      const [evm, tron] = [
        values['xpub-evm'] ?? around.env.COFFER_XPUB_EVM,
        values['xpub-tron'] ?? around.env.COFFER_XPUB_TRON,
      ]
      needed(evm || tron, '--xpub-evm or --xpub-tron')
      return verifyExport(needed(third, 'an exported file'), { evm, tron }, around.print)
    }
    case 'logs tail':
      return tailLogs(coffer().client, { ...around, since: values.since })
    case 'scenarios':
      return testEndpoint(coffer(), {
        ...around,
        endpoint: needed(values.endpoint, '--endpoint'),
        statusUrl: values['status-url'],
        only: values.only,
      })
    case 'trigger':
      return trigger(coffer(), second, { amount: values.amount ?? '10', currency: values.currency }, around)
    default:
      throw new Error(
        `unknown command "${command.trim()}": there are listen, scenarios, logs tail, events resend, endpoints, members, orders create, trigger and addresses verify (--help)`,
      )
  }
}

function clientOf(values: Values, around: Surroundings): { client: Coffer; baseUrl: string; key: string } {
  const baseUrl = needed(values.url ?? around.env.COFFER_URL, 'COFFER_URL or --url')
  const secretKey = needed(values.key ?? around.env.COFFER_KEY, 'COFFER_KEY or --key')
  return { client: new Coffer({ baseUrl, secretKey, retries: 1, fetch: around.fetch }), baseUrl, key: secretKey }
}

/** Does what a word says with a webhook endpoint. Returns what to print. */
async function endpointCommand(client: Coffer, word: string, given: string | undefined): Promise<string> {
  if (word === 'list') {
    const endpoints = await client.listWebhookEndpoints()
    return (
      endpoints.map(({ id, url, enabled }) => `${id} ${url}${enabled ? '' : ' (off)'}`).join('\n') || 'no endpoints'
    )
  }
  if (word === 'add') return shown(await client.createWebhookEndpoint({ url: needed(given, 'a URL') }))
  const id = needed(given, 'an endpoint ID')
  if (word === 'renew') return shown(await client.renewWebhookEndpoint(id))
  if (word === 'test') return `test.ping is sent: callback ${(await client.testWebhookEndpoint(id)).id}`
  await client.removeWebhookEndpoint(id)
  return `${id} is removed`
}

const shown = ({ endpoint, secret }: WebhookEndpointWithSecret) => `${endpoint.id} ${endpoint.url} ${secret}`

/** Does what a word says with the people of the shop. Returns what to print. */
async function memberCommand(client: Coffer, word: string, given: string | undefined, values: Values): Promise<string> {
  if (word === 'list') {
    const { list, invitations } = await client.listMembers()
    return [
      ...list.map(({ id, email, role }) => `${id} ${email} ${role}`),
      ...invitations.map(({ email, role }) => `${email} ${role} (invited)`),
    ].join('\n')
  }
  if (word === 'invite') {
    const email = needed(given, 'an email address')
    // The server knows the roles.
    const role = needed(values.role, '--role') as NewMemberInvitation['role']
    return `${(await client.inviteMember({ email, role })).email} is invited`
  }
  const id = needed(given, 'the ID of a member')
  await client.removeMember(id)
  return `${id} is removed`
}

const orderOf = (client: Coffer, values: Values) =>
  client.createOrder({
    out_trade_no: values['out-trade-no'] ?? `cli-${crypto.randomUUID().slice(0, 13)}`,
    amount: needed(values.amount, '--amount'),
    currency: values.currency,
  })

function needed(value: string | undefined, name: string): string {
  if (!value) throw new Error(`${name} is missing (--help)`)
  return value
}

const ownVersion = (): string => JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
