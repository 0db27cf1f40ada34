import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDeps } from '@coffer/server/cli/open.ts'
import { changeMerchant, merchantByEmail } from '@coffer/server/domains/merchants/store.ts'
import { dayStart, findDayInZone, formatTimeInZone } from '@coffer/server/kit/days.ts'
import { testApplication } from '@coffer/server/testing/merchants.ts'
import { addRecords } from '@coffer/server/testing/records.ts'
import exceljs from 'exceljs'
import { newEmail } from './merchants.ts'
import { register } from './steps.ts'
import { withWorld } from './world.ts'

// The server's zone is New York, see the settings of the shared sandbox.
const { url, sandbox, newPage } = await withWorld({ after })
const zone = 'Europe/Berlin'
const daySeconds = 86_400

/** The last day before `now` on which the clocks of the zone were changed. */
function lastChange(now: number): string {
  for (let back = 2; ; back++) {
    const day = findDayInZone(now - back * daySeconds, zone)
    if (
      dayStart(findDayInZone(dayStart(day, zone) + 1.5 * daySeconds, zone), zone) - dayStart(day, zone) !==
      daySeconds
    )
      return day
  }
}

test('one time zone everywhere: that of the merchant, not of the browser or the server', async t => {
  const page = await newPage(t, { timezoneId: 'Asia/Shanghai' })
  const email = newEmail('zones')
  await register(page, url, email)
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const call = (path: string) => fetch(`${url}/api/v1/${path}`, { headers: { 'X-Token': token, 'X-DOWNLOAD': '1' } })
  const info = (await (await call('user/info')).json()) as { data: { time_zone: string } }
  assert.equal(info.data.time_zone, 'Asia/Shanghai', 'the zone of the browser is proposed')

  const { deps, close } = openDeps({ PATH: process.env.PATH, COFFER_DATA: sandbox.data })
  t.after(close)
  const merchant = await merchantByEmail(deps.pool, email)
  assert.ok(merchant)
  await changeMerchant(deps.pool, merchant.id, { time_zone: zone })
  const { appid } = await testApplication(deps, merchant.id)
  const day = lastChange(deps.clock())
  const start = dayStart(day, zone)
  const times = Array.from({ length: 150 }, (_, n) => start - daySeconds + n * 1_800 + 7)
  const onDay = times.filter(time => findDayInZone(time, zone) === day)
  assert.notEqual(onDay.length, 48, 'the day has 23 or 25 hours')
  await addRecords(
    deps,
    merchant.id,
    times.map(created_at => ({ appid, created_at })),
  )
  const range = `from=${day}&to=${day}`

  await page.goto(`${url}/record?${range}`)
  await page.getByText(`(${zone})`).waitFor()
  const latest = formatTimeInZone(onDay.at(-1)!, zone)
  const row = page.getByRole('row').nth(1)
  await row.getByText(latest.slice(11)).waitFor()
  await row.getByText(day).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.readFile(await download.path())
  const sheet = (workbook.worksheets[0]!.getSheetValues() as (string | Date)[][]).slice(1)
  const written = (cell?: string | Date) => (cell as Date).toISOString().replace('T', ' ').slice(0, 19)
  assert.equal(sheet.length - 1, onDay.length, 'the list and its export have the same rows')
  const created = sheet[0]!.indexOf(`Created (${zone})`)
  assert.equal(written(sheet[1]![created]), latest)
  assert.deepEqual(new Set(sheet.slice(1).map(cells => written(cells[created]).slice(0, 10))), new Set([day]))

  await page.goto(`${url}/statistics?${range}`)
  await page.getByText(`Time zone: ${zone}`).waitFor()
  await page.getByRole('region', { name: 'Totals' }).getByText(`${onDay.length}`, { exact: true }).waitFor()
})
