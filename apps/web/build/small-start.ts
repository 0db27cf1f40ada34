import type { Plugin, Rollup } from 'vite'

/** The pages of payers and approvers, which are drawn with Preact. */
const visitors = ['pay', 'pay-link', 'refund', 'approve', 'proof']

/**
 * Fails a build in which a page loads zod before its first render, or a visitor's page the React of the back-office.
 * Values of the contract that pages need stand in files without schemas, such as `codes.ts`; types cost nothing. A
 * module that visitors' pages share with the back-office belongs into the chunk `base`, lest it brings another chunk
 * along.
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
        const holderOf = (name: string) =>
          [...files].find(file => chunkOf(file).moduleIds.some(id => id.includes(`/node_modules/${name}/`)))
        const zod = holderOf('zod')
        if (zod) this.error(`${entry.name} loads zod at its start (in ${zod}): import no values of files with schemas`)
        const react = visitors.includes(entry.name) && holderOf('react-dom')
        if (react) this.error(`${entry.name} loads React (in ${react}): put what it shares into the chunk base`)
      }
    },
  }
}
