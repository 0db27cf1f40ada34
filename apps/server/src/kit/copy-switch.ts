import { first, type Queryable, run } from './db.ts'

/**
 * Name of the switch of a database that is a copy of another one, or an earlier state of its own: nothing is sent from
 * it, to chains or people, until an operator releases it.
 */
export const copySwitch = 'restored'

/** Reads why and since when the database is held as a copy; undefined while it is not. */
export const readCopyHold = first('copy-hold', `select reason, since from switches where name = '${copySwitch}'`)

export const isCopy = async (c: Queryable): Promise<boolean> => (await readCopyHold(c)) !== undefined

/** Releases it. */
export const clearCopyHold = run('copy-release', `delete from switches where name = '${copySwitch}'`)
