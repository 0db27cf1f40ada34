import { first, run } from '../../kit/db.ts'

/** Why and since when it is switched off; undefined while it is not. */
export const readSwitch = first('switch-read', 'select reason, since from switches where name = $1')

/** Switches it off; the first reason stays. */
export const setSwitch = run(
  'switch-set',
  'insert into switches (name, reason, since) values ($1, $2, $3) on conflict (name) do nothing',
)

/** Switches it on again. */
export const clearSwitch = run('switch-clear', 'delete from switches where name = $1')
