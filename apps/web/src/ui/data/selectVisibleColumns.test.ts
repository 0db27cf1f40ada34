import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectVisibleColumns } from './selectVisibleColumns.ts'

interface Row {
  canCancel: boolean
}

const order = { title: 'Order', sticky: 'start' as const, cell: () => 'a-1' }
const time = { title: 'Time', sticky: 'end' as const, cell: () => '10:40' }
const actions = {
  title: 'Actions',
  isActions: true,
  sticky: 'end' as const,
  cell: (row: Row) => row.canCancel && 'Cancel',
}
const columns = [order, time, actions]

const ends = (rows: readonly Row[] | undefined) =>
  selectVisibleColumns(columns, rows).map(({ title, sticky }) => `${title}${sticky === 'end' ? ' at the end' : ''}`)

test('actions that no row has leave the end to the time', () => {
  assert.deepEqual(ends([{ canCancel: false }]), ['Order', 'Time at the end'])
})

test('actions of one row stay at the end, where the time would be covered', () => {
  assert.deepEqual(ends([{ canCancel: false }, { canCancel: true }]), ['Order', 'Time', 'Actions at the end'])
})

test('columns keep their places while rows load, and without any', () => {
  assert.deepEqual(ends(undefined), ['Order', 'Time', 'Actions at the end'])
  assert.deepEqual(ends([]), ['Order', 'Time', 'Actions at the end'])
})
