import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const source = join(import.meta.dirname, '..')
const lines = globSync('**/*.tsx', { cwd: source }).flatMap(file =>
  readFileSync(join(source, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, text })),
)
const places = (wrong: (text: string) => boolean) => lines.filter(({ text }) => wrong(text)).map(({ place }) => place)

test('scroll containers are positioned, so that hidden text inside them does not lengthen the page', () => {
  const scrolls = /\boverflow-([xy]-)?(auto|scroll)\b/
  assert.deepEqual(
    places(text => scrolls.test(text) && !/\b(relative|absolute|fixed|sticky)\b/.test(text)),
    [],
  )
})

test('clamped text has no second display class, which would undo the clamp', () => {
  assert.deepEqual(
    places(text => /\bline-clamp-\d/.test(text) && /[" ](block|inline|inline-block|flex|grid)[" ]/.test(text)),
    [],
  )
})
