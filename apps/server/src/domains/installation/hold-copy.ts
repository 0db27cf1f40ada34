import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import type { Deps } from '../../deps.ts'
import { clearCopyHold, copySwitch, readCopyHold } from '../../kit/copy-switch.ts'
import { first, run, tx } from '../../kit/db.ts'
import { endLastingIncident, reportLastingIncident } from '../chains/lasting-incidents.ts'
import { setSwitch } from '../chains/store.ts'
import { databaseIdentity, readFingerprints } from './store.ts'

/** Name of the mark outside the database of how far its beats were. */
const beatsMark = 'beats'
/** Beats that other servers may have counted beyond those of this one, before the database went back. */
const beatsMargin = 1_000_000

const beat = first(
  'lineage-beat',
  'insert into lineage as l (beats) values (1) on conflict (is_only) do update set beats = l.beats + 1 returning beats',
)
const readBeats = first('lineage-beats', 'select coalesce(max(beats), 0) as beats from lineage')
const raiseBeats = run(
  'lineage-raise',
  `insert into lineage as l (beats) values ($1)
   on conflict (is_only) do update set beats = greatest(l.beats, excluded.beats)`,
)
/** Has the payouts that are due on each chain wait for a person: they may have been paid after this state. */
const doubtPayouts = run(
  'copy-doubt',
  `insert into switches (name, reason, since) select '${copySwitch}:' || id, '', $1 from chains on conflict do nothing`,
)
/** Where a recovery was told to end before the end of the log: a setting that stays after it. */
const readRecoveryTarget = first(
  'recovery-target',
  `select string_agg(name || ' ' || setting, ', ') as target from pg_settings
   where name in ('recovery_target_time', 'recovery_target_lsn', 'recovery_target_xid', 'recovery_target_name', 'recovery_target')
     and coalesce(setting, '') <> ''`,
)

/**
 * Holds a database that is not the one that was last started, before anything is sent from it: one in another place, as
 * after a dump was restored or a disk was copied to where PostgreSQL was set up anew; one that is older than this
 * server has seen it; and one that was recovered to a point in time. A promoted standby is none of these.
 */
export async function holdIfCopied(deps: Deps): Promise<void> {
  const { pool } = deps
  const [identity, fingerprints] = await Promise.all([databaseIdentity(pool), readFingerprints(pool)])
  const before = fingerprints.find(row => row.name === 'database')?.value
  if (before === undefined) return
  const [placeBefore, placeNow] = [before, identity!.value].map(each => each.split('/').slice(0, 2).join('/'))
  if (placeBefore !== placeNow) await holdCopy(deps, encodeHaltReason('copy_elsewhere'))
  else if (!(await holdIfOlder(deps)) && before !== identity!.value) {
    const { target } = (await readRecoveryTarget(pool))!
    if (target) await holdCopy(deps, encodeHaltReason('copy_recovered', target))
  }
}

/** Holds a database that is older than this server has seen it. Returns whether it is. */
async function holdIfOlder(deps: Deps): Promise<boolean> {
  const seen = deps.addressMark.read()[beatsMark] ?? 0
  const { beats } = (await readBeats(deps.pool))!
  if (beats >= seen) return false
  await holdCopy(deps, encodeHaltReason('copy_older'))
  // It counts on from there: once it is released it is not older any more.
  await raiseBeats(deps.pool, seen + beatsMargin)
  return true
}

async function holdCopy({ pool, clock, log }: Deps, reason: string): Promise<void> {
  const now = clock()
  await tx(pool, async c => {
    if ((await setSwitch(c, copySwitch, reason, now)) > 0) await doubtPayouts(c, now)
    await reportLastingIncident(c, { kind: 'database_copied', chain_id: null, of: {}, detail: { reason } }, now)
  })
  log.error({ reason }, 'this database is a copy: nothing is sent from it until "coffer restore release"')
}

/**
 * Counts that the database goes on, and notes the count outside it once that is committed. Holds the database when it
 * has gone back under a server that runs.
 */
export async function beatDatabase(deps: Deps): Promise<false> {
  if (await holdIfOlder(deps)) return false
  const { beats } = (await beat(deps.pool))!
  deps.addressMark.raise(beatsMark, beats)
  return false
}

/** Lets a copy send again: the original is off for good. Returns whether it was held. */
export const releaseCopy = ({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): Promise<boolean> =>
  tx(pool, async c => {
    if (!(await readCopyHold(c))) return false
    await clearCopyHold(c)
    await endLastingIncident(c, { kind: 'database_copied', chain_id: null, of: {} }, clock())
    return true
  })
