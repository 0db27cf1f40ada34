import type { AuditedObjectKind } from '@coffer/contract/kit/operator-route.ts'
import type { OperatorCall } from './call.ts'
import { underscoresToSpaces } from './command.ts'

type Describe = (call: OperatorCall, id: string) => Promise<string>

/** Kinds of objects that people know by more than the id that they type. */
const descriptions: Partial<Record<AuditedObjectKind, Describe>> = {
  merchant: async (call, id) => {
    const { mchid, email } = await call('GET merchants/:id', { params: { id } })
    return `${mchid} (${email})`
  },
  withdrawal: async (call, id) => {
    const row = await call('GET withdrawals/:id', { params: { id } })
    return `withdrawal ${id} of ${row.mchid}: ${row.amount} ${row.token} on ${row.chain} to ${row.address}`
  },
  refund: async (call, id) => {
    const row = (await call('GET refunds')).list.find(each => each.id === id)
    return `refund ${id}${row ? ` of ${row.mchid}: ${row.receives} ${row.token} on ${row.chain} to ${row.address}` : ''}`
  },
  deposit: async (call, id) => {
    const query = { call: 'POST /api/operator/v1/deposits/:id/undo', id } as const
    const { deposit } = await call('GET stakes', { query })
    return `deposit ${id}, ${deposit!.amount} ${deposit!.token} on ${deposit!.chain} of ${deposit!.mchid}`
  },
  incident: async (call, id) => {
    const { kind, chain_name, parts } = await call('GET incidents/:id', { params: { id } })
    const fact = parts[0]?.facts.find(each => each.unit !== '')
    const of = [
      `${underscoresToSpaces(kind)}${chain_name && ` on ${chain_name}`}`,
      ...(fact ? [`${fact.name}: ${fact.value} ${fact.unit}`] : []),
    ]
    return `${id} (${of.join(', ')})`
  },
}

/** What a call is about, in words. */
export const describeObject = async (call: OperatorCall, kind: AuditedObjectKind, id: string): Promise<string> =>
  (await descriptions[kind]?.(call, id)) ?? id
