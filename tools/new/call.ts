import { addRoute } from './domain.ts'
import type { Names } from './names.ts'
import type { Tree } from './tree.ts'

/** A call of the back-office that changes something of a merchant: contract, handler, verb and test. */
export function newCall(tree: Tree, names: Names): void {
  const { domain, kebab, camel, words } = names
  const call = `POST /api/v1/${domain}/${kebab}`
  const summary = words.charAt(0).toUpperCase() + words.slice(1)
  addRoute(tree, names, {
    who: 'ownerRoles',
    schemas: ['empty', 'id'],
    declared: `  '${call}': { who: ownerRoles, summary: '${summary}', body: z.strictObject({ id }), data: empty },`,
    handler: `  '${call}': ({ deps, session: { merchantId }, body: { id } }) => toEmptyAnswer(${camel}(deps, { merchantId, id })),`,
    imports: { [camel]: `./${kebab}.ts`, toEmptyAnswer: '../../http/context.ts' },
  })
  const folder = `apps/server/src/domains/${domain}`
  tree.write(`${folder}/${kebab}.ts`, verb(camel, summary, `${domain === 'merchants' ? '.' : '../merchants'}`))
  tree.write(`${folder}/${kebab}.int.test.ts`, test(camel, kebab, words))
  tree.insert('apps/server/src/testing/every-request.ts', `  '${call}': { body: { id: 'own' } },\n`, {
    before: "  'GET /api/v1/statistics/assets': {",
  })
}

const verb = (camel: string, summary: string, merchants: string) => `import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { lockActiveMerchant } from '${merchants}/active-merchant.ts'

/** ${summary}. */
export const ${camel} = (deps: Deps, { merchantId, id }: { merchantId: string; id: string }): Promise<void> =>
  tx(deps.pool, async c => {
    await lockActiveMerchant(c, merchantId)
    // Change the row by a statement of store.ts that names the merchant, and refuse by name when there is none.
    if (id) throw new Refusal('parameter_error', { field: 'id' })
  })
`

const test = (camel: string, kebab: string, words: string) => `import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Refusal } from '../../kit/refusal.ts'
import { breakOnce } from '../../testing/break.ts'
import { withDeps } from '../../testing/deps.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { ${camel} } from './${kebab}.ts'

const deps = await withDeps({ after })

test('${words}: its owner only, whole or not at all, and a second click changes nothing', async () => {
  const merchant = await testMerchant(deps)
  const stranger = await testMerchant(deps)
  const id = 'make what the call names'
  await assert.rejects(${camel}(deps, { merchantId: stranger.id, id }), Refusal)
  const broken = { ...deps, pool: breakOnce(deps.pool, /^commit/i) }
  await assert.rejects(${camel}(broken, { merchantId: merchant.id, id }), /killed here/)
  await ${camel}(deps, { merchantId: merchant.id, id })
  await ${camel}(deps, { merchantId: merchant.id, id })
  assert.fail('compare what is stored')
})
`
