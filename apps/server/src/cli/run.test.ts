import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandExamples, shells } from './help.ts'
import { findCommand, formatCommandUsage, formatUsageError, runCommand } from './run.ts'

/** The commands whose arguments the help shows. */
const shown = (...words: string[]) =>
  [...formatCommandUsage(words).matchAll(/^ {2}(?!npm)(\S.*)\n {6}\S/gm)].map(([, line]) => line)

test('shows an overview, and the arguments of the commands that match the words', () => {
  assert.match(formatCommandUsage(), /\n {2}chain +status, resume, reread\n/)
  assert.match(formatCommandUsage(), /\n {2}migrate +bring the database up to date/)
  assert.deepEqual(shown('signer').toSorted(), [
    'signer exposure',
    'signer init',
    'signer restore',
    'signer status',
    'signer vault <folder>',
  ])
  assert.deepEqual(shown('merchant', 'approve'), ['merchant approve <mchid>'])
  assert.ok(shown('chain').length > 1 && shown('chain').every(line => line?.startsWith('chain ')))
  assert.deepEqual(shown('chain', 'frobnicate'), shown('chain'))
  assert.equal(formatCommandUsage(['frobnicate']), formatCommandUsage())
})

test('names every command in the overview, and is at most 80 columns wide', () => {
  const words = [...formatCommandUsage().matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, word]) => word!)
  const all = words.flatMap(word => shown(word)).length
  assert.ok(all > 70, String(all))
  for (const text of [formatCommandUsage(), ...words.map(word => formatCommandUsage([word]))])
    for (const line of text.split('\n')) assert.ok(line.length <= 80, line)
})

test('gives examples that are commands', () => {
  for (const example of commandExamples)
    assert.ok(findCommand(example.match(/"[^"]*"|\S+/g)!.map(word => word.replaceAll('"', ''))), example)
})

test('prints what completes the words in each shell', async () => {
  for (const shell of shells) {
    const { text } = await runCommand({} as never, findCommand(['completion', shell])!)
    assert.match(text, /merchant(\) words="|' -a ')list show approve/)
  }
  assert.match((await runCommand({} as never, findCommand(['completion', 'cmd'])!)).text, /bash, zsh, fish/)
})

test('explains a usage error in one line', () => {
  assert.equal(
    formatUsageError(['frobnicate', 'all']),
    'Unknown command "frobnicate all". See "npm run coffer -- help".',
  )
  assert.equal(formatUsageError(['chain']), '"chain" needs a subcommand: status, resume, reread.')
  assert.equal(formatUsageError(['chain', 'stats']), 'Unknown command "chain stats". Did you mean "chain status"?')
  assert.equal(
    formatUsageError(['chain', 'frobnicate']),
    'Unknown command "chain frobnicate". See "npm run coffer -- help".',
  )
  assert.equal(formatUsageError(['order', 'list']), 'Unknown command "order list". Did you mean "work-order list"?')
  assert.equal(formatUsageError(['merchnt', 'list']), 'Unknown command "merchnt list". Did you mean "merchant list"?')
  assert.equal(formatUsageError(['merchant', 'refuse', 'M1']), 'Missing argument: merchant refuse <mchid> <reason>')
})
