import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chainKindNames } from '@coffer/chains'
import { xpubVariable } from '../config.ts'
import { parseChains } from '../outside/chains-file.ts'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
const guide = read('docs/operator.md')

test('accepts the chains file of the manual as printed', () => {
  const [, json] = /```json\n([\s\S]*?)```/.exec(guide) ?? []
  assert.deepEqual(
    parseChains(String(json), 'example').map(({ definition, nodes }) => [definition.id, nodes.length]),
    [
      ['eth', 1],
      ['bsc', 1],
      ['tron', 1],
      ['unichain', 1],
    ],
  )
})

test('accepts the TRON nodes and test network of the manual as printed', () => {
  const [, node, nile] = guide.match(/(?<=```json\n)[\s\S]*?(?=```)/g) ?? []
  const own = `{ "chains": [{ "id": "tron", "nodes": [${node}] }] }`
  assert.equal(parseChains(own, 'own node')[0]?.nodes[0]?.urls?.solid, 'http://127.0.0.1:8091')
  const [{ definition }] = parseChains(`{ "chains": [${nile}] }`, 'Nile') as [ReturnType<typeof parseChains>[0]]
  assert.deepEqual(
    [definition.chainId, definition.kind, definition.tokens.length, definition.confirmations],
    [0xcd8690dc, 'tron', 1, 20],
  )
})

test('documents every setting and no other', () => {
  const names = (text: string) => new Set(text.match(/\b(?:COFFER_[A-Z_]+|DATABASE_URL)\b/g))
  const table = guide.slice(guide.indexOf('## Settings'), guide.indexOf('## The chains file'))
  const signer = ['COFFER_SIGNER_PASSPHRASE', 'COFFER_SIGNER_PASSPHRASE_FILE']
  const named = [...names(read('apps/server/src/config.ts'))].filter(name => !name.endsWith('_'))
  const settings = [...named, ...chainKindNames.map(xpubVariable), ...signer]
  assert.deepEqual([...names(table)].sort(), [...new Set(settings)].sort())
})
