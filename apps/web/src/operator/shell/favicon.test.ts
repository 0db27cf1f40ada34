import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderCountIcon } from './favicon.ts'

test('the icon of the tab has the number of what waits, as long as something does', () => {
  const svg = '<svg><title>Coffer</title></svg>'
  const shown = [0, 1, 12, 99, 100, 4_000].map(
    count => />([^<>]+)<\/text><\/svg>$/.exec(renderCountIcon(svg, count))?.[1],
  )
  assert.deepEqual(shown, [undefined, '1', '12', '99', '99+', '99+'])
  assert.equal(renderCountIcon(svg, 0), svg)
})
