import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { first, run } from '../kit/db.ts'
import { Refusal } from '../kit/refusal.ts'

/** How long (s) a request may still be running before a repeat takes its place: the client's own time limit, twice. */
const abandonedAfter = 60
/** How long (ms) a repeat waits for the first to end, and how often it looks. */
const patience = { all: 10_000, step: 100 }
/** How long (s) answers are kept: a merchant's server may ask again much later, a browser within three minutes. */
const keptFor = { all: 2 * 86_400, visitor: 600 }
const visitor = 'visitor '

/** The scope of somebody who is not signed in. What it is made of is not kept in clear. */
export const visitorScope = (marks: string): string => visitor + createHash('sha256').update(marks).digest('base64url')

/**
 * Runs `work` once per (scope, key): a repeat with the same request gets the first answer, one with another request is
 * refused, one that comes while the first still runs waits for it, and is told so if that takes long. Refusals are not
 * kept: nothing happened. Answers are kept sealed and requests as a keyed hash, since both may hold a secret.
 */
export async function onlyOnce<T>(
  deps: Deps,
  scope: string,
  key: string,
  request: unknown,
  work: () => Promise<T>,
): Promise<T> {
  const hash = createHmac('sha256', deps.config.secret)
    .update(JSON.stringify(request ?? null))
    .digest()
  for (let waited = 0; !(await begin(deps, scope, key, hash)); waited += patience.step) {
    const first = await firstAnswer(deps, scope, key, hash)
    if (first !== undefined) return JSON.parse(deps.seal.open(first))
    if (waited >= patience.all) throw new Refusal('idempotency_in_flight')
    await sleep(patience.step)
  }
  try {
    const answer = await work()
    await keepAnswer(deps.pool, scope, key, deps.seal.seal(JSON.stringify(answer ?? null)))
    return answer
  } catch (error) {
    await dropRequest(deps.pool, scope, key)
    throw error
  }
}

const keepAnswer = run('idempotency-keep', 'update idempotency set answer = $3 where scope = $1 and key = $2')
const dropRequest = run('idempotency-drop', 'delete from idempotency where scope = $1 and key = $2 and answer is null')
const beginRequest = run(
  'idempotency-begin',
  `insert into idempotency (scope, key, body_hash, created_at) values ($1, $2, $3, $4)
   on conflict (scope, key) do update set created_at = $4
     where idempotency.answer is null and idempotency.body_hash = $3 and idempotency.created_at < $4 - ${abandonedAfter}
   returning 1 as mine`,
)
const readRequest = first('idempotency-read', 'select body_hash, answer from idempotency where scope = $1 and key = $2')
const forgetAnswers = run(
  'idempotency-forget',
  'delete from idempotency where created_at < $1 or (created_at < $2 and scope like $3) returning 1',
)

/** Whether the request is ours to carry out: nobody has begun it, or whoever did is gone. */
const begin = async (deps: Deps, scope: string, key: string, hash: Buffer): Promise<boolean> =>
  (await beginRequest(deps.pool, scope, key, hash, deps.clock())) > 0

/** The sealed answer to the first, or undefined while it runs or when it was refused meanwhile. */
async function firstAnswer(deps: Deps, scope: string, key: string, hash: Buffer): Promise<string | undefined> {
  const row = await readRequest(deps.pool, scope, key)
  if (row && !row.body_hash.equals(hash)) throw new Refusal('idempotency_conflict')
  return row?.answer ?? undefined
}

/** Forgets answers older than two days, a visitor's after ten minutes. Gives how many. */
export async function forgetOldAnswers(deps: Deps): Promise<number> {
  const now = deps.clock()
  return forgetAnswers(deps.pool, now - keptFor.all, now - keptFor.visitor, `${visitor}%`)
}
