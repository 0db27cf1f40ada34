import type { Check } from './check.ts'
import { type Import, importsOf, isForTests, sourceFiles } from './sources.ts'

/** Who may import whom among the workspaces. Nobody else may import anything of ours. */
const workspaces: Record<string, string[]> = {
  'packages/contract': [],
  'packages/core': [],
  'packages/chains': ['packages/core'],
  'packages/sdk': ['packages/contract'],
  'apps/server': ['packages/contract', 'packages/core', 'packages/chains'],
  'apps/web': ['packages/contract'],
}

/** The layers inside the server and the web, from the top down. An import goes down or stays in its folder. */
const layers: Record<string, string[][]> = {
  'apps/server/src': [['http', 'jobs'], ['commands'], ['store', 'outside']],
  'apps/web/src': [['features'], ['ui', 'api', 'i18n']],
}

/** Where the HTTP framework may be used; at the second ones, its types alone. */
const httpFolder = /^apps\/server\/src\/http\//
const httpTypes = /^apps\/server\/src\/(?:sandbox\/|outside\/world\.ts$|serve\.ts$)/

/** The files that choose the sandbox, each by a dynamic import behind the mode. */
const choosesSandbox = new Set(['apps/server/src/main.ts'])

/** A rule gives what is wrong with an import, or nothing. */
type Rule = (each: Import) => string | undefined

const workspaceOf = (path: string) => Object.keys(workspaces).find(name => path.startsWith(`${name}/`))
const isOurs = (path: string) => /^(?:packages|apps|tools|bench|e2e)\//.test(path)

const betweenWorkspaces: Rule = ({ from, to, isType }) => {
  const [own, other] = [workspaceOf(from), workspaceOf(to)]
  if (!own || own === other || isForTests(from)) return
  if (own === 'packages/core') return `core imports nothing, not even ${to}`
  if (!isOurs(to)) return
  if (!other || !workspaces[own]?.includes(other)) return `${own} may not import ${other ?? to}`
  if (own === 'packages/chains' && !isType) return 'chains takes only types from core: write "import type"'
  if (own === 'apps/web' && to === 'packages/contract/src/index.ts' && !isType) {
    return 'the web takes only types from the index of the contract: import values from their own file'
  }
  return
}

const betweenLayers: Rule = ({ from, to }) => {
  if (isForTests(from)) return
  for (const [root, order] of Object.entries(layers)) {
    if (!from.startsWith(`${root}/`) || !to.startsWith(`${root}/`)) continue
    const [own, other] = [from, to].map(path => path.slice(root.length + 1).split('/')[0] ?? '')
    if (own === other) continue
    const [rank, otherRank] = [own, other].map(folder => order.findIndex(layer => layer.includes(folder ?? '')))
    if (rank === undefined || otherRank === undefined || rank < 0 || otherRank < 0) continue
    if (otherRank < rank) return `${own} is below ${other} and may not import it`
    const isPeer = otherRank === rank && ['http', 'jobs'].includes(own ?? '')
    if (isPeer) return `${own} and ${other} stand side by side and may not import each other: move what they share down`
  }
  return
}

const betweenFeatures: Rule = ({ from, to }) => {
  const feature = (path: string) => /^apps\/web\/src\/features\/([^/]+)\//.exec(path)?.[1]
  const [own, other] = [feature(from), feature(to)]
  if (!own || !other || own === other) return
  return `the feature ${own} may not import the feature ${other}: move what they share to ui, api or a file of its own`
}

const framework: Rule = ({ from, to, isType }) => {
  if (!from.startsWith('apps/server/') || !/^(?:@fastify\/|fastify)/.test(to) || isForTests(from)) return
  if (httpFolder.test(from) || (isType && httpTypes.test(from))) return
  return `only apps/server/src/http uses the HTTP framework, not ${to} from here`
}

const sandbox: Rule = ({ from, to, isDynamic, isType }) => {
  const folder = /^apps\/server\/src\/sandbox\//
  if (!folder.test(to) || folder.test(from) || isForTests(from) || !from.startsWith('apps/')) return
  if (isType || (isDynamic && choosesSandbox.has(from))) return
  return 'production never loads the sandbox: only main.ts chooses it, by a dynamic import'
}

const rules = [betweenWorkspaces, betweenLayers, betweenFeatures, framework, sandbox]

/** The arrows between packages, layers and features point one way. */
export const imports: Check = {
  name: 'imports',
  complaints: root =>
    sourceFiles(root)
      .flatMap(path => importsOf(root, path))
      .flatMap(each =>
        rules.flatMap(rule => {
          const wrong = rule(each)
          return wrong ? [`${each.from}:${each.line} ${wrong}`] : []
        }),
      ),
}
