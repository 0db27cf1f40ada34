import { first, type Queryable, run } from './db.ts'
import { Refusal } from './refusal.ts'

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

const readChainDoubt = first('copy-doubt-read', `select name from switches where name = '${copySwitch}:' || $1`)

/**
 * Throws Refusal while the payouts of a restored database on a chain are not in doubt yet: the original may have paid
 * what somebody wants to take back or to approve.
 */
export async function requirePayoutsDoubted(c: Queryable, chainId: string): Promise<void> {
  if (await readChainDoubt(c, chainId))
    throw new Refusal('operation_failed', {
      field: 'id',
      detail: {
        en: 'this database was restored and does not know yet what was paid since; try again in a minute',
        'zh-CN': '数据库刚从备份恢复，尚不清楚此后已支付了哪些款项；请一分钟后重试',
      },
    })
}
