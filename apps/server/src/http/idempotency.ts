import { createHash, createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { commitMark, first, type Queryable, run } from '../kit/db.ts'
import { newId } from '../kit/ids.ts'
import { logLoss } from '../kit/log-loss.ts'
import { Refusal } from '../kit/refusal.ts'
import { makeSeal, type SealPlace } from '../kit/seal.ts'

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
 * Runs `work` once per idempotency key and scope. A retry gets the first answer, waiting for it if necessary. Refusals
 * are not stored, since nothing happened. Work that was committed is not done again, even if a crash lost its answer,
 * unless it `findsAgain` by a number in the request what was made. Answers may hold secrets: they are encrypted also
 * with the key, of which only a hash is stored.
 * @throws Refusal('idempotency_unknown') if the answer of committed work was lost, Refusal('idempotency_conflict') for
 *   another request with the same key, Refusal('idempotency_in_flight') when the first request is still running after
 *   10 s
 */
export async function runOncePerIdempotencyKey<T>(
  deps: Deps,
  scope: string,
  key: string,
  request: unknown,
  work: () => Promise<T>,
  { findsAgain = false } = {},
): Promise<T> {
  const { secret, secretPrevious } = deps.config
  const clientKey = key
  key = createHash('sha256').update(`${scope} ${clientKey}`).digest('base64url')
  // Whoever reads the database and knows the server's secret must guess the key, too.
  const [current = '', ...previous] = [secret, secretPrevious].filter(Boolean).map(each => `${each} ${clientKey}`)
  const seal = makeSeal(current, ...previous)
  const hashes = [secret, secretPrevious].filter(Boolean).map(each =>
    createHmac('sha256', each)
      .update(JSON.stringify(request ?? null))
      .digest(),
  )
  const hash = hashes[0]!
  const claim: Claim = { scope, key, id: newId() }
  for (let waited = 0; !(await begin(deps, claim, hash, findsAgain)); waited += wait.stepMs) {
    const first = await firstAnswer(deps, scope, key, hashes, findsAgain)
    if (first !== undefined) return JSON.parse(seal.open(first, placeOf(scope, key)))
    if (waited >= wait.maxMs) throw new Refusal('idempotency_in_flight')
    await sleep(wait.stepMs)
  }
  const mark = async (c: Queryable) => {
    // Another request has taken over what was believed to be abandoned.
    if ((await markCommitted(c, scope, key, claim.id)) === 0) throw new Refusal('idempotency_in_flight')
  }
  const answer = await commitMark.run({ mark, isMarked: false }, work).catch(async error => {
    await dropRequest(deps.pool, scope, key, error instanceof Refusal, claim.id).catch(failed => {
      if (!logLoss(deps.log, failed)) deps.log.warn({ err: failed }, 'a claim of an idempotency key stays')
      void dropLater(deps, claim)
    })
    throw error
  })
  const sealed = seal.seal(JSON.stringify(answer ?? null), placeOf(scope, key))
  // It is done: a failure here must neither be the answer nor let a retry do it again.
  await keepAnswer(deps.pool, scope, key, sealed, claim.id).catch(error =>
    deps.log.error({ err: error }, 'answer not stored'),
  )
  return answer
}

const placeOf = (scope: string, key: string): SealPlace => ({ column: 'idempotency.answer', row: `${scope} ${key}` })

const keepAnswer = run(
  'idempotency-keep',
  'update idempotency set answer = $3 where scope = $1 and key = $2 and claim = $4',
)
/** Notes in the transaction of the work that it is done. */
const markCommitted = run(
  'idempotency-mark',
  'update idempotency set status = 1 where scope = $1 and key = $2 and claim = $3',
)
/** Ends a claim. What failed after its commit stays done; a refusal says that nothing happened. */
const dropRequest = run(
  'idempotency-drop',
  'delete from idempotency where scope = $1 and key = $2 and answer is null and (status is null or $3) and claim = $4',
)
const beginRequest = run(
  'idempotency-begin',
  `insert into idempotency (scope, key, body_hash, created_at, claim) values ($1, $2, $3, $4, $6)
   on conflict (scope, key) do update set created_at = $4, claim = $6
     where idempotency.answer is null and idempotency.body_hash = $3 and idempotency.created_at < $4 - ${abandonedAfter}
       and (idempotency.status is null or $5)
   returning 1 as mine`,
)
const readRequest = first(
  'idempotency-read',
  'select body_hash, answer, status, created_at from idempotency where scope = $1 and key = $2',
)
const forgetAnswers = run(
  'idempotency-forget',
  'delete from idempotency where created_at < $1 or (created_at < $2 and scope like $3) returning 1',
)

/** One attempt at a request. */
interface Claim {
  scope: string
  key: string
  id: string
}

/** Claims the request; false when another attempt has claimed it and is not abandoned. */
async function begin(deps: Deps, claim: Claim, hash: Buffer, findsAgain: boolean): Promise<boolean> {
  try {
    return (await beginRequest(deps.pool, claim.scope, claim.key, hash, deps.clock(), findsAgain, claim.id)) > 0
  } catch (error) {
    // It may be stored, as where a database that waits for a standby does not answer.
    void dropLater(deps, claim)
    throw error
  }
}

/** Claims that are tried to be dropped, and how often (ms). More of them are left until they count as abandoned. */
const droppedLater = { now: 0, max: 1_000, everyMs: 1_000 }

/**
 * Drops a claim whose work did not happen once the database answers again: a retry need not wait until it counts as
 * abandoned. Work that may still commit has locked its claim, and a committed one stays.
 */
async function dropLater({ pool }: Pick<Deps, 'pool'>, { scope, key, id }: Claim): Promise<void> {
  if (droppedLater.now >= droppedLater.max) return
  droppedLater.now++
  for (let tries = 0; tries < (abandonedAfter * 1_000) / droppedLater.everyMs; tries++) {
    await sleep(droppedLater.everyMs, undefined, { ref: false })
    const isDone = await dropRequest(pool, scope, key, false, id).then(
      () => true,
      () => false,
    )
    if (isDone) break
  }
  droppedLater.now--
}

/**
 * The stored answer of the first request, also from before a rotation; undefined while it runs or after it was refused.
 */
async function firstAnswer(
  deps: Deps,
  scope: string,
  key: string,
  hashes: Buffer[],
  findsAgain: boolean,
): Promise<string | undefined> {
  const row = await readRequest(deps.pool, scope, key)
  if (row && !hashes.some(hash => row.body_hash.equals(hash))) throw new Refusal('idempotency_conflict')
  const isLost = row?.answer === null && row.status !== null && row.created_at < deps.clock() - abandonedAfter
  if (isLost && !findsAgain) throw new Refusal('idempotency_unknown')
  return row?.answer ?? undefined
}

/** Deletes answers older than two days, those of anonymous clients after ten minutes. Returns the number deleted. */
export async function deleteOldIdempotentAnswers(deps: Deps): Promise<number> {
  const now = deps.clock()
  return forgetAnswers(deps.pool, now - retention.all, now - retention.visitor, `${visitor}%`)
}
