import { type OperatorRole, operatorRoleNames } from '@coffer/contract/operator/roles.ts'
import { isEmail } from '@coffer/contract/validators.ts'
import type { Deps } from '../deps.ts'
import { readActions } from '../domains/operators/action-log.ts'
import { changeRole, removeOperator } from '../domains/operators/change-operator.ts'
import { addOperator, renewLink } from '../domains/operators/invitations.ts'
import { listPasskeys, removePasskey } from '../domains/operators/passkeys.ts'
import { listOperators, operatorByEmail } from '../domains/operators/store.ts'
import { Refusal } from '../kit/refusal.ts'
import { type Command, table, timeText } from './command.ts'

const roles = operatorRoleNames.join('|')

function roleOf(text: string): OperatorRole {
  const role = operatorRoleNames.find(each => each === text)
  if (!role) throw new Refusal('parameter_error', { field: `role: ${roles}` })
  return role
}

async function idOf({ pool }: Deps, email: string): Promise<{ id: string }> {
  const found = await operatorByEmail(pool, email.toLowerCase())
  if (!found) throw new Refusal('operator_not_exist', { field: email })
  return found
}

const linkText = ({ link, expires_time }: { link: string; expires_time: number }) =>
  `${link}\n\nThe link works once, until ${timeText(expires_time)}. It asks for a password and an authenticator.`

export const operatorCommands: Command[] = [
  {
    usage: `operator add <e-mail> --role <${roles}>`,
    help: 'add an operator of the console and print the one-time link',
    async run(deps, [email = '', flag = '', role = '']) {
      if (!isEmail(email)) throw new Refusal('bad_email', { field: email })
      if (flag !== '--role') throw new Refusal('parameter_error', { field: '--role' })
      return linkText(await addOperator(deps, { email: email.toLowerCase(), role: roleOf(role) }))
    },
  },
  {
    usage: 'operator link <e-mail>',
    help: 'print a new one-time link; password, authenticator and passkeys are forgotten, and all sessions end',
    run: async (deps, [email = '']) => linkText(await renewLink(deps, await idOf(deps, email))),
  },
  {
    usage: `operator role <e-mail> <${roles}>`,
    help: 'change the role of an operator',
    async run(deps, [email = '', role = '']) {
      await changeRole(deps, { ...(await idOf(deps, email)), role: roleOf(role) })
      return `${email} is ${role} now.`
    },
  },
  {
    usage: 'operator remove <e-mail>',
    help: 'remove an operator, whose sessions end at once',
    async run(deps, [email = '']) {
      await removeOperator(deps, await idOf(deps, email))
      return `${email} is removed.`
    },
  },
  {
    usage: 'operator passkeys <e-mail>',
    help: 'list the passkeys of an operator, with the key to write into policy.json of the signer',
    async run(deps, [email = '']) {
      const { list } = await listPasskeys(deps, { operatorId: (await idOf(deps, email)).id })
      if (list.length === 0) return `${email} has no passkey.`
      return table(
        ['NAME', 'ID', 'ADDED', 'LAST USED', 'STATE', 'KEY'],
        list.map(({ name, id, created_time, last_used, blocked, signer_key }) => [
          ...[name, id, timeText(created_time), last_used === 0 ? '-' : timeText(last_used)],
          ...[blocked ? 'blocked' : 'active', signer_key ?? '-'],
        ]),
      )
    },
  },
  {
    usage: 'operator remove-passkey <e-mail> <id>',
    help: 'remove a passkey of an operator, whose sessions end at once',
    async run(deps, [email = '', id = '']) {
      await removePasskey(deps, { operatorId: (await idOf(deps, email)).id, id })
      return `The passkey of ${email} is removed.`
    },
  },
  {
    usage: 'operator list',
    help: 'list the operators of the console',
    async run({ pool }) {
      const rows = await listOperators(pool)
      if (rows.length === 0) return 'No operators. Add the first owner with "operator add".'
      return table(
        ['E-MAIL', 'ROLE', 'STATE', 'LAST SEEN'],
        rows.map(({ email, role, active, last_seen }) => [
          email,
          role,
          active ? 'active' : 'invited',
          last_seen === 0 ? '-' : timeText(last_seen),
        ]),
      )
    },
  },
  {
    usage: 'operator log [text]',
    help: 'show what operators did, in the console and here, newest first',
    async run(deps, words) {
      const { list } = await readActions(deps, words.length > 0 ? { text: words.join(' ') } : {})
      return table(
        ['TIME', 'WHO', 'ACTION', 'ON', 'OUTCOME', 'BEFORE', 'AFTER'],
        list.map(({ created_time, who, action, subject, outcome, reason, before, after }) => [
          timeText(created_time),
          who,
          action,
          subject,
          reason || outcome,
          before === null ? '' : JSON.stringify(before),
          after === null ? '' : JSON.stringify(after),
        ]),
      )
    },
  },
]
