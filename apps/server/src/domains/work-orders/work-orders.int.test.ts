import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RouteBody } from '@coffer/contract'
import { workOrderStatus } from '@coffer/contract/codes.ts'
import { findCommand, runCommand } from '../../cli/run.ts'
import { call } from '../../testing/call.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { moneyWorld, rowsOf } from '../../testing/money.ts'
import { testPicture } from '../../testing/picture.ts'
import { messageHandlers } from '../notifications/routes.ts'
import { answerWorkOrder, closeWorkOrder } from './change-order.ts'
import { deleteOldPictures, uploadOrderPicture } from './pictures.ts'
import { workOrderHandlers } from './routes.ts'

const world = await moneyWorld({ after })
const { deps, owner, merchant } = world
const other = await testMerchant(deps)
const { in_progress, answered, closed } = workOrderStatus

type Create = RouteBody<'POST /api/v1/work-order'>
const create = async (more: Partial<Create> = {}, merchantId = merchant.id) => {
  const body: Create = { type: 'payment', theme: ' Not credited ', description: 'I paid 5 %\nTwice.', ...more }
  return (await call(workOrderHandlers, 'POST /api/v1/work-order', deps, merchantId, { body })).number
}
const list = (query: object = {}, merchantId = merchant.id) =>
  call(workOrderHandlers, 'GET /api/v1/work-order/list', deps, merchantId, { query })
const detail = (number: string, merchantId = merchant.id) =>
  call(workOrderHandlers, 'GET /api/v1/work-order', deps, merchantId, { query: { number } })
const say = (verb: 'reply' | 'reopen', number: string, merchantId = merchant.id, text = 'More') =>
  call(workOrderHandlers, `POST /api/v1/work-order/${verb}`, deps, merchantId, { body: { number, text } })
const close = (number: string, merchantId = merchant.id) =>
  call(workOrderHandlers, 'POST /api/v1/work-order/close', deps, merchantId, { body: { number } })
const read = (number: string, merchantId = merchant.id) =>
  call(workOrderHandlers, 'PUT /api/v1/work-order/read', deps, merchantId, { body: { number } })
const upload = async (merchantId: string, number: string | null = null) =>
  (await uploadOrderPicture(deps, { merchantId, number, file: testPicture })).id

test('a thread: asked, answered, read, asked again, closed and reopened within 7 days', async () => {
  const merchant = await testMerchant(deps)
  const { appid } = await testApplication(deps, merchant.id)
  const payment = await world.pay({}, { merchantId: merchant.id, appid })
  const picture = await upload(merchant.id)
  const number = await create({ pictures: [picture], about: { kind: 'payment', id: payment.trade_no } }, merchant.id)
  const first = await detail(number, merchant.id)
  assert.deepEqual(
    [
      first.theme,
      first.status,
      first.about,
      first.unread,
      first.messages.map(each => [each.author, each.text, each.pictures]),
    ],
    [
      'Not credited',
      in_progress,
      { kind: 'payment', id: payment.trade_no },
      false,
      [['merchant', 'I paid 5 %\nTwice.', [picture]]],
    ],
  )
  deps.pass(60)
  await answerWorkOrder(deps, { number, text: ' It is credited now. ', pictures: [], operator: 'Ann' })
  const second = await detail(number, merchant.id)
  assert.deepEqual([second.status, second.unread, second.updated_time - second.created_time], [answered, true, 60])
  assert.deepEqual(second.messages.at(-1)?.text, 'It is credited now.')
  assert.ok(!JSON.stringify(second).includes('Ann'), 'the name of an operator is not shown')
  const answers = `select params from notifications where message = 'work_order_answered' and params ->> 'work_order' = $1`
  const reported = await rowsOf(owner, answers, [number])
  assert.deepEqual(
    reported.map(row => row.params),
    [{ work_order: number, theme: 'Not credited' }],
  )
  assert.equal((await call(messageHandlers, 'GET /api/v1/message', deps, merchant.id, { query: {} })).work_orders, 1)
  assert.deepEqual(await read(number, merchant.id), { unread: 0 })
  assert.deepEqual(await read(number, merchant.id), { unread: 0 })
  await say('reply', number, merchant.id)
  assert.equal((await detail(number, merchant.id)).status, in_progress)
  await assert.rejects(say('reopen', number, merchant.id), { reason: 'work_order_open' })
  await close(number, merchant.id)
  await close(number, merchant.id)
  await assert.rejects(say('reply', number, merchant.id), { reason: 'work_order_closed' })
  await assert.rejects(answerWorkOrder(deps, { number, text: 'x', pictures: [], operator: 'Ann' }), {
    reason: 'work_order_closed',
  })
  await say('reopen', number, merchant.id)
  assert.deepEqual((await detail(number, merchant.id)).messages.length, 4)
  await closeWorkOrder(deps, { number })
  deps.pass(7 * 86_400 + 1)
  await assert.rejects(say('reopen', number, merchant.id), { reason: 'work_order_too_old' })
  assert.equal((await detail(number, merchant.id)).status, closed)
})

test('lists by status, type and text, and takes special characters literally', async () => {
  const { id } = await testMerchant(deps)
  const number = await create({ type: 'billing', theme: 'Invoice 100%' }, id)
  for (const [query, expected] of [
    [{ type: 'billing' }, [number]],
    [{ text: '100%' }, [number]],
    [{ text: '1%0' }, []],
    [{ text: number.slice(2) }, [number]],
    [{ text: 'TWICE', status: String(in_progress) }, [number]],
  ] as const) {
    const { list: rows, total } = await list(query, id)
    assert.deepEqual([rows.map(row => row.number), total], [expected, expected.length], JSON.stringify(query))
  }
})

test('nothing is shown to or changed by another merchant', async () => {
  const number = await create()
  assert.deepEqual(await list({}, other.id), { list: [], total: 0 })
  for (const attempt of [
    () => detail(number, other.id),
    () => say('reply', number, other.id),
    () => close(number, other.id),
    () => read(number, other.id),
  ])
    await assert.rejects(attempt(), { reason: 'work_order_not_exist' })
  const foreign = await upload(other.id)
  await assert.rejects(create({ pictures: [foreign] }), { reason: 'bad_image' })
  const payment = await world.pay({})
  const about = { kind: 'payment', id: payment.trade_no } as const
  await assert.rejects(create({ about }, other.id), { reason: 'not_found' })
  await assert.rejects(create({ about: { kind: 'withdrawal', id: payment.trade_no } }), { reason: 'not_found' })
  await assert.rejects(create({ description: 'a\u202eb' }), { name: 'ZodError' })
  await assert.rejects(create({ pictures: Array.from({ length: 6 }, () => foreign) }), { name: 'ZodError' })
})

test('pictures end with the case: a week after it was closed, and a day after they were uploaded when never sent', async () => {
  const sent = await upload(merchant.id)
  const unsent = await upload(merchant.id)
  const later = await upload(merchant.id)
  const number = await create({ pictures: [sent, later] })
  await assert.rejects(create({ pictures: [sent] }), { reason: 'bad_image' })
  const operators = await upload(merchant.id, number)
  await assert.rejects(create({ pictures: [operators] }), { reason: 'bad_image' })
  await answerWorkOrder(deps, { number, text: 'See here', pictures: [operators], operator: 'Ann' })
  const shown = async () => (await detail(number)).messages.map(each => [each.pictures, each.pictures_deleted])
  const stored = async () =>
    (await rowsOf(owner, 'select name from work_order_pictures where merchant_id = $1', [merchant.id])).map(r => r.name)
  const all = [
    [[sent, later], 0],
    [[operators], 0],
  ]
  deps.pass(86_401)
  await deleteOldPictures(deps)
  assert.ok(!(await stored()).includes(unsent))
  assert.deepEqual(await shown(), all)
  await close(number)
  deps.pass(7 * 86_400)
  await deleteOldPictures(deps)
  assert.deepEqual(await shown(), all, 'while it can be reopened')
  deps.pass(1)
  await deleteOldPictures(deps)
  assert.deepEqual(await shown(), [
    [[], 2],
    [[], 1],
  ])
  for (const name of [sent, later, operators]) assert.ok(!(await stored()).includes(name))
})

test('answers and closing at once leave a closed order or a refused answer, and messages cannot be changed', async () => {
  const number = await create()
  await Promise.allSettled([
    answerWorkOrder(deps, { number, text: 'One', pictures: [], operator: 'Ann' }),
    close(number),
    answerWorkOrder(deps, { number, text: 'Two', pictures: [], operator: 'Bob' }),
  ])
  assert.equal((await detail(number)).status, closed)
  await assert.rejects(deps.pool.query(`update work_order_messages set text = 'x'`), { code: '42501' })
  await assert.rejects(deps.pool.query('delete from work_orders'), { code: '42501' })
})

test('the operator lists, shows, answers and closes from the command line', async () => {
  const number = await create({ theme: 'From a terminal', description: 'a\nW1 (closed)' })
  const run = async (...words: string[]) => runCommand(deps, findCommand(words)!)
  assert.match((await run('work-order', 'list')).text, new RegExp(`${number} +in progress`))
  assert.match((await run('work-order', 'show', number)).text, /^ {4}W1 \(closed\)$/m)
  assert.equal((await run('work-order', 'answer', number, 'Done,', 'see above')).code, 0)
  assert.equal((await detail(number)).messages.at(-1)?.text, 'Done, see above')
  assert.equal((await run('work-order', 'close', number)).code, 0)
  assert.deepEqual((await run('work-order', 'answer', number, 'x')).code, 1)
  deps.pass(8 * 86_400)
  assert.equal((await run('work-order', 'reopen', number)).code, 0)
  assert.equal((await run('work-order', 'reopen', number)).code, 1)
  assert.equal((await detail(number)).status, in_progress)
  assert.match((await run('work-order', 'list', 'open', 'from a TERM')).text, new RegExp(number))
  assert.equal((await run('work-order', 'list', 'closed', number)).text, 'No work orders.')
  assert.equal((await run('work-order', 'show', 'W1')).code, 1)
})
