import { OperatorProblem } from '@coffer/local/problem.ts'
import type pg from 'pg'

interface Durability {
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  names: string
  /** Replicas that are connected, and tools that copy the log. */
  replicas: number
}

const readDurability = async (pool: pg.Pool): Promise<Durability> =>
  (
    await pool.query<Durability>(`
      select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit,
        current_setting('synchronous_standby_names') as names,
        (select count(*)::int from pg_stat_replication) as replicas`)
  ).rows[0]!

/**
 * Refuses a database that confirms commits before they are safe: a payout that was sent could be forgotten, and be sent
 * again.
 * @returns what else would lose them, one line each, which may be what the operator wants
 * @throws Problem that says what to set
 */
export async function requireDurable(pool: pg.Pool): Promise<string[]> {
  const { fsync, full_page_writes, synchronous_commit, names, replicas } = await readDurability(pool)
  if (synchronous_commit === 'off')
    throw new OperatorProblem(
      'synchronous_commit is off in the database: it confirms payments that a crash forgets. Run as a superuser: alter system reset synchronous_commit; select pg_reload_conf(); and see that neither the role nor the database sets it.',
    )
  if (synchronous_commit === 'local' && (names !== '' || replicas > 0))
    throw new OperatorProblem(
      'synchronous_commit is local in the database, which has replicas: it confirms payments that no replica has, and a failover forgets them. Set it to on.',
    )
  const warnings: string[] = []
  if (names === '' && replicas > 0)
    warnings.push(
      `${replicas} replica${replicas === 1 ? ' is' : 's are'} connected and none is waited for (synchronous_standby_names is empty): a failover forgets the last payments and payouts. In Patroni set synchronous_mode and synchronous_mode_strict to true. If replicas only back up or read, ignore this`,
    )
  if (names !== '' && replicas === 0)
    warnings.push(
      `synchronous_standby_names is "${names}" and no replica is connected: every commit waits until one is`,
    )
  for (const [name, value] of Object.entries({ fsync, full_page_writes }))
    if (value === 'off') warnings.push(`${name} is off in the database, which a crash of the machine then destroys`)
  return warnings
}
