import type { Deps } from '../../deps.ts'
import { isCopy } from '../../kit/copy-switch.ts'
import { draftProof, publishDraft } from './make-proof.ts'
import { countProofIds, insertRequest, readRequest } from './store.ts'

const daySeconds = 86_400
/** How long the proof of a day waits for balances that are not certain (s). Then it says so of them. */
const patienceSeconds = 2 * 3_600

const formatDay = (time: number) => new Date(time * 1_000).toISOString().slice(0, 10)

/** Makes the proof of the day, and those that an operator asked for. Returns whether it published one. */
export async function makeDueProof(deps: Deps): Promise<boolean> {
  // The original publishes, and two would contradict each other.
  if (await isCopy(deps.pool)) return false
  if ((await publishDraft(deps)) !== null) return true
  const now = deps.clock()
  const requested = await readRequest(deps.pool)
  const day = formatDay(now)
  if (!requested && (await countProofIds(deps.pool, day))!.n! > 0) return false
  const wait = !requested && now % daySeconds < patienceSeconds
  if (!(await draftProof(deps, requested?.id ?? day, { wait }))) return false
  return (await publishDraft(deps)) !== null
}

/** Asks for a further proof of this day. Returns its id. */
export async function requestProof({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): Promise<string> {
  const now = clock()
  const day = formatDay(now)
  const { n } = (await countProofIds(pool, day))!
  const id = n === 0 ? day : `${day}-${n! + 1}`
  await insertRequest(pool, id, now)
  return id
}
