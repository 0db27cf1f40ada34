import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Gives phones their own list kit: `kit/mobile/ListPage.tsx` and `kit/mobile/useList.ts` take the place of the modules of the same
 * names in `kit/list`, so that one page and its columns serve both devices.
 */
export function phoneKit(root: string): Plugin {
  const mobile = join(root, 'src', 'kit', 'mobile')
  return {
    name: 'coffer-phone-kit',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const name = /\/list\/(ListPage\.tsx|useList\.ts)$/.exec(source)?.[1]
      return name && !importer.startsWith(mobile) ? join(mobile, name) : null
    },
  }
}
