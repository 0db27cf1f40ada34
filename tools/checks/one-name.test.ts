import assert from 'node:assert/strict'
import { test } from 'node:test'
import { glossary } from './glossary.ts'
import { oneName } from './one-name.ts'
import { complaints } from './testing/complaints.ts'

test('a text that names a thing otherwise than the glossary is found in every table', async t => {
  const files = {
    'apps/web/src/i18n/en/a.ts': "export default {\n  rate: 'Paid rate',\n  fine: 'Success rate',\n}",
    'apps/web/src/i18n/zh-CN/a.ts': "export default { rate: '支付率', fine: '支付成功率' }",
    'apps/web/src/i18n/en/b.ts': 'export default { held: (of: string) => `Withdrawals are held for ` + of }',
    'apps/web/src/routes.ts': "export const title = { en: 'First steps', 'zh-CN': '开始使用' }",
    'apps/server/src/domains/merchants/mails.ts':
      "export const mail = { state: 'cancelled', en: 'It was cancelled', 'zh-CN': '已取消' }",
    'packages/contract/src/errors.ts':
      "// A foreign sign-in is not text.\nexport const errors = { en: 'Foreign sign-in' }",
    'packages/contract/src/labels/a.ts': "export const account = { held: 'Held balance' }",
    'apps/server/src/domains/merchants/mails.test.ts': "const text = 'Paid rate'",
    'apps/server/src/domains/merchants/list.ts': "const sql = 'select status as cancelled'",
    'apps/server/src/kit/a.ts': "const text = 'Paid rate'",
  }
  const found = await complaints(t, oneName(), files)
  assert.deepEqual(
    found.map(each => each.slice(0, each.indexOf(': the glossary'))),
    [
      'apps/server/src/domains/merchants/mails.ts:1 says "cancelled"',
      'apps/web/src/i18n/en/a.ts:2 says "Paid rate"',
      'apps/web/src/i18n/en/b.ts:1 says "are held"',
      'apps/web/src/i18n/zh-CN/a.ts:1 says "支付率"',
      'apps/web/src/routes.ts:1 says "First steps"',
      'packages/contract/src/errors.ts:2 says "Foreign sign-in"',
      'packages/contract/src/labels/a.ts:1 says "Held balance"',
    ],
  )
})

test('no term of the glossary forbids a name that it gives', () => {
  const names = glossary.flatMap(({ en, zh }) => [...en.split(/[,;:] ?/), ...zh.split(/[、；：]/)])
  for (const { en, not } of glossary)
    for (const name of names) assert.ok(!not.some(each => each.test(name.trim())), `${en}: ${name}`)
})
