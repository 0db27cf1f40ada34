import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import en from './en/operator.ts'
import zh from './zh-CN/operator.ts'

const server = new URL('../../../server/src/', import.meta.url).pathname

test('every job of the server has a name in the console', () => {
  const sources = globSync('**/*.ts', { cwd: server }).filter(file => !/\.test\.ts$|^testing\//.test(file))
  const texts = sources.map(file => readFileSync(server + file, 'utf8'))
  const names = texts.flatMap(text =>
    [...text.matchAll(/name: '([^']+)',\s*(?:everyMs|log: )/g)].map(([, name]) => name!),
  )
  assert.ok(names.length > 20, String(names.length))
  for (const name of names) {
    assert.ok(Object.hasOwn(en.jobNames, name), name)
    assert.match((zh.jobNames as Record<string, string>)[name] ?? '', /\p{Script=Han}/u, name)
  }
})
