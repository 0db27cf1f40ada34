/**
 * A second process that follows the chain eth of a database until it is about to store a block, and waits there for a
 * line: `node frozen-follower.ts <database> <first block as JSON> <seconds to add to its lease>`. Then it goes on, also
 * writes the height it had read, and prints what became of both.
 */
import { once } from 'node:events'
import pg from 'pg'
import { pino } from 'pino'
import { touchChain } from '../domains/chains/store.ts'
import { applyBlocks } from '../domains/deposits/apply-blocks.ts'
import { withChainLease } from '../domains/deposits/chain-lease.ts'
import { makePool } from '../make-deps.ts'
import { makeTestDeps } from './deps.ts'
import { addressAt, eth } from './money.ts'

const [database = '', event = '', more = '0'] = process.argv.slice(2)
const pool = makePool(database, pino({ level: 'silent' }))
const deps = makeTestDeps({ pool, addressAt, chains: new Map() })
const query = pg.Client.prototype.query
pg.Client.prototype.query = async function (this: pg.Client, ...args: unknown[]) {
  if ((args[0] as { name?: string }).name === 'chain-append') {
    console.log('in its transaction')
    await once(process.stdin, 'data')
  }
  return Reflect.apply(query, this, args)
} as typeof query
await withChainLease(deps, { chainId: eth.id }, async ({ fence }) => {
  await pool.query('update chains set leased_until = leased_until + $2 where id = $1', [eth.id, more])
  const result = await applyBlocks(deps, { chainId: eth.id, event: JSON.parse(event), fence }).catch(() => 'refused')
  const again = await applyBlocks(deps, { chainId: eth.id, event: JSON.parse(event), fence }).catch(e => e.message)
  const touched = await touchChain(pool, eth.id, 1_000_000, deps.clock(), fence)
  console.log(JSON.stringify({ result, again, touched }))
})
process.exit(0)
