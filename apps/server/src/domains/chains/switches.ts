import { one, type Queryable, q } from '../../kit/db.ts'

/** What can be switched off until a person switches it on again. */
export type SwitchName = 'withdrawals_stopped'

/** Why and since when it is switched off; undefined while it is not. */
export const readSwitch = (c: Queryable, name: SwitchName) =>
  one<{ reason: string; since: number }>(c, 'switch-read', 'select reason, since from switches where name = $1', [name])

/** Switches it off; the first reason stays. */
export const setSwitch = (c: Queryable, name: SwitchName, reason: string, now: number) =>
  q(c, 'switch-set', 'insert into switches (name, reason, since) values ($1, $2, $3) on conflict (name) do nothing', [
    name,
    reason,
    now,
  ])

/** Switches it on again. */
export const clearSwitch = (c: Queryable, name: SwitchName) =>
  q(c, 'switch-clear', 'delete from switches where name = $1', [name])
