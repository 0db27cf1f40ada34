import type { Names } from './names.ts'
import type { Tree } from './tree.ts'

/** Where a domain declares its calls, and where it handles them. */
interface Places {
  contract: string
  declares: string
  server: string
  handles: string
}

const folderOf = (domain: string) => `apps/server/src/domains/${domain}`
const frontOf = (domain: string) => `${folderOf(domain)}/domain.ts`

/**
 * Adds a call to the contract of a domain and its handler to the server, with what the handler imports: modules by
 * name. Makes what the domain does not have yet.
 */
export function addRoute(
  tree: Tree,
  names: Names,
  call: { declared: string; handler: string; who: string; schemas: string[]; imports: Record<string, string> },
): void {
  const front = frontOf(names.domain)
  if (!tree.has(front)) makeFront(tree, names)
  else if (tree.read(front).includes('  routes: {},\n')) addTables(tree, names)
  const { contract, declares, server, handles } = placesOf(tree, names)
  tree.insert(contract, `\n${call.declared}`, { after: declares })
  for (const name of call.schemas) tree.import(contract, name, '../kit/schemas.ts')
  tree.import(contract, call.who, '../kit/merchant-roles.ts')
  tree.import(contract, 'z', 'zod')
  tree.insert(server, `\n${call.handler}\n`, { after: handles })
  for (const [name, from] of Object.entries(call.imports)) tree.import(server, name, from)
}

/** Reads the front of the domain: handlers stand in `routes.ts` beside it, or in the front. */
function placesOf(tree: Tree, { domain }: Names): Places {
  const front = frontOf(domain)
  const text = tree.read(front)
  const declared = /import \{ (\w+).* \} from '@coffer\/contract\/([\w-]+\/routes\.ts)'/.exec(text)
  if (!declared) throw new Error(`${front} imports no routes of the contract`)
  const [, table, file] = declared
  const handlers = /import \{.*?(\w+Handlers) \} from '\.\/routes\.ts'/.exec(text)?.[1]
  return {
    contract: `packages/contract/src/${file}`,
    declares: `export const ${table} = defineRoutes({`,
    server: handlers ? `${folderOf(domain)}/routes.ts` : front,
    handles: handlers ? `export const ${handlers} = defineHandlers({` : '  handlers: {',
  }
}

function makeFront(tree: Tree, names: Names): void {
  const { domain } = names
  const empty = 'export default defineDomain({\n  routes: {},\n  handlers: {},\n})\n'
  tree.write(frontOf(domain), `import { defineDomain } from '../../domain.ts'\n\n${empty}`)
  addTables(tree, names)
  tree.insert('apps/server/src/serve.ts', `    import('./domains/${domain}/domain.ts'),\n`, {
    before: '  ])\n).map((',
  })
  const rules = 'tools/import-rules.ts'
  const row = domain.includes('-') ? `'${domain}'` : domain
  if (!tree.read(rules).includes(`\n      ${row}: [`))
    tree.insert(rules, `      ${row}: ['merchants'],\n`, { before: '      addresses: [' })
}

/** Gives a front that serves nothing yet a table in the contract, and handlers. */
function addTables(tree: Tree, { domain, domainValue }: Names): void {
  const table = `${domainValue}Routes`
  const handlers = `${domainValue}Handlers`
  tree.write(
    `packages/contract/src/${domain}/routes.ts`,
    `import { defineRoutes } from '../kit/route.ts'\n\nexport const ${table} = defineRoutes({\n})\n`,
  )
  const all = 'packages/contract/src/routes.ts'
  tree.import(all, table, `./${domain}/routes.ts`)
  tree.insert(all, `  ...${table},\n`, { before: '  ...payRoutes,\n' })
  tree.write(
    `${folderOf(domain)}/routes.ts`,
    `import { defineHandlers } from '../../http/context.ts'\n\nexport const ${handlers} = defineHandlers({\n})\n`,
  )
  const front = frontOf(domain)
  tree.replace(front, '  routes: {},\n  handlers: {},\n', `  routes: ${table},\n  handlers: ${handlers},\n`)
  tree.import(front, table, `@coffer/contract/${domain}/routes.ts`)
  tree.import(front, handlers, './routes.ts')
}
