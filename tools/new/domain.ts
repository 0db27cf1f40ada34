import type { Names } from './names.ts'
import type { Tree } from './tree.ts'

const contract = (domain: string) => `packages/contract/src/${domain}/routes.ts`
const routes = (domain: string) => `apps/server/src/domains/${domain}/routes.ts`

/** Adds a call to the contract of a domain and its handler to the server. Makes the domain when it is new. */
export function addRoute(
  tree: Tree,
  { domain, domainValue }: Names,
  { declared, handler, schemas }: { declared: string; handler: string; schemas: string[] },
): void {
  if (!tree.has(contract(domain))) makeDomain(tree, domain, domainValue)
  tree.insert(contract(domain), `\n${declared}`, { after: '= defineRoutes({' })
  for (const name of schemas) tree.import(contract(domain), name, '../kit/schemas.ts')
  tree.import(contract(domain), 'z', 'zod')
  tree.insert(routes(domain), `\n${handler}\n`, { after: '= defineHandlers({' })
}

/** Imports what a handler uses. */
export function importInRoutes(tree: Tree, { domain }: Names, names: Record<string, string>): void {
  for (const [name, from] of Object.entries(names)) tree.import(routes(domain), name, from)
}

function makeDomain(tree: Tree, domain: string, value: string): void {
  const table = `${value}Routes`
  const handlers = `${value}Handlers`
  tree.write(
    contract(domain),
    `import { defineRoutes } from '../kit/route.ts'\n\nexport const ${table} = defineRoutes({\n})\n`,
  )
  const all = 'packages/contract/src/routes.ts'
  tree.import(all, table, `./${domain}/routes.ts`)
  tree.insert(all, `  ...${table},\n`, { before: '  ...payRoutes,\n' })
  tree.write(
    routes(domain),
    `import { defineHandlers } from '../../http/context.ts'\n\nexport const ${handlers} = defineHandlers({\n})\n`,
  )
  tree.write(
    `apps/server/src/domains/${domain}/domain.ts`,
    `import { ${table} } from '@coffer/contract/${domain}/routes.ts'
import { defineDomain } from '../../domain.ts'
import { ${handlers} } from './routes.ts'

export default defineDomain({
  routes: ${table},
  handlers: ${handlers},
})
`,
  )
  tree.insert('apps/server/src/serve.ts', `    import('./domains/${domain}/domain.ts'),\n`, {
    before: '  ])\n).map((',
  })
  const row = domain.includes('-') ? `'${domain}'` : domain
  tree.insert('tools/import-rules.ts', `      ${row}: ['merchants'],\n`, { before: '      addresses: [' })
}
