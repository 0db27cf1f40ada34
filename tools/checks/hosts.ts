import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Check } from './check.ts'

/** Assembled from parts so that this file does not match. */
const hosts = new RegExp(
  [
    ['registry', '[a-z0-9-]+(?:\\.[a-z]+)*', '(?:org|com|io|net|cn|dev)'].join('\\.'),
    'npm(?:mirror|jfrog)\\.',
    '\\bartifactory\\b',
    '\\bverdaccio\\b',
    'codeload\\.',
  ].join('|'),
  'i',
)

/** Rejects names of package registries. Each machine configures its own registry. */
export const registryHosts: Check = {
  name: 'registry hosts',
  complaints: root => {
    return textFiles(root).flatMap(path =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, at) => {
          const found = hosts.exec(line)
          return found ? [`${path}:${at + 1} names "${found[0]}": name the package alone`] : []
        }),
    )
  },
}

function textFiles(root: string): string[] {
  const exclude = ['**/node_modules', '**/dist', '**/.git', '.coffer', '.cache']
  return globSync(['*', '.*', '{packages,apps,tools,bench,e2e,docs,contracts,.ci}/**/*'], {
    cwd: root,
    exclude,
    withFileTypes: true,
  })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
}
