import { chainKindNames } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import {
  addFingerprints,
  databaseIdentity,
  deleteOtherFingerprints,
  raiseAddressCounter,
  readAddressCounters,
  readFingerprints,
} from './store.ts'

/** Fewest indexes skipped in a restored database. */
const skipMin = 10_000

/** Whether two identities are of one cluster and database: of before and after a promotion, or a recovery in time. */
const isPromoted = (before: string, now: string): boolean => {
  const [cluster, database] = before.split('/')
  return now.startsWith(`${cluster}/${database}/`)
}

/**
 * Skips the address indexes that an older state of this database may already have given out, so that no address has two
 * payers. A dump restored elsewhere, a recovery to a point in time and a promoted standby change the database's
 * identity: as many indexes are skipped as were ever used, at least 10,000. A dump restored in place leaves the mark
 * outside the database ahead of the counter: they are skipped up to the mark.
 *
 * A promotion skips no more than 10,000 beyond what this folder knows to be used: they are frequent where a database
 * fails over, and doubling what was used would exhaust the 2^31 indexes after some twenty.
 */
export async function skipUsedAddresses(deps: Deps): Promise<void> {
  const { pool, config, log } = deps
  const [identity, fingerprints, counters] = await Promise.all([
    databaseIdentity(pool),
    readFingerprints(pool),
    readAddressCounters(pool),
  ])
  const value = identity!.value
  const before = fingerprints.find(row => row.name === 'database')?.value
  const marks = deps.addressMark.read()
  for (const kind of chainKindNames.filter(each => config.xpubs[each])) {
    const counter = counters.find(row => row.chain_kind === kind)?.next_index ?? 0
    const used = Math.max(counter, marks[kind] ?? 0)
    const isKnown = marks[kind] !== undefined && before !== undefined && isPromoted(before, value)
    const next = before === undefined || before === value ? used : used + (isKnown ? skipMin : Math.max(skipMin, used))
    // Also at the first start, so that a folder that cannot be written is noticed now.
    deps.addressMark.raise(kind, next)
    if (next === counter) continue
    await raiseAddressCounter(pool, kind, next)
    log.warn({ kind, from: counter, to: next }, 'the database was restored: skipping address indexes it may have used')
  }
  await addFingerprints(pool, ['database'], [value], deps.clock())
  await deleteOtherFingerprints(pool, 'database', value)
}
