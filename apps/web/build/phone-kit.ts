import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Gives phones their own kit: modules of `kit/mobile` take the place of those of the same names in `kit/list` and `ui/data`, so
 * that one page and its columns serve both devices.
 */
export function phoneKit(root: string): Plugin {
  const mobile = join(root, 'src', 'kit', 'mobile')
  return {
    name: 'coffer-phone-kit',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const name = /\/(?:list|data)\/(ListPage\.tsx|useList\.ts|PageHeader\.tsx|Table\.tsx)$/.exec(source)?.[1]
      return name && !importer.startsWith(mobile) ? join(mobile, name) : null
    },
  }
}
