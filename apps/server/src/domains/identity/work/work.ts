import { randomInt, timingSafeEqual } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { type Queryable, tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { hashCode, hashSecret } from '../../../kit/secrets.ts'
import { countCall, type RateLimit, readCallCount } from '../../../kit/throttle.ts'
import { toIpRateLimitKey, type Visitor } from '../../../kit/visitor.ts'
import { hashWorkPass } from '../../notifications/mail-links.ts'
import { spendChallenge } from '../spend-challenge.ts'

const algorithm = 'PBKDF2/SHA-256'
/**
 * Iterations of a derivation, and how many derivations a price of 1 takes: a quarter of a second on a laptop, one on a
 * phone.
 */
const iterations = 2_000
const fewest = 150
const most = 450
/** Seconds for which a challenge can be answered. */
const challengeSeconds = 600
/** The calls that the link of a mail lets pass. */
const passLimit: RateLimit = { max: 20, seconds: 900 }

/**
 * Calls that are free up to a limit. Each one above costs work, twice as much for each further `max`, up to the price
 * `dearest`.
 */
export interface FreeCallQuota {
  key: string
  limit: RateLimit
  dearest: number
}

/** A call of a stranger. Work is bound to its name and, where it concerns a mailbox, to that. */
interface Call {
  call: string
  mailbox: string
  shares: readonly FreeCallQuota[]
  from: Pick<Visitor, 'work'>
}

type Counting = Pick<Deps, 'config' | 'clock'> & { pool: Queryable }

/**
 * The share of a visitor's address, so that one machine in a network does not make all mailboxes cheap. In the sandbox
 * all visitors share one machine, hence a higher limit.
 */
export const createIpQuota = (
  deps: Pick<Deps, 'config'>,
  what: string,
  ip: string,
  { max, seconds }: RateLimit,
): FreeCallQuota => ({
  key: `${what} ip ${toIpRateLimitKey(ip)}`,
  limit: { max: max * (deps.config.mode === 'sandbox' ? 1_000 : 1), seconds },
  dearest: 16,
})

const priceOf = (calls: number, { limit: { max }, dearest }: FreeCallQuota) =>
  calls <= max ? 0 : Math.min(dearest, 2 ** Math.floor((calls - max - 1) / max))

/**
 * Counts a call of a stranger. Above a share it costs a proof of work that the browser does unnoticed, or the link of
 * the mail about guessing: strangers make each other's calls dearer, within bounds, and never impossible. Throws
 * Refusal('work_needed') with a challenge; `counting` must be a transaction, so that such a call counts nowhere.
 */
export async function requireWorkForCall(counting: Counting, { shares, ...call }: Call): Promise<void> {
  let price = 0
  for (const share of shares)
    price = Math.max(price, priceOf(await countCall(counting, share.key, share.limit.seconds), share))
  await pay(counting, call, price)
}

async function pay(counting: Counting, { call, mailbox, from }: Omit<Call, 'shares'>, price: number): Promise<void> {
  if (price === 0 || (await passes(counting, mailbox, from.work))) return
  const bound = { call, mailbox: mailboxName(counting, mailbox) }
  if (!(await isPaid(counting, { ...bound, price }, from.work)))
    throw new Refusal('work_needed', { data: { challenge: await challengeOf(counting, { ...bound, price }) } })
}

/** The same for a call that concerns no mailbox, in a transaction of its own. */
export const requireWorkByIp = (deps: Deps, call: string, from: Visitor, limit: RateLimit): Promise<void> =>
  tx(deps.pool, c =>
    requireWorkForCall(
      { ...deps, pool: c },
      { call, mailbox: '', shares: [createIpQuota(deps, call, from.ip, limit)], from },
    ),
  )

/**
 * The same for a call whose success counts, and not its attempts: the wrong codes of a neighbour. Is paid before the
 * attempt, of which there are few. Returns what counts the success.
 */
export async function requireWorkBeforeAttempt(
  deps: Deps,
  call: string,
  from: Visitor,
  limit: RateLimit,
): Promise<() => Promise<unknown>> {
  const share = createIpQuota(deps, call, from.ip, limit)
  const {
    key,
    limit: { seconds },
  } = share
  const price = priceOf((await readCallCount(deps, key, seconds)) + 1, share)
  if (price > 0) await tx(deps.pool, c => pay({ ...deps, pool: c }, { call, mailbox: '', from }, price))
  return () => countCall(deps, key, seconds)
}

const mailboxName = ({ config }: Pick<Deps, 'config'>, mailbox: string) =>
  hashCode(config.secret, ['work mailbox', mailbox]).toString('hex')

const secretsOf = ({ config }: Pick<Deps, 'config'>) => ({
  hmacSignatureSecret: hashCode(config.secret, ['work challenge']).toString('hex'),
  hmacKeySignatureSecret: hashCode(config.secret, ['work key']).toString('hex'),
})

interface Bound {
  call: string
  mailbox: string
  price: number
}

const challengeOf = (deps: Counting, { price, ...bound }: Bound) =>
  createChallenge({
    algorithm,
    deriveKey,
    cost: iterations,
    counter: randomInt(fewest * price, most * price),
    data: { ...bound, price, until: deps.clock() + challengeSeconds },
    ...secretsOf(deps),
  })

const bound = z.object({ call: z.string(), mailbox: z.string(), price: z.number(), until: z.number() })
const payment = z.object({
  challenge: z.object({
    parameters: z.looseObject({ algorithm: z.literal(algorithm), data: bound }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

function readPayment(work: string) {
  try {
    return payment.safeParse(JSON.parse(Buffer.from(work, 'base64url').toString())).data
  } catch {
    return undefined
  }
}

/** Whether a solution is one of ours, for this call, good enough, and was not used before. */
async function isPaid(counting: Counting, { call, mailbox, price }: Bound, work = ''): Promise<boolean> {
  const given = readPayment(work)
  if (!given) return false
  const { data } = given.challenge.parameters
  // The price may have risen by a step since.
  if (data.call !== call || data.mailbox !== mailbox || data.price * 2 < price || data.until <= counting.clock())
    return false
  const { verified } = await verifySolution({
    ...(given as unknown as Pick<Parameters<typeof verifySolution>[0], 'challenge' | 'solution'>),
    deriveKey,
    ...secretsOf(counting),
  })
  return verified && (await spendChallenge(counting.pool, hashSecret(given.challenge.signature), data.until)) === 1
}

async function passes(counting: Counting, mailbox: string, work = ''): Promise<boolean> {
  const [, end = '', code = ''] = /^pass\.(\w{1,10})\.([\w-]{43})$/.exec(work) ?? []
  if (mailbox === '' || Number.parseInt(end, 36) <= counting.clock()) return false
  const given = Buffer.from(code)
  const expected = Buffer.from(hashWorkPass(counting, mailbox, end))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  return (await countCall(counting, `pass ${mailbox}`, passLimit.seconds)) <= passLimit.max
}
