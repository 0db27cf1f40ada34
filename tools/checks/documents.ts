import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Check } from './check.ts'

const folders = '{packages,apps,tools,bench,e2e,docs,contracts,ops}'
const exclude = ['**/node_modules/**', '**/dist/**']
/** Guides for API clients, and the tables of routes. Paths in them are URL paths of the server. */
const forCallers = ['apps/server/src/http/docs/**', 'packages/sdk/README.md', 'docs/{routes,console-routes}.md']

/**
 * Verifies that references in the guides resolve: files and folders (`<name>` matches any name; leading folders may be
 * omitted), links between guides, and scripts of package.json.
 */
export const documents: Check = {
  name: 'guides',
  complaints: root => {
    const paths = globSync(['*', `${folders}/**`], { cwd: root, exclude, withFileTypes: true }).map(entry => {
      const path = join(entry.parentPath, entry.name).slice(normalize(join(root, '/')).length)
      return entry.isDirectory() ? `${path}/` : path
    })
    const { scripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts?: Record<string, string>
    }
    const guides = globSync(['*.md', `${folders}/**/*.md`], { cwd: root, exclude: [...exclude, ...forCallers] }).sort()
    return guides.flatMap(guide =>
      readFileSync(join(root, guide), 'utf8')
        .split('\n')
        .flatMap((line, at) => [
          ...namedPaths(line)
            .filter(path => !isThere(paths, path))
            .map(path => `${guide}:${at + 1} names ${path}, which is not there`),
          ...linkedPaths(line)
            .map(path => normalize(join(dirname(guide), path)))
            .filter(path => !paths.includes(path) && !paths.includes(`${path}/`))
            .map(path => `${guide}:${at + 1} links to ${path}, which is not there`),
          ...[...line.matchAll(/\bnpm run (?:-s )?([\w:]+)/g)]
            .filter(([, script = '']) => !scripts[script])
            .map(([, script]) => `${guide}:${at + 1} runs "${script}", which package.json does not have`),
        ]),
    )
  },
}

const fromRoot = /^(?:packages|apps|tools|bench|e2e|docs|contracts)\//
const aFile = /^[\w.<>/-]+\.(?:ts|tsx|mjs|md|css)$/
const aFolder = /^(?!\.)[\w.<>-]+\/(?:[\w.<>/-]*\/)?$/

/** Returns the paths in a line's code spans, whether the whole span or a word of a command. */
function namedPaths(line: string): string[] {
  return [...line.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => {
    const words = code.split(' ')
    if (words.length > 1) return words.filter(word => aFile.test(word))
    return aFile.test(code) || aFolder.test(code) || (fromRoot.test(code) && /^[\w.<>/-]+$/.test(code)) ? [code] : []
  })
}

/** Returns link targets, except those on other hosts, on the running server and within the page. */
function linkedPaths(line: string): string[] {
  return [...line.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^(?:[a-z]+:|\/)/.test(target))
}

function isThere(paths: string[], named: string): boolean {
  const body = named
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/<[^>]*>/g, '[^/]+')
    .replace(/\/$/, '')
  const fits = new RegExp(fromRoot.test(named) ? `^${body}/?$` : `(?:^|/)${body}/?$`)
  return paths.some(path => fits.test(path))
}
