import assert from 'node:assert/strict'
import { createECDH, createHash, randomBytes } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import type pg from 'pg'
import { tx } from '../../kit/db.ts'
import { events } from '../../kit/outbox.ts'
import { smtpMailer } from '../../outside/mail.ts'
import { makeWebPushSender } from '../../outside/push.ts'
import { type TestDeps, withDeps } from '../../testing/deps.ts'
import { type Mood, startMailServer } from '../../testing/mail-server.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { ensurePushKeys } from './push-keys.ts'
import { makeMessageSender } from './sender.ts'

/** Events of each round, none of which may be lost. */
const rounds = 200
const settings = { smtpBackupUrl: '', mailFrom: 'Coffer <no-reply@example.com>', publicUrl: 'https://pay.example.com' }

/** A push service (RFC 8030) that keeps the topics of what it has accepted. */
async function startPushService(t: TestContext) {
  const state = { status: 201, retryAfter: '', accepted: [] as string[], asked: 0 }
  const server = createHttpServer((request, answer) => {
    state.asked++
    if (state.status === 201) state.accepted.push(String(request.headers.topic))
    if (state.retryAfter) answer.setHeader('retry-after', state.retryAfter)
    request.resume().on('end', () => answer.writeHead(state.status).end())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => (server as Server).close())
  return { state, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function mailWorld(t: TestContext) {
  const { state, port, ...server } = await startMailServer(t)
  const mail = smtpMailer({ ...settings, smtpUrl: `smtp://127.0.0.1:${port}` }, { timeoutMs: 300 })
  const deps = await withDeps(t, { mail })
  const { id } = await testMerchant(deps)
  /** Reports the events of a round, each in a transaction of its own. */
  const report = async (of = deps.pool) => {
    for (let n = 0; n < rounds; n++)
      await tx(of, async (_, uow) =>
        uow.add(events, [
          { merchant_id: id, name: 'account_passkey_added', params: { name: `${n}` }, created_at: deps.clock() },
        ]),
      )
  }
  return { deps, state, server, report }
}

/** Sends what is due now, as the job does: what was taken together is sent together. */
async function send(sender: ReturnType<typeof makeMessageSender>): Promise<void> {
  for (let due = await sender.lease(); due.length > 0; due = await sender.lease())
    await Promise.allSettled(due.map(sender.send))
}

interface Result {
  id: string
  result: string
  error: string
  tries: number
}

const results = async ({ owner }: TestDeps & { owner: pg.Pool }): Promise<Result[]> =>
  (await owner.query('select id, result, error, tries from messages')).rows

/** Sends until nothing waits, for at most three days of the clock. */
async function sendAll(deps: Parameters<typeof results>[0], sender = makeMessageSender(deps)): Promise<void> {
  for (let hour = 0; hour < 73; hour++) {
    await send(sender)
    if ((await results(deps)).every(row => row.result !== '')) return
    deps.pass(3_600)
  }
}

/** Fails if one was lost, or has another name in a repeat. Returns how many were repeated. */
async function countRepeats(deps: Parameters<typeof results>[0], taken: readonly string[]): Promise<number> {
  const rows = await results(deps)
  assert.deepEqual(new Set(taken), new Set(rows.map(row => row.id)), 'none lost, and a repeat has the same Message-ID')
  assert.equal(rows.length, rounds)
  assert.ok(rows.every(row => row.result === 'accepted'))
  return taken.length - rounds
}

const moods: Record<string, Mood> = {
  'answers 421': { at: 'greeting', reply: '421 4.3.2 shutting down' },
  'answers 421 to a recipient': { at: 'RCPT', reply: '421 4.7.0 too many' },
  'answers 450': { at: 'RCPT', reply: '450 4.2.1 greylisted' },
  'answers 452 to the mail': { at: 'DATA', reply: '452 4.3.1 disk is full' },
  hangs: 'hangs',
}
for (const [name, mood] of Object.entries(moods))
  test(`a mail server ${name} for ten minutes: all arrive, once`, async t => {
    const { deps, state, report } = await mailWorld(t)
    state.mood = mood
    await report()
    const sender = makeMessageSender(deps)
    for (let passed = 0; passed < 600; passed += 60) {
      await send(sender)
      deps.pass(60)
    }
    assert.equal(state.taken.length, 0)
    t.diagnostic(`connections in ten minutes: ${state.connections}`)
    state.mood = 'well'
    await sendAll(deps, sender)
    assert.equal(await countRepeats(deps, state.taken), 0)
  })

test('a mail server is away for ten minutes: all arrive, once, and few attempts are made', async t => {
  const { deps, state, server, report } = await mailWorld(t)
  await server.close()
  await report()
  const sender = makeMessageSender(deps)
  for (let passed = 0; passed < 600; passed += 10) {
    await send(sender)
    deps.pass(10)
  }
  const tried = (await results(deps)).reduce((sum, row) => sum + row.tries, 0)
  assert.ok(tried < 20, `${tried} attempts`)
  await server.listen()
  await sendAll(deps, sender)
  assert.equal(await countRepeats(deps, state.taken), 0)
})

test('a mail server closes after it has the mail: all arrive, and a repeat has the same Message-ID', async t => {
  const { deps, state, report } = await mailWorld(t)
  state.mood = 'closes after DATA'
  await report()
  const sender = makeMessageSender(deps)
  for (let passed = 0; passed < 600; passed += 60) {
    await send(sender)
    deps.pass(60)
  }
  const before = state.taken.length
  assert.ok(before > 0)
  state.mood = 'well'
  await sendAll(deps, sender)
  assert.equal(await countRepeats(deps, state.taken), before)
  t.diagnostic(`repeats: ${before}`)
})

test('a mail server answers 550: each is tried once, and its refusal is kept', async t => {
  const { deps, state, report } = await mailWorld(t)
  state.mood = { at: 'RCPT', reply: '550 5.1.1 no such user' }
  await report()
  await sendAll(deps)
  const rows = await results(deps)
  assert.deepEqual([rows.length, state.taken.length], [rounds, 0])
  for (const { result, error, tries } of rows) {
    assert.deepEqual([result, tries], ['refused', 1])
    assert.match(error, /550 5\.1\.1 no such user/)
  }
})

/** A pool of a server that dies as it records the fifth message that it has sent. */
function dyingPool(pool: pg.Pool): pg.Pool {
  let records = 0
  const query = (statement: { text: string }, ...rest: unknown[]) => {
    if (/update messages set done_at/.test(statement.text)) records++
    return records > 4 ? Promise.reject(new Error('killed here')) : pool.query(statement, ...(rest as []))
  }
  return new Proxy(pool, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) })
}

/** Sends by servers of which each dies. Returns how many messages were sent, and not recorded. */
async function sendByDyingServers(deps: Parameters<typeof results>[0]): Promise<number> {
  let killed = 0
  for (let lives = 0; (await results(deps)).some(row => row.result === ''); lives++) {
    assert.ok(lives <= rounds)
    const life = makeMessageSender({ ...deps, pool: dyingPool(deps.pool) })
    const sent = await Promise.allSettled((await life.lease()).map(life.send))
    killed += sent.filter(each => each.status === 'rejected').length
    deps.pass(120)
  }
  return killed
}

test('a server is killed after each commit, and after each mail: none is lost, and a repeat has the same Message-ID', async t => {
  const { deps, state, report } = await mailWorld(t)
  await report()
  assert.equal(state.taken.length, 0, 'whoever reported them is gone')
  const killed = await sendByDyingServers(deps)
  assert.ok(killed >= rounds / 5)
  assert.equal(await countRepeats(deps, state.taken), killed)
  t.diagnostic(`killed and repeated: ${killed}`)
})

/** A shop with as many devices, each with a push that waits. */
async function pushWorld(t: TestContext) {
  const { state, origin } = await startPushService(t)
  const reach = { loopback: true, private: [], ports: [] }
  const push = makeWebPushSender({ mailFrom: settings.mailFrom, callbackHttp: 'allow' }, reach)
  const deps = await withDeps(t, { push })
  await ensurePushKeys(deps)
  const { id } = await testMerchant(deps)
  const browser = createECDH('prime256v1')
  const p256dh = browser.generateKeys('base64url')
  await deps.owner.query(
    `insert into push_devices (id, person_id, merchant_id, session_id, endpoint, p256dh, auth, language, device, created_at, seen_at)
     select 'd' || n, $1, $1, 's', $2 || '/' || n, $3, $4, 'en', 'Phone', $5, $5 from generate_series(1, ${rounds}) n`,
    [id, origin, p256dh, randomBytes(16).toString('base64url'), deps.clock()],
  )
  const params = { amount: '10', token: 'USDT', chain: 'Ethereum', trade_no: '1' }
  await tx(deps.pool, async (_, uow) =>
    uow.add(events, [{ merchant_id: id, name: 'payment_paid', params, created_at: deps.clock() }]),
  )
  return { deps, state }
}

const topicOf = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, 32)

for (const [status, retryAfter] of [
  [429, '90'],
  [500, ''],
  [503, ''],
] as const)
  test(`a push service answers ${status} for ten minutes: all arrive, once`, async t => {
    const { deps, state } = await pushWorld(t)
    Object.assign(state, { status, retryAfter })
    const sender = makeMessageSender(deps)
    for (let passed = 0; passed < 600; passed += 30) {
      await send(sender)
      deps.pass(30)
    }
    t.diagnostic(`requests in ten minutes: ${state.asked}`)
    assert.ok(state.asked < 60, `${state.asked} requests`)
    Object.assign(state, { status: 201, retryAfter: '' })
    await sendAll(deps, sender)
    const rows = await results(deps)
    assert.deepEqual(new Set(state.accepted), new Set(rows.map(row => topicOf(row.id))))
    assert.deepEqual([rows.length, state.accepted.length], [rounds, rounds])
  })

test('a push service answers 410: each is tried once, and the devices are gone', async t => {
  const { deps, state } = await pushWorld(t)
  state.status = 410
  await sendAll(deps)
  const rows = await results(deps)
  assert.deepEqual([rows.length, state.asked, state.accepted.length], [rounds, rounds, 0])
  for (const { result, error } of rows) assert.deepEqual([result, error], ['refused', 'HTTP 410'])
  assert.equal((await deps.owner.query('select 1 from push_devices')).rowCount, 0)
})

test('a server is killed after each push: none is lost, and a repeat has the same topic', async t => {
  const { deps, state } = await pushWorld(t)
  const killed = await sendByDyingServers(deps)
  const rows = await results(deps)
  assert.deepEqual(new Set(state.accepted), new Set(rows.map(row => topicOf(row.id))))
  assert.equal(state.accepted.length, rounds + killed)
  t.diagnostic(`killed and repeated: ${killed}`)
})
