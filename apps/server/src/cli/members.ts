import { rolesWithoutSession } from '@coffer/contract/kit/merchant-roles.ts'
import { isEmail } from '@coffer/contract/kit/validators.ts'
import type { Deps } from '../deps.ts'
import { inviteMemberByOperator, removeMemberByOperator } from '../domains/members/by-operator.ts'
import { listMembersForOperator } from '../domains/members/list-members.ts'
import { merchantByMchid } from '../domains/merchants/store.ts'
import { Refusal } from '../kit/refusal.ts'
import { type Command, formatTable, formatUtcTime } from './command.ts'

const roles = rolesWithoutSession.join('|')

async function shopOf({ pool }: Deps, mchid: string) {
  const found = await merchantByMchid(pool, mchid.toUpperCase())
  if (!found) throw new Refusal('merchant_not_exist', { field: mchid })
  return found
}

function emailOf(text: string): string {
  if (!isEmail(text)) throw new Refusal('bad_email', { field: text })
  return text.toLowerCase()
}

/** People of a shop. Owners, and whoever moves money or makes keys, are the business of its owners. */
export const memberCommands: Command[] = [
  {
    usage: 'member list <mchid>',
    help: 'list who works for a shop, and who is invited',
    async run(_, [mchid = ''], deps) {
      const { id } = await shopOf(deps, mchid)
      const data = await listMembersForOperator(deps, id)
      const rows = [
        ...data.list.map(each => ({ ...each, state: 'active' })),
        ...data.invitations.map(each => ({ ...each, state: 'invited', since_time: each.created_time })),
      ]
      const text = formatTable(rows, 'Nobody.', ['email', 'role', 'state', 'since_time'])
      return { text, data }
    },
  },
  {
    usage: `member invite <mchid> <email> --role <${roles}>`,
    help: 'invite somebody to a shop by mail; its owners are told. Other roles are given by owners only',
    changes: true,
    async run(_, [mchid = '', email = '', flag, given], deps) {
      const role = rolesWithoutSession.find(each => each === given)
      if (flag !== '--role' || !role) throw new Refusal('parameter_error', { field: `--role ${roles}` })
      const shop = await shopOf(deps, mchid)
      const invited = { merchantId: shop.id, email: emailOf(email), role }
      const data = await inviteMemberByOperator(deps, invited)
      return { text: `A link was sent to ${email}. It works once, until ${formatUtcTime(data.expires_time)}.`, data }
    },
  },
  {
    usage: 'member remove <mchid> <email>',
    help: 'remove somebody who is no owner from a shop; sessions end at once, and its owners are told',
    changes: true,
    asks: (_, [mchid = '', email = '']) => `Remove ${email} from ${mchid}?`,
    async run(_, [mchid = '', email = ''], deps) {
      const { id: merchantId } = await shopOf(deps, mchid)
      await removeMemberByOperator(deps, { merchantId, email: emailOf(email) })
      return `${email} is removed from ${mchid}.`
    },
  },
]
