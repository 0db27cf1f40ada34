import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Process, ProcessorTimes, processOf } from './processor.ts'

const one = (pid: number, parent: number, command: string, seconds: number, started = '1'): Process => ({
  pid,
  parent,
  command,
  seconds,
  started,
})

/** The cells of a row of the table. */
const cells = (table: string, name: string) =>
  table
    .split('\n')
    .find(line => line.startsWith(name))
    ?.trim()
    .split(/\s{2,}/)
    .slice(1)

test('time is counted by stage and kind, also of what has left the tree, and not of strangers', () => {
  const stages: Record<number, string> = { 11: 'unit', 12: 'browser', 20: 'shared' }
  const times = new ProcessorTimes(10, pid => stages[pid])
  times.add([
    one(1, 0, 'init', 99),
    one(10, 1, 'node', 1),
    one(11, 10, 'node', 2),
    one(12, 10, 'MainThread', 3),
    one(13, 12, 'chromium', 4),
    one(14, 11, 'anvil', 5),
    one(20, 1, 'node', 6),
    one(21, 20, 'postgres', 7),
    one(30, 1, 'node', 50),
  ])
  const table = times.table(200)
  assert.deepEqual(cells(table, 'unit'), ['2', '0', '0', '5', '7'])
  assert.deepEqual(cells(table, 'browser'), ['3', '4', '0', '0', '7'])
  assert.deepEqual(cells(table, 'shared'), ['7', '0', '7', '0', '14'])
  assert.deepEqual(cells(table, 'sum'), ['12', '4', '7', '5', '28'])
  assert.match(table, /the machine meanwhile: 200 s$/)
})

test('a process counts once, as last seen, and a later one with its number is another', () => {
  const times = new ProcessorTimes(10, () => 'unit')
  times.add([one(11, 10, 'node', 2)])
  times.add([one(11, 10, 'node', 5)])
  times.add([one(11, 10, 'node', 3, '9')])
  assert.deepEqual(cells(times.table(0), 'unit'), ['8', '0', '0', '0', '8'])
})

test('the environment of a stranger is read once, and again when it runs another program', () => {
  let reads = 0
  const times = new ProcessorTimes(10, () => {
    reads++
    return reads === 3 ? 'unit' : undefined
  })
  for (const command of ['sh', 'sh', 'node']) times.add([one(30, 1, command, 1)])
  assert.equal(reads, 2)
  times.add([one(30, 1, 'anvil', 4)])
  assert.deepEqual(cells(times.table(0), 'unit'), ['0', '0', '0', '4', '4'])
})

test('a line of /proc is read, also with spaces and brackets in the name', () => {
  const stat = '42 (tmux: (x) y) S 7 42 42 0 -1 4194560 1 2 3 4 150 50 9 9 20 0 1 0 777 0 0'
  assert.deepEqual(processOf(stat), [{ pid: 42, parent: 7, command: 'tmux: (x) y', seconds: 2, started: '777' }])
  assert.deepEqual(processOf(''), [])
})
