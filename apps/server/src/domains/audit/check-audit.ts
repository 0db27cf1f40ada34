import { createHash } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { all, type Queryable, type Statements, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { runJobLoop } from '../../kit/loop.ts'
import { insertIncidents, listOpenIncidents } from '../chains/store.ts'

type Row = Statements['audit-rows']['row']

/**
 * A place at which a chain of the audit log does not fit together, or an entry (`state`) whose account is not as it
 * says.
 */
export interface AuditFault {
  merchant_id: string
  seq: number
  fault: 'changed' | 'missing' | 'head' | 'state'
}

type State = 'hold' | 'authenticator' | 'operator'
/** The last entry about a state: which, and whether it should be there. */
type Said = { chain: string; seq: number; state: State; id: string; is: boolean }

const says: Record<string, [State, boolean]> = {
  not_me: ['hold', true],
  hold_lifted: ['hold', false],
  authenticator_bound: ['authenticator', true],
  authenticator_removed: ['authenticator', false],
  closed: ['authenticator', false],
}

/** Returns what an entry says about the state of an account, or null. */
function saidBy({ merchant_id: chain, seq, type, outcome, subject, person_id }: Row): Said | null {
  if (outcome !== 'done') return null
  if (type === 'operator_changed') {
    const [id = '', email = '', change] = subject.split(' ')
    return { chain, seq, state: 'operator', id, is: change !== 'removed' || email === 'passkey' }
  }
  const [state, is] = says[type] ?? []
  // What a member signs in with is in the chain of that person; the shop's tells it, too.
  const isCopy = state === 'authenticator' && person_id !== ''
  return state === undefined || is === undefined || isCopy ? null : { chain, seq, state, id: chain, is }
}

const accountStates = all(
  'audit-accounts',
  `select p.id, coalesce(m.held_at > 0, false) as hold, p.authenticator_secret is not null as authenticator
   from persons p left join merchants m on m.id = p.id where p.id = any($1)`,
)
const operatorIds = all(
  'audit-operators',
  `select person_id as id from members where merchant_id = '' and removed_at is null order by 1`,
)

/** Compares what the last entries say with the accounts: who owns the tables can change one without the other. */
async function compare(c: Queryable, said: readonly Said[]): Promise<AuditFault[]> {
  const present = new Set<string>()
  const ids = [...new Set(said.filter(each => each.state !== 'operator').map(each => each.id))]
  for (const row of await accountStates(c, ids))
    for (const state of ['hold', 'authenticator'] as const) if (row[state]) present.add(`${state} ${row.id}`)
  const operators = (await operatorIds(c)).map(({ id }) => `operator ${id}`)
  for (const each of operators) present.add(each)
  const named = new Set(said.map(({ state, id }) => `${state} ${id}`))
  return [
    ...said
      .filter(({ state, id, is }) => present.has(`${state} ${id}`) !== is)
      .map(({ chain, seq }): AuditFault => ({ merchant_id: chain, seq, fault: 'state' })),
    // Nobody became an operator without an entry.
    ...operators.filter(each => !named.has(each)).map((): AuditFault => ({ merchant_id: '', seq: 0, fault: 'state' })),
  ]
}

/** Faults reported at most. */
const faultsMax = 20
const pageRows = 5_000

const rowsAfter = all(
  'audit-rows',
  `select merchant_id, seq, type, outcome, reason, factor, subject, ip, device, address, created_at, hash, session, person_id
   from audit_log where (merchant_id, seq) > ($1, $2) order by merchant_id, seq limit $3`,
)
const heads = all('audit-heads', 'select merchant_id, seq, hash from audit_heads order by merchant_id')

/** Computes the hash of a row as `audit_hash` does, independently of the database. */
function hashOf(previous: Buffer, row: Row): Buffer {
  const { merchant_id, seq, type, outcome, reason, factor, subject, ip, device, address, created_at } = row
  const { session, person_id } = row
  const common = [merchant_id, seq, type, outcome, reason, factor, subject, ip, device, address, created_at]
  const who = person_id === '' ? [session].filter(Boolean) : [session, person_id]
  const fields = [...common, ...who].map(String)
  const hash = createHash('sha256').update(previous)
  for (const field of fields) hash.update(`${Buffer.byteLength(field)}:${field}`)
  return hash.digest()
}

/**
 * Verifies the whole audit log: every chain is numbered without a gap, each hash covers the row and the previous hash,
 * and the chain ends at its head. Holds, authenticators and operators are as the last entry about them says. Returns
 * the number of entries and the first faults.
 */
export const checkAudit = ({ pool }: Pick<Deps, 'pool'>): Promise<{ entries: number; faults: AuditFault[] }> =>
  tx(pool, async c => {
    await c.query('set transaction isolation level repeatable read, read only')
    const faults: AuditFault[] = []
    const left = new Map((await heads(c)).map(head => [head.merchant_id, head]))
    const said = new Map<string, Said>()
    let entries = 0
    let last: Pick<Row, 'merchant_id' | 'seq' | 'hash'> = { merchant_id: '', seq: 0, hash: Buffer.alloc(0) }
    const end = () => {
      const head = left.get(last.merchant_id)
      left.delete(last.merchant_id)
      if (head?.seq !== last.seq || !head.hash.equals(last.hash))
        faults.push({ merchant_id: last.merchant_id, seq: last.seq, fault: 'head' })
    }
    let cursor: Pick<Row, 'merchant_id' | 'seq'> = { merchant_id: '', seq: Number.MIN_SAFE_INTEGER }
    for (let page: Row[] | undefined; page === undefined || page.length === pageRows; ) {
      page = await rowsAfter(c, cursor.merchant_id, cursor.seq, pageRows)
      cursor = page.at(-1) ?? cursor
      for (const row of page) {
        if (row.merchant_id !== last.merchant_id) {
          if (entries > 0) end()
          last = { merchant_id: row.merchant_id, seq: 0, hash: Buffer.alloc(0) }
        }
        const { merchant_id, seq } = row
        if (seq !== last.seq + 1) faults.push({ merchant_id, seq: last.seq + 1, fault: 'missing' })
        else if (!hashOf(last.hash, row).equals(row.hash)) faults.push({ merchant_id, seq, fault: 'changed' })
        const says = saidBy(row)
        if (says) said.set(`${says.state} ${says.id}`, says)
        last = row
        entries++
      }
    }
    if (entries > 0) end()
    // Heads whose entries are all gone.
    for (const { merchant_id } of left.values()) faults.push({ merchant_id, seq: 1, fault: 'missing' })
    faults.push(...(await compare(c, [...said.values()])))
    return { entries, faults: faults.slice(0, faultsMax) }
  })

/** Verifies the audit log every ten minutes, in the sandbox every half minute. */
export const watchAuditLog = (deps: Deps, signal: AbortSignal): Promise<void> =>
  runJobLoop({
    name: 'check audit log',
    everyMs: deps.config.mode === 'sandbox' ? 30_000 : 600_000,
    log: deps.log,
    signal,
    work: async () => {
      await reportAuditFaults(deps)
      return false
    },
  })

/** Verifies the audit log and records an incident of the kind `audit_log` unless one is open. */
export async function reportAuditFaults(deps: Deps): Promise<void> {
  const { faults } = await checkAudit(deps)
  if (faults.length === 0) return
  deps.log.error({ faults }, 'the audit log was tampered with')
  if ((await listOpenIncidents(deps.pool, ['audit_log'])).length > 0) return
  const detail = { faults }
  await insertIncidents(deps.pool, [
    { id: newId(), kind: 'audit_log', chain_id: null, detail, created_at: deps.clock() },
  ])
}
