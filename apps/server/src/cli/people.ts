import { codeNameOf, workOrderStatus } from '@coffer/contract/codes.ts'
import { type OperatorRole, operatorRoleNames } from '@coffer/contract/kit/operator-roles.ts'
import type { Deps } from '../deps.ts'
import { listPasskeys, removePasskey } from '../domains/operators/passkeys.ts'
import { Refusal } from '../kit/refusal.ts'
import { createApiCommand } from './act.ts'
import type { OperatorCall } from './call.ts'
import { type Command, formatTable, formatUtcTime } from './command.ts'
import { declaredCommands } from './declared.ts'

const roles = operatorRoleNames.join('|')

async function operatorOf(call: OperatorCall, email: string): Promise<string> {
  const { list } = await call('GET operators')
  const found = list.find(each => each.email === email.toLowerCase())
  if (!found) throw new Refusal('operator_not_exist', { field: email })
  return found.id
}

const linkText = (email: string, { link, expires_time }: { link: string; expires_time: number }) =>
  `${link || `A link was sent to ${email}.`}\n\nThe link works once, until ${formatUtcTime(expires_time)}. It asks for a password and an authenticator.`

/** A command about an operator, who is named by email. */
const onOperator = (
  usage: string,
  help: string,
  run: (of: {
    id: string
    email: string
    rest: string[]
    call: OperatorCall
    deps: Deps
  }) => ReturnType<Command['run']>,
): Command => ({
  usage: `operator ${usage}`,
  help,
  run: async (call, [email = '', ...rest], deps) => run({ id: await operatorOf(call, email), email, rest, call, deps }),
})

export const operatorCommands: Command[] = [
  {
    usage: `operator add <email> --role <${roles}>`,
    help: 'add an operator of the console, who gets a one-time link by email; for the first owner it is printed',
    async run(call, [email = '', flag, role]) {
      if (flag !== '--role') throw new Refusal('parameter_error', { field: '--role' })
      return linkText(email, await call('POST operators', { body: { email, role: role as OperatorRole } }))
    },
  },
  onOperator(
    'link <email>',
    'mail a new one-time link; password, authenticator and passkeys are forgotten, and all sessions end',
    async ({ id, email, call }) => linkText(email, await call('POST operators/:id/link', { params: { id } })),
  ),
  onOperator(`role <email> <${roles}>`, 'change the role of an operator', async ({ id, email, rest: [role], call }) => {
    await call('PUT operators/:id', { params: { id }, body: { role: role as OperatorRole } })
    return `${email} is ${role} now.`
  }),
  onOperator('remove <email>', 'remove an operator, whose sessions end at once', async ({ id, email, call }) => {
    await call('DELETE operators/:id', { params: { id } })
    return `${email} is removed.`
  }),
  onOperator(
    'passkeys <email>',
    'list the passkeys of an operator, with the key to write into policy.json of the signer',
    async ({ id: operatorId, email, deps }) => {
      const data = await listPasskeys(deps, { operatorId })
      const text = formatTable(
        data.list,
        `${email} has no passkey.`,
        ['name', 'id', 'created_time', 'last_used', 'state', 'signer_key'],
        {
          state: row => (row.blocked ? 'blocked' : row.host ? `works at ${row.host} only` : 'active'),
          signer_key: row => row.signer_key ?? '-',
        },
      )
      return { text, data }
    },
  ),
  onOperator(
    'remove-passkey <email> <id>',
    'remove a passkey of an operator, whose sessions end at once',
    async ({ id: operatorId, email, rest: [id = ''], deps }) => {
      await removePasskey(deps, { operatorId, id })
      return `The passkey of ${email} is removed.`
    },
  ),
  {
    usage: 'operator list',
    help: 'list the operators of the console',
    run: async call =>
      formatTable(
        (await call('GET operators')).list,
        'No operators. Add the first owner with "operator add".',
        ['email', 'role', 'state', 'last_seen'],
        { state: row => (row.active ? 'active' : 'invited') },
      ),
  },
  {
    usage: 'operator log [text]',
    help: 'show what operators did, in the console and here, newest first',
    async run(call, words) {
      const { list } = await call('GET log', { query: words.length > 0 ? { text: words.join(' ') } : {} })
      const columns = ['created_time', 'who', 'action', 'subject', 'outcome', 'before', 'after'] as const
      return formatTable(list, 'No entries.', columns, { outcome: row => row.reason || row.outcome })
    },
  },
]

const weekSeconds = 7 * 86_400

/** Reads the options that follow the texts of an announcement. */
function optionsOf(words: string[], now: number): { mchids: string[]; ends_time: number } {
  const options: ReturnType<typeof optionsOf> = { mchids: [], ends_time: now + weekSeconds }
  for (let at = 0; at < words.length; at += 2) {
    const [flag = '', value = ''] = words.slice(at)
    if (flag === '--to') options.mchids = value.split(',')
    else if (flag === '--until') {
      // A date is midnight UTC, and so is a time without a zone.
      const ms = Date.parse(/T[\d:]+$/.test(value) ? `${value}Z` : value)
      if (Number.isNaN(ms)) throw new Refusal('parameter_error', { field: '--until' })
      options.ends_time = Math.floor(ms / 1_000)
    } else throw new Refusal('parameter_error', { field: flag })
  }
  return options
}

export const announcementCommands: Command[] = [
  {
    usage:
      'announce <title> <content> [<Chinese title> <Chinese content>] [--to <mchid>,<mchid>] [--until <2026-12-31T18:00>]',
    help: 'send an announcement to every merchant or to some, for a week or until a time (UTC)',
    async run(call, words, { clock }) {
      const first = words.findIndex(word => word.startsWith('--'))
      const [texts, options] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)]
      const [title_en = '', content_en = '', title_zh = title_en, content_zh = content_en] = texts
      const { id, receivers } = await call('POST announcements', {
        body: { title_en, content_en, title_zh, content_zh, ...optionsOf(options, clock()) },
      })
      return `Announced to ${receivers} ${receivers === 1 ? 'merchant' : 'merchants'} (${id}).`
    },
  },
  {
    usage: 'announcement list',
    help: 'list the newest 100 announcements',
    run: async call =>
      formatTable(
        (await call('GET announcements')).list,
        'No announcements.',
        ['id', 'state', 'ends_time', 'receivers', 'title_en'],
        { receivers: row => `${row.receivers}${row.mchids.length > 0 ? '' : ' (all)'}` },
      ),
  },
  ...declaredCommands('announcement'),
]

const { in_progress, answered, closed } = workOrderStatus
/** Statuses listed by `work-order list <group>`; undefined for all. */
const groups: Record<string, number | undefined> = { open: in_progress, answered, closed, all: undefined }
const stateName = (status: number) => codeNameOf(workOrderStatus, status)?.replace('_', ' ') ?? ''

export const workOrderCommands: Command[] = [
  {
    usage: 'work-order list [open|answered|closed|all] [text]',
    help: 'list work orders, those that wait longest first; those with a text in them or of a merchant',
    async run(call, [group = 'open', text]) {
      if (!Object.hasOwn(groups, group)) throw new Refusal('parameter_error', { field: group })
      const status = groups[group] === undefined ? {} : { status: String(groups[group]) }
      const query = { pageSize: '100', ...status, ...(text !== undefined && { text }) }
      return formatTable(
        (await call('GET work-orders', { query })).list,
        'No work orders.',
        ['number', 'status', 'type', 'mchid', 'theme', 'updated_time'],
        { status: row => stateName(row.status) },
      )
    },
  },
  {
    usage: 'work-order show <number>',
    help: 'show a work order with its messages',
    async run(call, [id = '']) {
      const order = await call('GET work-orders/:id', { params: { id } })
      const about = order.about ? `, about ${order.about.kind} ${order.about.id}` : ''
      // What merchants write is indented, so that it cannot look like another message.
      const indented = (text: string) => text.replace(/^/gm, '    ')
      return [
        `${id} (${stateName(order.status)}) of ${order.mchid} (${order.email}): ${order.type}${about}`,
        indented(order.theme),
        ...order.messages.map(
          each =>
            `${formatUtcTime(each.created_time)} ${each.operator === '' ? 'merchant' : `operator ${each.operator}`}:\n${indented(each.text)}` +
            (each.pictures.length > 0 ? `\n    pictures: ${each.pictures.length}, shown by the console` : ''),
        ),
      ].join('\n\n')
    },
  },
  createApiCommand('work-order answer <number> <text>', 'POST work-orders/:id/answer', id => `${id} is answered.`, {
    body: (...words) => ({ text: words.join(' '), pictures: [] }),
    help: 'answer a work order; the merchant is notified and mailed',
  }),
  ...declaredCommands('work_order'),
]
