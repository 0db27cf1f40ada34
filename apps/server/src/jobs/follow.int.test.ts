import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { FakeChain } from '@coffer/chains/fake/chain.ts'
import { eth, moneyWorld } from '../testing/money.ts'
import { follow } from './follow.ts'

const token = eth.tokens[0]!.contract
const payer = '0x00000000000000000000000000000000000000aa'

/** A world whose eth is a chain in memory, followed by the job until the test ends. */
async function followed(t: TestContext) {
  const world = await moneyWorld(t)
  // Positions of the test's own chain are forgotten: this one begins with its first block.
  await world.owner.query(
    'update chains set last_number = null, last_hash = null, final_number = -1; delete from chain_blocks',
  )
  const chain = new FakeChain({ definition: eth, seed: 1, time: world.deps.clock() })
  const stop = new AbortController()
  const done = follow(world.deps, chain, stop.signal)
  t.after(async () => {
    stop.abort()
    await done
  })
  await until(async () => (await position(world)) === 0)
  return { ...world, chain }
}

const position = async ({ owner }: Pick<Awaited<ReturnType<typeof moneyWorld>>, 'owner'>) => {
  const { rows } = await owner.query('select last_number from chains where id = $1', [eth.id])
  return rows[0].last_number
}

async function until(holds: () => Promise<boolean>) {
  while (!(await holds())) await sleep(20)
}

test('money is seen, credited and its gas read while the chain is followed', async t => {
  const world = await followed(t)
  const order = await world.pay()
  world.chain.mine([[{ token, from: payer, to: order.address, amount: 10_000_000n }]])
  await until(async () => (await world.payment(order.trade_no)).pending_amount === '10000000')
  world.chain.mine()
  world.chain.mine()
  await until(async () => (await world.payment(order.trade_no)).status === 2)
  await until(async () => (await world.deposits(order.trade_no))[0].gas === '210000')
})
