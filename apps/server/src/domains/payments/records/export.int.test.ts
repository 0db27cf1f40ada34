import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { paymentStatus } from '@coffer/contract'
import { until } from '@coffer/local/testing/until.ts'
import exceljs from 'exceljs'
import { runCommand } from '../../../../../../packages/sdk/src/commands.ts'
import { startExport } from '../../../kit/export/export-rows.ts'
import { makeApp } from '../../../serve.ts'
import { Keys } from '../../../signer/keys.ts'
import { testStart } from '../../../testing/deps.ts'
import { ownerReader, testApplication, testMerchant } from '../../../testing/merchants.ts'
import { eth, moneyWorld } from '../../../testing/money.ts'
import { addRecords } from '../../../testing/records.ts'
import paymentExport from './export.ts'

const world = await moneyWorld({ after })
const { deps, merchant, appid } = world
const app = await makeApp(deps)
after(() => app.close())
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
const path = '/api/v1/transactions/list/export'
const download = (query = '', headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}${query}`, { headers: { 'x-token': merchant.token, 'x-download': '1', ...headers } })

async function sheetOf(response: Response) {
  assert.equal(response.status, 200)
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load(await response.arrayBuffer())
  const [sheet] = workbook.worksheets
  const rows = (sheet!.getSheetValues() as unknown[][]).slice(1).map(row => row.slice(1))
  return { name: sheet!.name, header: rows[0]!, rows: rows.slice(1) }
}
const untilIdle = () =>
  until(
    'no statement runs',
    async () =>
      (
        await world.owner.query(
          `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
        )
      ).rows,
    rows => rows.length === 0,
  )
/** Repeats a download that is refused while places are taken. */
const untilTaken = (again: () => Promise<Response>) =>
  until(
    'the export starts',
    async () => {
      const answer = await again()
      await answer.arrayBuffer()
      return answer.status
    },
    status => status === 200,
  )

/** Merchants whose exports exceed the connection's buffers. */
const busy = await testMerchant(deps)
const other = await testMerchant(deps)
before(async () => {
  await world.owner.query(
    `insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, tolerance_permille,
     mixed_payment, created_at, expire_at)
   select case when n > 8000 then $3 else $1 end, lpad(n::text, 32, '0'), 'app_busy',
     (select string_agg(gen_random_uuid()::text, '') from generate_series(1, 50) where n > 0), '', 1, 1500000, 0, true, $2 - n, $2
   from generate_series(1, 16000) n`,
    [busy.id, testStart, other.id],
  )
})

test('the file contains every matching payment, in the requested language and the merchant’s time zone', async () => {
  await world.owner.query(`update merchants set time_zone = 'Asia/Shanghai' where id = $1`, [merchant.id])
  await world.owner.query(`update applications set name = '=1+1' where appid = $1`, [appid])
  const metadata = { customer: '42', payment_link: 'which made it' }
  const order = await world.pay({ amount: '12.5', currency: 'EUR', out_trade_no: 'shop-1', metadata })
  await world.eth.add([{ to: order.address, amount: 13_750_000n }])
  await world.eth.confirm()
  await world.pay({ chain: undefined, token: undefined })

  const answer = await download()
  assert.equal(answer.headers.get('x-total-rows'), '2')
  assert.match(
    answer.headers.get('content-disposition') ?? '',
    /^attachment; filename="PaymentRecord20250602\d{6}\.xlsx"$/,
  )
  const { name, header, rows } = await sheetOf(answer)
  assert.equal(name, 'Payments')
  assert.equal(rows.length, 2)
  const paid = Object.fromEntries(header.map((title, index) => [title, rows.find(row => row[2] === 'shop-1')![index]]))
  assert.match(String(paid.Transaction), /^0x[0-9a-f]{64}$/)
  assert.equal(String(paid['Receiving address']).toLowerCase(), order.address.toLowerCase())
  assert.deepEqual(
    [
      'Application',
      'Platform order number',
      'Status',
      'USDT amount',
      'Fiat amount',
      'Fiat',
      'Paid',
      'Fees',
      'Chain',
    ].map(title => paid[title]),
    ['=1+1', order.trade_no, 'Account paid', 13.75, 12.5, 'EUR', 13.75, 0.055, eth.name],
  )
  assert.equal(paid.Metadata, '{"customer":"42"}', 'the metadata of the merchant')
  const times = ['Created (Asia/Shanghai)', 'Paid at (Asia/Shanghai)'].map(title => paid[title])
  assert.deepEqual(times, [new Date('2025-06-02T18:00:00Z'), new Date('2025-06-02T18:00:00Z')])
  assert.deepEqual([paid['Created, UTC offset'], paid['Paid at, UTC offset']], ['UTC+08:00', 'UTC+08:00'])

  const chinese = await sheetOf(await download(`?status=${paymentStatus.paid}`, { 'x-language': 'zh-CN' }))
  assert.deepEqual(
    [chinese.name, chinese.header[4], chinese.rows.length, chinese.rows[0]?.[4]],
    ['收款记录', '状态', 1, '已支付'],
  )
})

test('coffer addresses verify finds each address of the file that does not derive from the account keys', async t => {
  const shop = await testMerchant(deps)
  const keys = new Keys(new Uint8Array(64).fill(3))
  const { appid } = await testApplication(deps, shop.id)
  const [good, foreign, old] = await Promise.all([1, 2, 3].map(() => world.pay({}, { merchantId: shop.id, appid })))
  await world.pay({ chain: undefined, token: undefined }, { merchantId: shop.id, appid })
  const set = 'update payments set address = $2, key_index = $3 where trade_no = $1'
  await world.owner.query(set, [good!.trade_no, keys.address('evm', 70_000), 70_000])
  await world.owner.query(set, [old!.trade_no, keys.address('evm', 3), null])
  const folder = mkdtempSync(join(tmpdir(), 'coffer-export-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const verify = async (file: string, key = keys.xpub('evm')) => {
    const printed: string[] = []
    const complaints: string[] = []
    const print = (line: string) => void printed.push(line)
    const complain = (line: string) => void complaints.push(line)
    const around = { env: { COFFER_XPUB_EVM: key }, signal: new AbortController().signal, print, complain }
    return { code: await runCommand(['addresses', 'verify', file], around), printed, complaints }
  }
  for (const language of ['en-US', 'zh-CN']) {
    const file = join(folder, `${language}.xlsx`)
    const answer = await download('', { 'x-token': shop.token, 'x-language': language })
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()))
    const { code, printed, complaints } = await verify(file)
    assert.deepEqual(
      [code, printed.at(-1), complaints],
      [
        1,
        '1 addresses derive from the keys, 2 do not; 1 payments have none',
        ['coffer: 2 addresses are not verified: nobody should pay to them'],
      ],
    )
    const lines = printed.toSorted().join('\n')
    assert.match(lines, new RegExp(`${foreign!.trade_no}: .*has another at index ${foreign!.address_index}`))
    assert.match(lines, new RegExp(`${old!.trade_no}: .*does not say its index`))
    const other = await verify(file, new Keys(new Uint8Array(64).fill(4)).xpub('evm'))
    assert.match(other.printed.at(-1)!, /^0 addresses derive from the keys, 3 do not/)
  }
  const file = join(folder, 'other.xlsx')
  for (const content of ['', 'PK', 'text'.repeat(10_000)]) {
    writeFileSync(file, content)
    assert.match((await verify(file)).complaints[0]!, /is not a spreadsheet/)
  }
  assert.match((await verify(join(folder, 'none.xlsx'))).complaints[0]!, /ENOENT/)
})

test('the export and the list return the same payments for every filter, across batches', async () => {
  const shop = await testMerchant(deps)
  const stranger = await testMerchant(deps)
  const { appid } = await testApplication(deps, shop.id)
  const asShop = { 'x-token': shop.token }
  const states = ['open', 'paid', 'timed_out'] as const
  const made = await addRecords(
    deps,
    shop.id,
    Array.from({ length: 12_000 }, (_, i) => ({ appid, created_at: testStart - (i % 7_000), state: states[i % 3]! })),
  )
  for (const query of [
    '',
    `?status=${paymentStatus.timed_out}`,
    `?appid=${appid}`,
    `?appid=${appid}&status=${paymentStatus.open}`,
    `?end_time=${testStart - 100}&start_time=${testStart - 200}`,
    `?trade_no=${made[7]!.trade_no}`,
  ]) {
    const answer = await download(query, asShop)
    const total = Number(answer.headers.get('x-total-rows'))
    const { rows } = await sheetOf(answer)
    const list = await app.inject({ url: `/api/v1/transactions/list${query}`, headers: asShop })
    assert.equal(rows.length, total, query)
    assert.equal(list.json().data.total, total, query)
    assert.ok(total > 0)
    const numbers = rows.map(row => String(row[3]))
    assert.equal(new Set(numbers).size, numbers.length)
    const times = rows.map(row => String(row[17]))
    assert.deepEqual(times, [...times].sort().reverse())
  }
  const other = await sheetOf(await download('', { 'x-token': stranger.token }))
  assert.deepEqual(other.rows, [])
  await untilIdle()
})

test('the export requires the download header, a merchant session and a valid filter', async () => {
  assert.equal((await fetch(`${origin}${path}`, { headers: { 'x-token': merchant.token } })).status, 422)
  assert.equal((await download('', { 'x-token': 'nobody' })).status, 401)
  assert.equal((await download('?status=99')).status, 422)
  assert.equal((await download(`?current=2&pageSize=20`)).status, 200)
})

/** Starts a download and stops reading. */
async function start({ token } = busy) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Token: ${token}\r\nX-DOWNLOAD: 1\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

const ofBusy = (query = '') => download(query, { 'x-token': busy.token })

test('a disconnect cancels the query, and each merchant is limited to two concurrent exports', async () => {
  const sockets = [await start(), await start()]
  assert.equal((await ofBusy()).status, 429)
  for (const socket of sockets) socket.destroy()
  await untilIdle()
  await untilTaken(() => ofBusy(`?status=${paymentStatus.timed_out}`))
})

test('readers that stop hold neither a database connection nor the place of another export', async () => {
  const sockets = [await start(), await start(), await start(other), await start(other)]
  await untilIdle()
  assert.ok(sockets.every(socket => !socket.destroyed))
  // A worker ends shortly after its connection.
  await untilTaken(() => download())
  for (const socket of sockets) socket.destroy()
})

test('a failure during the export aborts the connection, so that the client detects the truncated file', async () => {
  const controlled = await start()
  const kill = async () =>
    await world.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query ~ 'created_at, trade_no[)] <|d.txid from deposits'`,
    )
  // The response headers may arrive before the query starts.
  await until('its query is ended', async () => (await kill()).rows.length)
  let text = ''
  controlled.setEncoding('latin1').on('data', part => {
    text += part
  })
  await once(controlled, 'close')
  assert.match(text, /^HTTP\/1.1 200/)
  // A complete chunked response ends with an empty chunk.
  assert.ok(!text.endsWith('0\r\n\r\n'))
  await untilIdle()
  assert.equal((await ofBusy(`?status=${paymentStatus.paid}`)).status, 200)
})

test('an export keeps its compiled modules in the data folder for the next one', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'coffer-export-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const given = process.env.NODE_COMPILE_CACHE
  delete process.env.NODE_COMPILE_CACHE
  t.after(() => {
    if (given !== undefined) process.env.NODE_COMPILE_CACHE = given
  })
  const scope = { ...ownerReader(merchant.id), filter: {}, language: 'en' as const }
  const { file } = await startExport({ pool: deps.pool, replica: null, config: { dataDir } }, paymentExport, scope)
  await once(file.resume(), 'close')
  assert.ok(readdirSync(join(dataDir, 'compile-cache'), { recursive: true }).length > 20)
})
