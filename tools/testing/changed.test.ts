import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportGraph } from '../checks/import-graph.ts'
import { select } from './changed.ts'

const value = (to: string) => ({ to, isType: false, isDynamic: false })
const type = (to: string) => ({ to, isType: true, isDynamic: false })

const graph: ImportGraph = new Map([
  ['packages/core/src/a.ts', []],
  ['packages/core/src/a.test.ts', [value('packages/core/src/a.ts')]],
  ['packages/contract/src/shown.ts', []],
  ['apps/server/src/b.ts', [value('packages/core/src/a.ts'), value('packages/contract/src/shown.ts')]],
  ['apps/server/src/b.int.test.ts', [value('apps/server/src/b.ts')]],
  ['apps/server/src/main.ts', [value('apps/server/src/b.ts')]],
  ['apps/server/src/typed.test.ts', [type('packages/core/src/a.ts')]],
  ['apps/web/src/Page.tsx', [value('packages/contract/src/shown.ts'), type('packages/core/src/a.ts')]],
  ['e2e/steps.ts', []],
  ['e2e/one.e2e.test.ts', [value('e2e/steps.ts'), value('apps/server/src/b.ts')]],
  ['e2e/two.e2e.test.ts', []],
  ['tools/start.int.test.ts', []],
])
/** Files that are started or read, and not imported. */
const links = new Map([['tools/start.int.test.ts', ['apps/server/src/main.ts', 'ops/coffer.service']]])
const tests = [...graph.keys()].filter(path => path.includes('.test.')).sort()
const browser = tests.filter(path => path.startsWith('e2e/'))
const selected = (...changed: string[]) => select(graph, links, changed, tests)

test('a change selects the tests that reach it, the nearest first, also through a program that is started', () => {
  assert.deepEqual(selected('packages/core/src/a.ts'), [
    'packages/core/src/a.test.ts',
    'apps/server/src/b.int.test.ts',
    'tools/start.int.test.ts',
  ])
})

test('a test that changed selects itself', () => {
  assert.deepEqual(selected('apps/server/src/typed.test.ts'), ['apps/server/src/typed.test.ts'])
  assert.deepEqual(selected('e2e/two.e2e.test.ts'), ['e2e/two.e2e.test.ts'])
})

test('browser tests run when pages or what these load has changed, or what the test does', () => {
  assert.deepEqual(selected('apps/web/src/Page.tsx'), browser)
  assert.deepEqual(selected('apps/web/src/page.css'), browser)
  assert.deepEqual(selected('packages/contract/src/shown.ts').slice(-2), browser)
  assert.deepEqual(selected('e2e/steps.ts'), ['e2e/one.e2e.test.ts'])
})

test('what no import names reaches all tests, except documents', () => {
  for (const path of [
    'package.json',
    'package-lock.json',
    'apps/server/package.json',
    'tsconfig.base.json',
    'apps/server/src/migrations/steps/0099_new.ts',
    'apps/server/src/generated/statements.ts',
    'packages/chains/contracts/Forwarder.sol',
    'tools/test.ts',
  ])
    assert.deepEqual(selected(path), tests, path)
  assert.deepEqual(selected('docs/decisions/tests.md'), [])
  assert.deepEqual(selected('ops/coffer.service'), ['tools/start.int.test.ts'])
})

test('a file that was removed selects what still imports it', () => {
  const without = new Map([...graph].filter(([path]) => path !== 'packages/core/src/a.ts'))
  assert.equal(select(without, links, ['packages/core/src/a.ts'], tests)[0], 'packages/core/src/a.test.ts')
})
