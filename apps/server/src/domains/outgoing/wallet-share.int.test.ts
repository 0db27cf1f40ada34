import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Endpoint } from '@coffer/chains'
import { elsewhere, listServers, ServerShare } from '../../kit/work-share.ts'
import { openChain } from '../../outside/open-chain.ts'
import { SignerUnavailable } from '../../signer/client.ts'
import type { TestDeps } from '../../testing/deps.ts'
import { type PayoutWorld, payoutWorld } from '../../testing/payout-world.ts'
import { runSendingPass } from './jobs.ts'
import type { PayableChain } from './sender.ts'
import { makeWalletShare, sendingWork } from './wallet-share.ts'

const paid = ['sent', 'in block', 'final']

interface Given {
  signer?: TestDeps['signer']
  nodes?: Endpoint[]
}

/** A server that sends what is its share, with a view of the chain of its own. `there` are the servers that run. */
function openServer(w: PayoutWorld, share: ServerShare, there: ReadonlySet<ServerShare>, given: Given) {
  const deps = { ...w.deps, share, signer: given.signer ?? w.deps.signer }
  const chain = openChain({ definition: w.definition, nodes: given.nodes ?? w.proxies }, deps.log) as PayableChain
  const own = makeWalletShare(deps, chain, sendingWork(w.definition.id))
  const pass = () => runSendingPass(own.deps, chain, w.owners, new Map())
  return {
    share,
    pass,
    /** What the jobs of a server do in a while. Returns whether it sent. */
    step: async () => {
      // However long the steps of others took.
      for (const each of there) await each.beat()
      return (await own.run(pass)) !== elsewhere
    },
  }
}

/** Two servers, of which `first` should send. `given` is what it has. */
async function twoServers(t: TestContext, w: PayoutWorld, given: Given = {}) {
  const shares = [1, 2].map(port => new ServerShare({ pool: w.deps.pool }, { port }))
  t.after(() => Promise.all(shares.map(each => each.end())))
  for (const each of shares) await each.beat()
  await w.deps.owner.query('update servers set started_at = started_at - 10')
  for (const each of shares) await each.beat()
  const work = sendingWork(w.definition.id)
  const [one, two] = shares.toSorted((a, b) => Number(b.isPreferred(work)) - Number(a.isPreferred(work)))
  const there = new Set(shares)
  const first = openServer(w, one!, there, given)
  const second = openServer(w, two!, there, {})
  for (let beats = 0; beats < 2; beats++) for (const each of [first, second]) await each.step()
  return { first, second, lose: () => there.delete(first.share) }
}

/** Lets servers do their part until all payouts are in blocks. */
async function untilPaid(w: PayoutWorld, servers: { step: () => Promise<boolean> }[], ids: readonly string[]) {
  for (let round = 0; round < 12; round++) {
    for (const each of servers) await each.step()
    await w.mine()
    const logs = await Promise.all(ids.map(id => w.log(id)))
    if (logs.every(log => log.includes('in block'))) return
  }
  assert.fail(JSON.stringify(await w.outgoing()))
}

async function assertPaidOnce(w: PayoutWorld, servers: { step: () => Promise<boolean> }[], ids: readonly string[]) {
  for (let round = 0; round < 3; round++) {
    await w.mine(3)
    for (const each of servers) await each.step()
  }
  for (const id of ids) assert.deepEqual(await w.log(id), paid)
}

const ask = async (w: PayoutWorld, count: number) => {
  const asked = []
  for (let n = 0; n < count; n++) asked.push(await w.ask())
  return asked.map(each => each.id)
}

test('one server sends from the wallets of a chain, and the console names it', async t => {
  const w = await payoutWorld(t)
  const { first, second } = await twoServers(t, w)
  assert.deepEqual([await first.step(), await second.step()], [true, false])
  const listed = await listServers(w.deps.pool)
  const holders = listed.filter(each => each.work.includes(sendingWork(w.definition.id)))
  assert.equal(holders.length, 1)
  assert.ok(Number(holders[0]!.since[0]) > 0)
  const ids = await ask(w, 3)
  await untilPaid(w, [first, second], ids)
  await assertPaidOnce(w, [first, second], ids)
})

test('a server that the signer does not answer leaves payouts to one that it does', async t => {
  const w = await payoutWorld(t)
  const silent = async () => {
    throw new SignerUnavailable('there is no signer on this machine')
  }
  const signer = new Proxy(w.deps.signer, { get: () => silent })
  const { first, second } = await twoServers(t, w, { signer })
  const ids = await ask(w, 3)
  assert.equal(await first.step(), true, 'it is to send')
  await untilPaid(w, [first, second], ids)
  assert.deepEqual([await first.step(), await second.step()], [false, true])
  await assertPaidOnce(w, [first, second], ids)
})

test('a server that reaches no node leaves payouts to one that does', async t => {
  const w = await payoutWorld(t)
  const { first, second } = await twoServers(t, w, { nodes: [{ url: 'http://127.0.0.1:1' }] })
  const ids = await ask(w, 2)
  await untilPaid(w, [first, second], ids)
  assert.deepEqual([await first.step(), await second.step()], [false, true])
  await assertPaidOnce(w, [first, second], ids)
})

test('another server goes on when the one that sends is killed', async t => {
  const w = await payoutWorld(t)
  const { first, second, lose } = await twoServers(t, w)
  const ids = await ask(w, 2)
  await first.step()
  lose()
  assert.ok((await w.outgoing()).length > 0, 'it has begun')
  await first.share.presence.end()
  ids.push(...(await ask(w, 2)))
  await untilPaid(w, [second], ids)
  await assertPaidOnce(w, [second], ids)
})

test('what a frozen server still does when it wakes up pays nothing twice', async t => {
  const w = await payoutWorld(t)
  const { first, second, lose } = await twoServers(t, w)
  const ids = await ask(w, 4)
  lose()
  let wake = () => {}
  let freeze = () => {}
  const frozen = new Promise<void>(resolve => (freeze = resolve))
  w.signer.before = async () => {
    w.signer.before = async () => {}
    freeze()
    await new Promise<void>(resolve => (wake = resolve))
  }
  const late = first.pass()
  await frozen
  await w.deps.owner.query('update servers set seen_at = seen_at - 7 where id = $1', [first.share.id])
  await untilPaid(w, [second], ids)
  wake()
  await late
  await assertPaidOnce(w, [first, second], ids)
})
