import pg from 'pg'

/** Rows of a page, which a statement counts as returning. */
export const page = 20
/** Rows that a statement may read for each row it returns or changes. */
const readMost = 50

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
/**
 * Returns what is wrong with a plan: a scan of a whole table, or rows read for nothing. `least`: rows for which it may
 * read at any rate.
 */
export function faults(plan: Plan, tables: readonly string[], least: number = page): string[] {
  const nodes = nodesOf(plan)
  const rows = ({ 'Actual Rows': rows, 'Actual Loops': loops, ...node }: Plan) =>
    (rows + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * loops
  const scans = nodes.filter(node => node['Node Type'].includes('Scan') && tables.includes(node['Relation Name'] ?? ''))
  const changed = nodes.filter(node => node['Node Type'] === 'ModifyTable').flatMap(node => node.Plans ?? [])
  const given = Math.max(least, plan['Actual Rows'], ...changed.map(rows))
  // What is read of the counts does not depend on the number of payments.
  const counted = scans.filter(node => !/_counts$/.test(node['Relation Name']!))
  const sum = counted.reduce((total, node) => total + rows(node), 0)
  const whole = scans.filter(node => node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0)
  return [
    ...whole.map(node => `scans ${node['Relation Name']}`),
    ...(sum > readMost * given
      ? [`reads ${sum} rows for ${given}: ${counted.map(each => `${each['Relation Name']} ${rows(each)}`).join(', ')}`]
      : []),
  ]
}

/** Explains a statement in a transaction that is rolled back. */
export async function explain(c: pg.PoolClient, mode: string, text: string, values: unknown[]): Promise<Plan> {
  await c.query('begin')
  try {
    await c.query(
      `set local statement_timeout = '30s'; set local plan_cache_mode = ${mode}; prepare explained as ${text}`,
    )
    const literals = values.map(literal).join(', ')
    const { rows } = await c.query(`explain (analyze, format json) execute explained ${literals && `(${literals})`}`)
    return rows[0]['QUERY PLAN'][0].Plan
  } finally {
    await c.query('rollback; deallocate all')
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (!Array.isArray(value)) return pg.escapeLiteral(String(value))
  const type = typeof value[0] === 'number' ? 'bigint' : 'text'
  return `array[${value.map(literal).join(', ')}]::${type}[]`
}
