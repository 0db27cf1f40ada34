import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { incidentSteps } from '@coffer/contract/incidents/steps.ts'
import incidents from './en/incidents.ts'

const root = new URL('../../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

test('each page of the runbook explains the steps that the console lists, in their order', () => {
  for (const [page, steps] of Object.entries(incidentSteps)) {
    const explained = [...read(`docs/runbook/${page}.md`).matchAll(/^\d+\. \*\*([^*]+?)\.\*\*\s+\S/gm)].map(each =>
      each[1]!.replace(/\s+/g, ' '),
    )
    assert.deepEqual(
      explained,
      steps.map(step => incidents.steps[step]),
      page,
    )
  }
  const listed = read('docs/runbook/README.md')
  for (const page of readdirSync(new URL('docs/runbook/', root)))
    assert.ok(page === 'README.md' || listed.includes(`(${page})`), page)
})

test('each alert names its page of the runbook and of the console', () => {
  const pages = [...read('apps/web/src/operator/routes.ts').matchAll(/path: '([^']+)'/g)].map(each => each[1]!)
  const rules = read('ops/alerts.yml').split('- alert: ').slice(1)
  assert.ok(rules.length >= 19)
  for (const rule of rules) {
    const [, runbook = ''] = /^ +runbook: (\S+)$/m.exec(rule) ?? []
    const [, page = ''] = /^ +console: (\S+)$/m.exec(rule) ?? []
    assert.ok(runbook.startsWith('docs/runbook/') && existsSync(new URL(runbook, root)), rule)
    assert.ok(pages.includes(page), rule)
  }
})
