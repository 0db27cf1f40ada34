import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeGroup } from './render-group.ts'

const paid = (time: string) => ({
  event: 'payment_paid',
  params: { amount: '5', token: 'USDT', chain: 'Ethereum', order: '1', trade_no: time },
  created_at: Date.parse(time) / 1_000,
})

test('the day stands once where all events are of one, by the clock of the reader, and else in each line', () => {
  const evening = paid('2026-11-30T16:30:00Z')
  const night = paid('2026-11-30T23:30:00Z')
  const describe = (time_zone: string, language: 'en' | 'zh-CN') => {
    const { lines, zone } = describeGroup([evening, night], { language, time_zone }, 10)!
    return [...lines.map(line => line.split(' · ')[0]), zone]
  }
  assert.deepEqual(describe('UTC', 'en'), ['16:30', '23:30', 'Times: 30 Nov 2026 (UTC)'])
  assert.deepEqual(describe('UTC', 'zh-CN'), ['16:30', '23:30', '时间：2026年11月30日（UTC）'])
  assert.deepEqual(describe('Asia/Shanghai', 'en'), ['00:30', '07:30', 'Times: 1 Dec 2026 (Asia/Shanghai)'])
  assert.deepEqual(describe('Europe/Berlin', 'en'), ['30 Nov 2026, 17:30', '1 Dec 2026, 00:30', 'Times: Europe/Berlin'])
  assert.deepEqual(describe('Europe/Berlin', 'zh-CN'), [
    '2026年11月30日 17:30',
    '2026年12月1日 00:30',
    '时间均为 Europe/Berlin 时区',
  ])
})
