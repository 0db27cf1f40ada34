import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draw } from './architecture.ts'

test('the drawing leaves out what another import implies', () => {
  const rows = { prices: [], chains: ['prices'], payments: ['chains', 'prices'] }
  assert.equal(draw(rows), 'payments  ->  chains\nchains    ->  prices\nprices\n')
})
