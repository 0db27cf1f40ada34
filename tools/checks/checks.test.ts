import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { amounts } from './amounts.ts'
import { callMentions } from './call-mentions.ts'
import { deadCode } from './dead-code.ts'
import { documents } from './documents.ts'
import { generatedFiles } from './generated-files.ts'
import { strictHex } from './hex.ts'
import { imports } from './imports.ts'
import { masks } from './masks.ts'
import { messages } from './messages.ts'
import { specifiedCalls, specifiedScreens } from './routes.ts'
import { size } from './size.ts'
import { calls, phoneScreens, refusals, screens } from './specification.ts'
import { complaints } from './testing/complaints.ts'
import { specifiedTexts } from './texts.ts'

/** Imports: the file, the import statement, and the expected complaint, or undefined when it is allowed. */
const importTable: [string, string, RegExp | undefined][] = [
  ['packages/core/src/a.ts', "import { b } from './b.ts'", undefined],
  ['packages/core/src/a.ts', "import { join } from 'node:path'", /core imports nothing/],
  ['packages/core/src/a.ts', "import type { Route } from '@coffer/contract'", /core may import only/],
  ['packages/core/src/a.test.ts', "import { test } from 'node:test'", undefined],
  ['packages/contract/src/a.ts', "import { z } from 'zod'", undefined],
  ['packages/contract/src/a.ts', "import { b } from 'pg'", /contract imports only zod/],
  ['packages/contract/src/a.ts', "import { b } from '@coffer/core'", /contract may import only itself/],
  ['packages/chains/src/a.ts', "import type { b } from '@coffer/core'", undefined],
  ['packages/chains/src/a.ts', "import { b } from '@coffer/core'", /only types from core/],
  ['packages/sdk/src/a.ts', "import { b } from '../../chains/src/b.ts'", /sdk may import only packages\/contract/],
  ['packages/local/src/a.ts', "import { b } from '../../../apps/server/src/kit/b.ts'", /local may import only itself/],
  ['packages/chains/src/a.ts', "import { b } from './testing/b.ts'", /only tests import what helps tests/],
  ['packages/chains/src/a.test.ts', "import { b } from './testing/b.ts'", undefined],
  ['apps/server/src/http/a.ts', "import { b } from '../kit/b.ts'", undefined],
  [
    'apps/server/src/http/a.ts',
    "import { b } from '../domains/payments/b.ts'",
    /http may import only kit, outside, deps/,
  ],
  ['apps/server/src/kit/a.ts', "import type { B } from '../outside/b.ts'", /kit may import only itself/],
  ['apps/server/src/outside/a.ts', "import type { Deps } from '../deps.ts'", /outside may import only kit, config/],
  ['apps/server/src/kit/a.ts', "export * from '../http/b.ts'", /kit may import only itself/],
  ['apps/server/src/domains/payments/a.ts', "import { b } from '../../serve.ts'", /domains may import only/],
  ['apps/server/src/domains/payments/a.ts', "import { b } from '../chains/b.ts'", undefined],
  ['apps/server/src/domains/chains/a.ts', "import { b } from '../payments/b.ts'", /chains may import only prices/],
  [
    'apps/server/src/domains/chains/a.ts',
    "const b = await import('../payments/b.ts')",
    /chains may import only prices/,
  ],
  ['apps/server/src/domains/chains/a.test.ts', "import { b } from '../payments/b.ts'", undefined],
  ['apps/server/src/domains/payments/a.ts', "import fastify from 'fastify'", /only apps\/server\/src\/http uses/],
  ['apps/server/src/domains/payments/a.ts', "import type { FastifyInstance } from 'fastify'", undefined],
  ['apps/server/src/http/a.ts', "import helmet from '@fastify/helmet'", undefined],
  ['apps/server/src/sandbox/a.ts', "import fastify from 'fastify'", /only apps\/server\/src\/http uses/],
  ['apps/server/src/make-deps.ts', "import { b } from './sandbox/b.ts'", /make-deps may import only/],
  ['apps/server/src/domains/payments/a.ts', "const b = await import('../../sandbox/b.ts')", /domains may import only/],
  ['apps/server/src/main.ts', "const b = await import('./sandbox/b.ts')", undefined],
  [
    'apps/server/src/http/a.ts',
    "import { b } from '../../../web/src/lib/b.ts'",
    /apps\/server may import only packages/,
  ],
  ['apps/server/src/http/a.ts', "import { b } from '../../../../tools/b.ts'", /do not import tools/],
  ['apps/server/src/http/a.test.ts', "import { b } from '../../../../tools/b.ts'", /do not import tools/],
  ['packages/core/src/a.test.ts', "import { b } from '../../../e2e/b.ts'", /do not import tools, e2e or bench/],
  ['apps/web/src/features/a/A.tsx', "import { b } from '../../ui/b.ts'", undefined],
  ['apps/web/src/features/a/A.tsx', "import { b } from '../b/B.tsx'", /features do not import each other/],
  ['apps/web/src/ui/A.tsx', "import { b } from '../features/b/B.tsx'", /ui may import only lib, i18n/],
  ['apps/web/src/lib/a.ts', "import type { Data } from '@coffer/contract'", undefined],
  ['apps/web/src/lib/a.ts', "import { routes } from '@coffer/contract'", /only types from the index/],
  ['apps/web/src/lib/a.ts', "import { limits } from '@coffer/contract/kit/limits.ts'", undefined],
  ['apps/web/src/lib/a.ts', "import { b } from '@coffer/core'", /apps\/web may import only packages\/contract/],
]

interface Tree {
  files: Record<string, string>
  links: Record<string, string>
}

/** A file whose import resolves as it would after an npm install. */
function treeOfImport(path: string, text: string): Tree {
  const [, name = '', workspace, rest] = /'(@coffer\/(\w+)\/?(.*)|.*)'/.exec(text) ?? []
  const manifest = { [`packages/${workspace}/package.json`]: '{"exports": {".": "./src/index.ts", "./*": "./src/*"}}' }
  const target = name.startsWith('.') ? join(dirname(path), name) : `node_modules/${name}/index.js`
  const imported = workspace
    ? { ...manifest, [`packages/${workspace}/src/${rest || 'index.ts'}`]: '' }
    : { [target]: '' }
  const links = workspace ? { [`node_modules/@coffer/${workspace}`]: `packages/${workspace}` } : {}
  return { files: { [path]: `/** A file. */\n${text}\n`, ...imported }, links }
}

test('each import of the table is allowed or rejected', async t => {
  // All in one tree, as each run of the check takes a while.
  const cases = importTable.map(([path, line, wrong], i) => {
    const named = path.replace(/\/[aA]\./, `/a${i}.`)
    return { path: named, line, wrong, ...treeOfImport(named, line) }
  })
  const together = (of: 'files' | 'links') => Object.assign({}, ...cases.map(each => each[of]))
  const found = await complaints(t, imports, together('files'), together('links'))
  for (const { path, line, wrong } of cases) {
    const own = found.filter(each => each.startsWith(`${path} imports `))
    assert.equal(own.length, wrong ? 1 : 0, `${path}: ${line}: ${own.join('\n')}`)
    if (wrong) assert.match(own[0]!, wrong)
  }
})

test('production loads the sandbox by no static import', async t => {
  const { files, links } = treeOfImport('apps/server/src/main.ts', "import { b } from './sandbox/b.ts'")
  assert.match((await complaints(t, imports, files, links)).join(), /production never loads the sandbox/)
})

test('recognizes a multi-line import', async t => {
  const text = "import {\n  a,\n  b,\n} from '@coffer/core'\n"
  const { files, links } = treeOfImport('packages/contract/src/a.ts', text)
  assert.equal((await complaints(t, imports, files, links)).length, 1)
})

test('rejects import cycles between files, type imports included', async t => {
  const found = await complaints(t, imports, {
    'apps/web/src/ui/A.tsx': "import { b } from './b.ts'\nexport type A = typeof b\n",
    'apps/web/src/ui/b.ts': "import type { A } from './A.tsx'\nexport const b: A | 1 = 1\n",
    'apps/web/src/ui/c.ts': "import { b } from './b.ts'\nb",
  })
  assert.deepEqual(found, [
    'apps/web/src/ui/A.tsx imports apps/web/src/ui/b.ts, which imports apps/web/src/ui/A.tsx: ' +
      'a dependency cycle, types included: move what they share to a file below both',
  ])
})

test('rejects import cycles between folders, also through files in their parent folder', async t => {
  const kit = 'apps/server/src/kit'
  const found = await complaints(t, imports, {
    [`${kit}/a/one.ts`]: "import '../b/one.ts'",
    [`${kit}/a/two.ts`]: '',
    [`${kit}/b/one.ts`]: '',
    [`${kit}/b/two.ts`]: "import type { A } from '../a/two.ts'\nexport type B = A",
    [`${kit}/b/two.test.ts`]: "import '../c/one.ts'",
    [`${kit}/c/one.ts`]: "import '../b/one.ts'\nimport '../top.ts'",
    [`${kit}/c/two.ts`]: '',
    [`${kit}/top.ts`]: "import './c/two.ts'",
  })
  assert.deepEqual(found, [
    `${kit}/a, ${kit}/b: a dependency cycle of folders, for ${kit}/b/two.ts imports ${kit}/a/two.ts and ` +
      `${kit}/a/one.ts imports ${kit}/b/one.ts: move what they share below both`,
    `${kit}/c, ${kit}/top.ts: a dependency cycle of folders, for ${kit}/top.ts imports ${kit}/c/two.ts and ` +
      `${kit}/c/one.ts imports ${kit}/top.ts: move what they share below both`,
  ])
})

test('rejects files without a row in a table, except tests', async t => {
  const found = await complaints(t, imports, {
    'apps/server/src/config.ts': '',
    'apps/server/src/config.test.ts': '',
    'apps/server/src/testing/a.ts': '',
    'apps/server/src/loose.ts': '',
    'apps/server/src/domains/loose/a.ts': '',
    'apps/web/src/main.tsx': '',
    'packages/loose/src/a.ts': '',
  })
  const rest = 'is in no row of tools/import-rules.ts: move it, or add a row'
  assert.deepEqual(found.sort(), [
    `apps/server/src/domains/loose/a.ts ${rest}`,
    `apps/server/src/loose.ts ${rest}`,
    `packages/loose/src/a.ts ${rest}`,
  ])
})

test('finds unused files, exports and dependencies', async t => {
  const files = {
    'package.json': '{"name": "x", "type": "module", "main": "index.js", "dependencies": {"left-pad": "1.0.0"}}',
    'index.js': "import { used } from './used.js'\nimport 'unlisted'\nimport './gone.js'\nused()\n",
    'used.js': 'export const used = () => {}\nexport const unused = 1\n',
    'dead.js': 'export const a = 1\n',
  }
  assert.deepEqual((await complaints(t, deadCode, files)).sort(), [
    'dead.js is imported by nothing: remove it, or name it as an entry in knip.json',
    'index.js:2 imports unlisted, which its package.json does not list: add it there',
    'index.js:3 imports ./gone.js, which does not exist',
    'package.json lists left-pad, which nothing imports: remove it',
    'used.js:2 exports unused, which nothing imports: remove it, or keep it inside the file',
  ])
})

test('generated files match the output of their generator', async t => {
  const check = generatedFiles([
    {
      folder: 'packages/a/generated',
      generate: async () => [
        { path: 'packages/a/generated/same.ts', content: 'same' },
        { path: 'packages/a/generated/changed.ts', content: 'new' },
        { path: 'packages/a/generated/missing.ts', content: 'new' },
      ],
    },
  ])
  const files = {
    'packages/a/generated/same.ts': 'same',
    'packages/a/generated/changed.ts': 'old',
    'packages/a/generated/left.ts': 'old',
    'packages/b/generated/orphan.ts': 'old',
  }
  assert.deepEqual(await complaints(t, check, files), [
    'packages/b/generated has no generator: add it to tools/generated.ts',
    'packages/a/generated/left.ts is generated by nothing any more: remove it',
    'packages/a/generated/changed.ts is not what its generator gives: run: node tools/generated.ts',
    'packages/a/generated/missing.ts is not what its generator gives: run: node tools/generated.ts',
  ])
})

test('both languages have the same messages', async t => {
  const i18n = 'apps/web/src/i18n'
  const files = {
    [`${i18n}/en/a.ts`]: "export default { same: 'a', onlyEn: 'b', deep: { x: 'c' }, fn: () => 'd', blank: '' }",
    [`${i18n}/zh-CN/a.ts`]: "export default { same: '一', onlyZh: '二', deep: { y: '三' }, fn: '四', blank: '' }",
    [`${i18n}/en/b.ts`]: 'export default {}',
    [`${i18n}/zh-CN/c.ts`]: 'export default {}',
  }
  assert.deepEqual(await complaints(t, messages, files), [
    'apps/web/src/i18n/zh-CN/b.ts is missing: translate it',
    'apps/web/src/i18n/en/c.ts is missing: write it',
    'zh-CN/a.ts has no onlyEn: translate it',
    'zh-CN/a.ts has no deep.x: translate it',
    'en/a.ts has no onlyZh: write it, or remove it',
    'en/a.ts has no deep.y: write it, or remove it',
    'a.ts: fn is text in one language and not in the other',
    'en/a.ts: blank is empty',
    'zh-CN/a.ts: blank is empty',
  ])
  assert.equal((await complaints(t, messages, {})).length, 1)
})

test('the contract contains every specified call', async t => {
  assert.equal(calls.length, 48)
  assert.deepEqual(await complaints(t, specifiedCalls(calls, []), {}), [])
  assert.deepEqual(await complaints(t, specifiedCalls(calls.slice(1), []), {}), [
    'POST /api/v1/public/email/send-verification-code is specified and not in packages/contract/src/routes: add it',
  ])
  assert.deepEqual(await complaints(t, specifiedCalls(calls.slice(1), calls.slice(0, 2)), {}), [
    'POST /api/v1/public/login has come: take it off the list of calls to come',
  ])
})

test('every specified screen has a route and a page', async t => {
  const table = screens.map(path => `  { path: '${path}', desktop: 'p${path}' },`).join('\n')
  const pages = [...screens, ...phoneScreens.map(path => `${path}.mobile`)]
  const files: Record<string, string> = {
    'apps/web/login.html': '',
    'apps/web/src/routes.ts': table,
    ...Object.fromEntries(pages.map(path => [`apps/web/src/features/p${path}.tsx`, ''])),
  }
  assert.deepEqual(await complaints(t, specifiedScreens([]), files), [])
  assert.deepEqual(await complaints(t, specifiedScreens(['/record']), files), [
    '/record has come: take it off the list of screens to come',
  ])

  const {
    'apps/web/login.html': _,
    'apps/web/src/features/p/record.tsx': __,
    'apps/web/src/features/p/withdraw.mobile.tsx': ___,
    ...fewer
  } = files
  fewer['apps/web/src/routes.ts'] = table.replace("path: '/billing'", "path: '/bills'")
  assert.deepEqual(await complaints(t, specifiedScreens([]), fewer), [
    'apps/web/login.html, the page /login, is missing',
    '/record: apps/web/src/features/p/record.tsx is missing: write it',
    '/billing is specified and has no page in apps/web/src/routes.ts: add it',
    '/m/withdraw: apps/web/src/features/p/withdraw.mobile.tsx is missing: write it',
  ])
})

test('every specified text exists in both languages', async t => {
  assert.equal(refusals.length, 28)
  const files = {
    'apps/web/src/i18n/en/a.ts':
      "export default { gone: 'Back Home', deep: { end: 'The end', alone: 'Alone' }, fn: () => 'It' }",
    'apps/web/src/i18n/zh-CN/a.ts': "export default { gone: '返回首页', deep: { end: 'The end' }, fn: () => '它' }",
  }
  const catalogue = { ours: { en: 'Operation failed', 'zh-CN': '操作失败' }, half: { en: 'Half', 'zh-CN': 'Half' } }
  const check = specifiedTexts(['operation failed', 'half', 'lost'], ['back home', 'the end', 'alone', 'it'], catalogue)
  assert.deepEqual(await complaints(t, check, files), [
    '"half" has no Chinese in packages/contract/src/errors.ts',
    '"lost" is specified and not in packages/contract/src/errors.ts: add it',
    '"the end" has no Chinese in apps/web/src/i18n',
    '"alone" has no Chinese in apps/web/src/i18n',
    '"it" is specified and not in apps/web/src/i18n: add it',
  ])
})

test('rejects files over 400 lines, except generated ones and tables of texts', async t => {
  const files = {
    'apps/web/src/i18n/en/a.ts': 'x\n'.repeat(401),
    'apps/web/src/i18n/a.ts': 'x\n'.repeat(401),
    'apps/a.ts': 'x\n'.repeat(400),
    'apps/b.ts': 'x\n'.repeat(401),
    'apps/generated/c.ts': 'x\n'.repeat(401),
  }
  assert.deepEqual(await complaints(t, size, files), [
    'apps/b.ts has 401 lines, more than 400: split it by what its parts do',
    'apps/web/src/i18n/a.ts has 401 lines, more than 400: split it by what its parts do',
  ])
})

test('everything that the guides refer to exists', async t => {
  const found = await complaints(t, documents, {
    'package.json': '{"scripts": {"start": "x"}}',
    'apps/server/src/jobs/pay.ts': '',
    'docs/b.md':
      'See `apps/server/src/jobs/pay.ts`, `jobs/<verb>.ts`, `jobs/`, [home](../A.md#top), `npm run start`, `text/html`.',
    'A.md':
      'See `apps/server/src/jobs/gone.ts`,\n`node --test jobs/lost.ts`, `no/`,\n[b](docs/c.md) [w](https://x.example/) and `npm run go`.',
    'apps/server/src/http/docs/en.md': '`apps/none.ts` is a path of the server',
  })
  assert.deepEqual(found, [
    'A.md:1 names apps/server/src/jobs/gone.ts, which is not there',
    'A.md:2 names jobs/lost.ts, which is not there',
    'A.md:2 names no/, which is not there',
    'A.md:3 links to docs/c.md, which is not there',
    'A.md:3 runs "go", which package.json does not have',
  ])
})

test('amounts are shown by one rule', async t => {
  const page = (line: string) => complaints(t, amounts, { 'apps/web/src/features/ledger/Page.tsx': line })
  for (const line of [
    '<b>{deposit.amount} {deposit.token}</b>',
    '<b>{usdt_amount} USDT</b>',
    'const text = `\u0024{row.usdt_balance} USDT`',
    'const text = Number(value).toFixed(2)',
    'const text = value.toLocaleString()',
    "const format = new Intl.NumberFormat('en')",
  ])
    assert.equal((await page(line)).length, 1, line)
  for (const line of [
    '<Amount value={row.amount} />',
    'const { amount } = row',
    '<li key={`\u0024{txid} \u0024{amount}`}>',
  ])
    assert.deepEqual(await page(line), [], line)
  const home = { 'apps/web/src/i18n/format.ts': "new Intl.NumberFormat('en')" }
  assert.deepEqual(await complaints(t, amounts, home), [])
  const inDomain = { 'apps/server/src/domains/ledger/store.ts': 'const units = BigInt(text)' }
  assert.equal((await complaints(t, amounts, inDomain)).length, 1)
})

test('a call of operators that more code names than needed is rejected', async t => {
  const check = callMentions(['POST /api/operator/v1/wallets/:id/empty'])
  const at = (lines: number) =>
    complaints(t, check, {
      'apps/server/src/a.ts': "on('POST /api/operator/v1/wallets/:id/empty')\n".repeat(lines - 1),
      'apps/server/src/cli/b.ts': "call('POST wallets/:id/empty')\n",
      'apps/server/src/c.test.ts': "call('POST wallets/:id/empty')\n",
    })
  assert.deepEqual(await at(4), [])
  assert.equal((await at(5)).length, 1)
})

test('hex that Node decodes is rejected outside its one file', async t => {
  const at = (path: string, line: string) => complaints(t, strictHex, { [path]: line })
  const path = 'packages/chains/src/evm/any.ts'
  for (const line of [
    "const bytes = Buffer.from(text.slice(2), 'hex')",
    "target.write(text, at, length, 'hex')",
    "Buffer.alloc(4, text, 'hex')",
  ])
    assert.equal((await at(path, line)).length, 1, line)
  for (const line of ["bytes.toString('hex')", "hash.digest('hex')", 'parseHexBytes(text)'])
    assert.deepEqual(await at(path, line), [], line)
  assert.deepEqual(await at('packages/chains/src/hex.ts', "target.write(text, at, length, 'hex')"), [])
})

test('values are masked in dense tables only', async t => {
  const at = (path: string, line: string) => complaints(t, masks, { [`apps/web/src/features/payments/${path}`]: line })
  const masked = '<CopyText value={row.txid} label={t.txid} />'
  assert.deepEqual(await at('columns.tsx', masked), [])
  assert.equal((await at('Deposits.tsx', masked)).length, 1)
  assert.equal((await at('Deposits.tsx', '{mask(row.txid)}')).length, 1)
  assert.deepEqual(await at('Deposits.tsx', '<CopyText look="groups" value={row.txid} />'), [])
  assert.deepEqual(await at('Deposits.tsx', '<CopyText key="to" look="whole" value={row.url} />'), [])
})
