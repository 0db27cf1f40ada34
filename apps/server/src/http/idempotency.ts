import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { first, run } from '../kit/db.ts'
import { Refusal } from '../kit/refusal.ts'
import type { SealPlace } from '../kit/seal.ts'

/** Age (s) at which an unfinished request counts as abandoned and a retry takes over: twice the client's timeout. */
const abandonedAfter = 60
/** How long a retry waits for the first request, and how often it checks (ms). */
const wait = { maxMs: 10_000, stepMs: 100 }
/** Retention of answers (s): a merchant's server may retry much later, a browser within three minutes. */
const retention = { all: 2 * 86_400, visitor: 600 }
const visitor = 'visitor '

/** The scope of an anonymous client, hashed so that its marks are not stored in clear. */
export const visitorScope = (marks: string): string => visitor + createHash('sha256').update(marks).digest('base64url')

/**
 * Runs `work` once per idempotency key and scope. A retry gets the first answer, waiting for it if necessary. Refusals are
 * not stored, since nothing happened. Answers are stored encrypted and requests as keyed hashes, since both may contain
 * secrets.
 * @throws Refusal('idempotency_conflict') for another request with the same key, Refusal('idempotency_in_flight') when the
 * first request is still running after 10 s
 */
export async function onlyOnce<T>(
  deps: Deps,
  scope: string,
  key: string,
  request: unknown,
  work: () => Promise<T>,
): Promise<T> {
  const { secret, secretPrevious } = deps.config
  const hashes = [secret, secretPrevious].filter(Boolean).map(each =>
    createHmac('sha256', each)
      .update(JSON.stringify(request ?? null))
      .digest(),
  )
  const hash = hashes[0]!
  for (let waited = 0; !(await begin(deps, scope, key, hash)); waited += wait.stepMs) {
    const first = await firstAnswer(deps, scope, key, hashes)
    if (first !== undefined) return JSON.parse(deps.seal.open(first, placeOf(scope, key)))
    if (waited >= wait.maxMs) throw new Refusal('idempotency_in_flight')
    await sleep(wait.stepMs)
  }
  const answer = await work().catch(async error => {
    await dropRequest(deps.pool, scope, key)
    throw error
  })
  const sealed = deps.seal.seal(JSON.stringify(answer ?? null), placeOf(scope, key))
  // It is done: a failure here must neither be the answer nor let a retry do it again.
  await keepAnswer(deps.pool, scope, key, sealed).catch(error => deps.log.error({ err: error }, 'answer not stored'))
  return answer
}

const placeOf = (scope: string, key: string): SealPlace => ({ column: 'idempotency.answer', row: `${scope} ${key}` })

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

/** Claims the request; false when another attempt has claimed it and is not abandoned. */
const begin = async (deps: Deps, scope: string, key: string, hash: Buffer): Promise<boolean> =>
  (await beginRequest(deps.pool, scope, key, hash, deps.clock())) > 0

/** The stored answer of the first request, also from before a rotation; undefined while it runs or after it was refused. */
async function firstAnswer(deps: Deps, scope: string, key: string, hashes: Buffer[]): Promise<string | undefined> {
  const row = await readRequest(deps.pool, scope, key)
  if (row && !hashes.some(hash => row.body_hash.equals(hash))) throw new Refusal('idempotency_conflict')
  return row?.answer ?? undefined
}

/** Deletes answers older than two days, those of anonymous clients after ten minutes. Returns the number deleted. */
export async function forgetOldAnswers(deps: Deps): Promise<number> {
  const now = deps.clock()
  return forgetAnswers(deps.pool, now - retention.all, now - retention.visitor, `${visitor}%`)
}
