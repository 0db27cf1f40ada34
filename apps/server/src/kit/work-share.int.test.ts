import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { testDatabase } from '../testing/deps.ts'
import { elsewhere, listServers, ServerShare } from './work-share.ts'

const { pool, owner } = await testDatabase({ after })
const works = Array.from({ length: 60 }, (_, n) => `work ${n}`)

/** Servers that have been there for a while. */
async function servers(t: TestContext, count: number): Promise<ServerShare[]> {
  await owner.query('truncate servers, work_leases')
  const all = Array.from({ length: count }, (_, port) => new ServerShare({ pool }, { port }))
  t.after(() => Promise.all(all.map(each => each.end())))
  for (const each of all) await each.beat()
  await settle()
  return all
}

/** Lets all of them count as there. */
const settle = () => owner.query('update servers set started_at = started_at - 10')

/** Returns what each server does now. */
async function share(all: readonly ServerShare[]): Promise<string[][]> {
  const done: string[][] = []
  for (const server of all) {
    const own: string[] = []
    for (const work of works) if ((await server.run(work, async () => 'done')) === 'done') own.push(work)
    done.push(own)
  }
  return done
}

/** Two beats of each: one gives up what another should do, the other takes it. */
async function beats(all: readonly ServerShare[]): Promise<void> {
  for (let round = 0; round < 2; round++) for (const each of all) await each.beat()
}

test('one server does everything at once, and keeps it', async t => {
  const all = await servers(t, 1)
  assert.deepEqual(await share(all), [works])
  await beats(all)
  assert.deepEqual(await share(all), [works])
})

test('each piece of work is done by one of three servers, and by each a part', async t => {
  const all = await servers(t, 3)
  await share(all)
  await beats(all)
  const done = await share(all)
  assert.deepEqual(done.flat().sort(), [...works].sort())
  for (const own of done) assert.ok(own.length > 5, `${own.length} of ${works.length}`)
})

test('a server that is added or stopped moves its own share only', async t => {
  const all = await servers(t, 2)
  await share(all)
  await beats(all)
  const before = await share(all)
  const third = new ServerShare({ pool }, { port: 3 })
  t.after(() => third.end())
  await third.beat()
  assert.deepEqual(await share([third]), [[]], 'a new one waits')
  await settle()
  await beats([...all, third])
  const [one, two, its] = await share([...all, third])
  assert.ok(its!.length > 5)
  assert.deepEqual([...one!, ...its!.filter(each => before[0]!.includes(each))].sort(), [...before[0]!].sort())
  assert.deepEqual([...two!, ...its!.filter(each => before[1]!.includes(each))].sort(), [...before[1]!].sort())
  await third.end()
  await beats(all)
  assert.deepEqual(await share(all), before)
})

test('what a frozen server had is done by others once it is silent, and not by itself when it goes on', async t => {
  const [frozen, other] = (await servers(t, 2)) as [ServerShare, ServerShare]
  await share([frozen, other])
  await beats([frozen, other])
  const [its] = await share([frozen, other])
  assert.ok(its!.length > 0)
  await owner.query('update servers set seen_at = seen_at - 7 where id = $1', [frozen.id])
  await other.beat()
  assert.deepEqual(await share([other]), [works])
  // Its clock says that its last beat was long ago: it asks before it does anything.
  t.mock.method(performance, 'now', () => 1e12)
  assert.equal(await frozen.run(its![0]!, async () => 'done'), elsewhere)
})

test('a killed server is noticed at once: its connection is gone', async t => {
  const [killed, other] = (await servers(t, 2)) as [ServerShare, ServerShare]
  await share([killed, other])
  await beats([killed, other])
  await killed.presence.end()
  await other.beat()
  assert.deepEqual(await share([other]), [works])
})

test('work that runs is not given up before it has ended', async t => {
  const [one] = (await servers(t, 1)) as [ServerShare]
  const second = new ServerShare({ pool }, { port: 9 })
  t.after(() => second.end())
  let isDone = () => {}
  await share([one])
  await second.beat()
  await settle()
  await one.beat()
  const moved = works.find(each => !one.isPreferred(each))!
  await second.beat()
  await owner.query('update work_leases set server_id = $1 where work = $2', [one.id, moved])
  await Promise.all([one.beat()])
  const kept = works.find(each => one.isPreferred(each))!
  const running = one.run(kept, () => new Promise<string>(resolve => (isDone = () => resolve('done'))))
  one.decline(kept, 60_000)
  await beats([one, second])
  assert.equal(await second.run(kept, async () => 'done'), elsewhere)
  isDone()
  assert.equal(await running, 'done')
  await beats([one, second])
  assert.equal(await second.run(kept, async () => 'done'), 'done')
})

test('what a server cannot do is left to others, and done by one of them when none can', async t => {
  const all = (await servers(t, 2)) as [ServerShare, ServerShare]
  await share(all)
  await beats(all)
  const [own] = await share(all)
  const work = own![0]!
  all[0].decline(work, 60_000)
  await beats(all)
  assert.deepEqual(await Promise.all(all.map(each => each.run(work, async () => 'done'))), [elsewhere, 'done'])
  all[1].decline(work, 60_000)
  await beats(all)
  assert.deepEqual(await Promise.all(all.map(each => each.run(work, async () => 'done'))), ['done', elsewhere])
})

test('two that start at the same moment never do the same', async t => {
  await servers(t, 0)
  const all = [1, 2].map(port => new ServerShare({ pool }, { port }))
  t.after(() => Promise.all(all.map(each => each.end())))
  const done = await Promise.all(all.map(each => share([each])))
  const both = done.map(([own]) => own!)
  assert.deepEqual(
    both[0]!.filter(work => both[1]!.includes(work)),
    [],
  )
  assert.deepEqual(both.flat().sort(), [...works].sort())
})

test('one that started a moment before keeps what it took', async t => {
  await servers(t, 0)
  let open = () => {}
  const opened = new Promise<void>(resolve => (open = resolve))
  let reach = () => {}
  const reached = new Promise<void>(resolve => (reach = resolve))
  // Has seen who is there, and has not taken anything yet.
  const slow = new Proxy(pool, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key !== 'query') return typeof value === 'function' ? value.bind(target) : value
      return async (statement: { name: string }) => {
        if (statement.name === 'work-take') {
          reach()
          await opened
        }
        return target.query(statement as never)
      }
    },
  })
  const late = new ServerShare({ pool: slow }, { port: 1 })
  const first = new ServerShare({ pool }, { port: 2 })
  t.after(() => Promise.all([late.end(), first.end()]))
  const running = late.run(works[0]!, async () => 'done')
  await reached
  assert.equal(await first.run(works[0]!, async () => 'done'), 'done')
  open()
  assert.equal(await running, elsewhere)
})

test('the list names servers with their work, and none that has ended', async t => {
  const [one, two] = (await servers(t, 2)) as [ServerShare, ServerShare]
  await share([one, two])
  await beats([one, two])
  const listed = await listServers(pool)
  assert.deepEqual(listed.flatMap(each => each.work).sort(), [...works].sort())
  assert.equal(listed.length, 2)
  await two.end()
  assert.equal((await listServers(pool)).length, 1)
})
