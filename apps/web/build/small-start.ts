import type { Plugin, Rollup } from 'vite'

/**
 * Fails a build in which a page loads zod before its first render. Values of the contract that pages need stand in
 * files without schemas, such as `codes.ts`; types cost nothing.
 */
export function smallStart(): Plugin {
  return {
    name: 'coffer-small-start',
    generateBundle(_, bundle) {
      const chunkOf = (file: string) => bundle[file] as Rollup.OutputChunk
      for (const entry of Object.values(bundle)) {
        if (entry.type !== 'chunk' || !entry.isEntry) continue
        const files = new Set([entry.fileName])
        for (const file of files) for (const each of chunkOf(file).imports) files.add(each)
        const loads = [...files].find(file => chunkOf(file).moduleIds.some(id => id.includes('/node_modules/zod/')))
        if (loads)
          this.error(`${entry.name} loads zod at its start (in ${loads}): import no values of files with schemas`)
      }
    },
  }
}
