import { createHash } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { one, q } from '../store/db.ts'

/** How long (s) a request may still be running before a repeat takes its place: the client's own time limit, twice. */
const abandonedAfter = 60

/**
 * Runs `work` once per (scope, key): a repeat with the same request gets the first answer, one with another request is
 * refused, one that comes while the first still runs is told so. Refusals are not kept: nothing happened.
 * Answers are kept sealed, since some show a secret.
 */
export async function onlyOnce<T>(
  deps: Deps,
  scope: string,
  key: string,
  request: unknown,
  work: () => Promise<T>,
): Promise<T> {
  const hash = createHash('sha256')
    .update(JSON.stringify(request ?? null))
    .digest()
  const now = deps.clock()
  const inserted = await one(
    deps.pool,
    'idempotency-begin',
    `insert into idempotency (scope, key, body_hash, created_at) values ($1, $2, $3, $4)
     on conflict (scope, key) do update set created_at = $4
       where idempotency.answer is null and idempotency.body_hash = $3 and idempotency.created_at < $4 - ${abandonedAfter}
     returning 1 as mine`,
    [scope, key, hash, now],
  )
  if (!inserted) return repeat<T>(deps, scope, key, hash)
  try {
    const answer = await work()
    await q(deps.pool, 'idempotency-keep', 'update idempotency set answer = $3 where scope = $1 and key = $2', [
      scope,
      key,
      deps.seal.seal(JSON.stringify(answer ?? null)),
    ])
    return answer
  } catch (error) {
    await q(deps.pool, 'idempotency-drop', 'delete from idempotency where scope = $1 and key = $2 and answer is null', [
      scope,
      key,
    ])
    throw error
  }
}

async function repeat<T>(deps: Deps, scope: string, key: string, hash: Buffer): Promise<T> {
  const row = await one<{ body_hash: Buffer; answer: string | null }>(
    deps.pool,
    'idempotency-read',
    'select body_hash, answer from idempotency where scope = $1 and key = $2',
    [scope, key],
  )
  if (row && !row.body_hash.equals(hash)) throw new Refusal('idempotency_conflict')
  if (!row || row.answer === null) throw new Refusal('idempotency_in_flight')
  return JSON.parse(deps.seal.open(row.answer))
}

/** Forgets answers older than two days. Gives how many. */
export async function forgetOldAnswers(deps: Deps): Promise<number> {
  const rows = await q(deps.pool, 'idempotency-forget', 'delete from idempotency where created_at < $1 returning 1', [
    deps.clock() - 2 * 86_400,
  ])
  return rows.length
}
