import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@coffer/contract'
import type { Check } from './check.ts'
import { calls, callsToCome, phoneScreens, screens, screensToCome } from './specification.ts'

/** Verifies that each specified call is either in the contract or on the list of planned calls. */
export const specifiedCalls = (known: Iterable<string> = Object.keys(routes), toCome = callsToCome): Check => ({
  name: 'calls of the specification',
  complaints: () => {
    const contract = new Set(known)
    return [
      ...calls
        .filter(call => !contract.has(call) && !toCome.includes(call))
        .map(call => `${call} is specified and not in packages/contract/src/routes: add it`),
      ...toCome
        .filter(call => contract.has(call))
        .map(call => `${call} has come: take it off the list of calls to come`),
    ]
  },
})

const routesFile = 'apps/web/src/routes.ts'
const features = 'apps/web/src/features'

/** Verifies that each specified screen either has a route to an existing page or is on the list of planned screens. */
export const specifiedScreens = (toCome = screensToCome): Check => ({
  name: 'screens of the specification',
  complaints: root => {
    const table = readScreens(root)
    const missing = (kind: 'desktop' | 'phone', path: string): string[] => {
      const desktop = table.get(path)
      const name = desktop && (kind === 'phone' ? `${desktop}.mobile` : desktop)
      const shown = kind === 'phone' ? `/m${path}` : path
      if (toCome.includes(shown)) {
        return isBuilt(root, name) ? [`${shown} has come: take it off the list of screens to come`] : []
      }
      if (!name) return [`${shown} is specified and has no page in ${routesFile}: add it`]
      return isBuilt(root, name) ? [] : [`${shown}: ${features}/${name}.tsx is missing: write it`]
    }
    const login = existsSync(join(root, 'apps/web/login.html'))
      ? []
      : ['apps/web/login.html, the page /login, is missing']
    return [
      ...login,
      ...screens.flatMap(path => missing('desktop', path)),
      ...phoneScreens.flatMap(path => missing('phone', path)),
    ]
  },
})

const isBuilt = (root: string, name: string | undefined) =>
  name !== undefined && existsSync(join(root, features, `${name}.tsx`))

/** Parses the route table of this root from source, without importing what it imports. */
function readScreens(root: string): Map<string, string | undefined> {
  const [, ...lines] = readFileSync(join(root, routesFile), 'utf8').split(/\bpath: '/)
  return new Map(lines.map(line => [line.slice(0, line.indexOf("'")), /desktop: '([^']+)'/.exec(line)?.[1]]))
}

/** Returns the paths of routes whose page exists. */
export const builtScreens = (root: string): string[] =>
  [...readScreens(root)].flatMap(([path, desktop]) => (isBuilt(root, desktop) ? [path] : []))
