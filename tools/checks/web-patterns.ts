import { globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Check } from './check.ts'

const web = 'apps/web'

/**
 * Rejects patterns of the build of the pages that match no file: `@source` of stylesheets and groups of chunks. Also
 * rejects a component that a page loads and its stylesheet does not name, since its classes would be missing.
 */
export const webPatterns: Check = {
  name: 'patterns of stylesheets and chunks',
  complaints: async root => [
    ...globSync(`${web}/src/**/*.css`, { cwd: root }).flatMap(sources(root)),
    ...(await chunks(root)),
  ],
}

/** The `@source` rules of a stylesheet, and of those that it imports. */
function sourcesNamed(root: string, css: string): { not: boolean; pattern: string; paths: string[] }[] {
  const text = readFileSync(join(root, css), 'utf8')
  const from = (path: string) => join(dirname(css), path)
  const own = [...text.matchAll(/^@source (not )?"(.+)";/gm)].map(([, not, path = '']) => ({
    not: not !== undefined,
    pattern: from(path),
    paths: braces(path).map(from),
  }))
  const imported = [...text.matchAll(/^@import "(\..+)";/gm)].map(([, path = '']) => from(path))
  return [...own, ...imported.flatMap(each => sourcesNamed(root, each))]
}

const sources = (root: string) => (css: string) => {
  const named = sourcesNamed(root, css)
  const unmatched = named
    .flatMap(({ paths }) => paths)
    .filter(path => globSync(path, { cwd: root }).length === 0)
    .map(path => `${css} names ${path}, which is not there`)
  const isUnder = (file: string, pattern: string) =>
    matchesGlob(file, pattern) || matchesGlob(file, join(pattern, '**'))
  const isNamed = (file: string, not: boolean) => named.some(each => each.not === not && isUnder(file, each.pattern))
  const missing = loadedWith(root, css)
    .filter(file => file.endsWith('.tsx') && (!isNamed(file, false) || isNamed(file, true)))
    .map(file => `${css} lacks @source for ${file}, which its page loads`)
  return [...unmatched, ...missing]
}

/** Returns the patterns for which `a{b,c}` stands; braces do not nest. */
const braces = (path: string): string[] => {
  const [all, inner] = /\{(.+?)\}/.exec(path) ?? []
  return all ? inner!.split(',').flatMap(each => braces(path.replace(all, each))) : [path]
}

/** Returns the files that load with the stylesheet, by following relative imports from the files that import it. */
function loadedWith(root: string, css: string): string[] {
  const files = globSync(`${web}/src/**/main.tsx`, { cwd: root }).filter(file => imported(root, file).includes(css))
  for (const file of files)
    files.push(...imported(root, file).filter(path => /\.tsx?$/.test(path) && !files.includes(path)))
  return files
}

const imported = (root: string, file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^(?!import type).*?\b(?:from|import)[ (]'(\.[^']+)'/gm)].map(
    ([, path = '']) => join(dirname(file), path),
  )

async function chunks(root: string): Promise<string[]> {
  const config = `${web}/vite.config.ts`
  const { default: vite } = await import(pathToFileURL(join(root, config)).href)
  const groups: { name: string; test: RegExp }[] = ['production', 'phone'].flatMap(
    mode => vite({ mode }).build.rolldownOptions.output.codeSplitting.groups,
  )
  const files = globSync(['{apps/web,packages/contract}/src/**/*.*', 'node_modules/{*,@*/*}'], { cwd: root })
  const ids = ['/vite/preload-helper', ...files.map(path => `/${path}${path.startsWith('node_modules') ? '/' : ''}`)]
  const complaints = groups.flatMap(({ name, test }) =>
    alternatives(test.source)
      .filter(each => !ids.some(id => new RegExp(each).test(id)))
      .map(each => `${config}: ${each} of the chunk ${name} matches no file`),
  )
  return [...new Set(complaints)]
}

/** Splits a pattern into its alternatives; groups do not nest. */
const alternatives = (source: string): string[] => (source.match(/(?:\([^)]*\)|[^|(])+/g) ?? []).flatMap(inGroups)

const inGroups = (source: string): string[] => {
  const [all, inner] = /\(\?:([^)]*)\)/.exec(source) ?? []
  return all ? inner!.split('|').flatMap(each => inGroups(source.replace(all, each))) : [source]
}
