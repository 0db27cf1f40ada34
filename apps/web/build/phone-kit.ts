import { join } from 'node:path'
import type { Plugin } from 'vite'

const replaced = /\/(?:list|data)\/(ListPage\.tsx|useList\.ts|PageHeader\.tsx|Table\.tsx)$|^\.\/(DialogPopup\.tsx)$/

/**
 * Gives phones their own kit: modules of `kit/mobile` take the place of those of the same names in `kit/list`,
 * `ui/data` and `ui/feedback`, so that one page, its columns and its dialogs serve both devices.
 */
export function phoneKit(root: string): Plugin {
  const mobile = join(root, 'src', 'kit', 'mobile')
  return {
    name: 'coffer-phone-kit',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const [, inLists, inFeedback] = replaced.exec(source) ?? []
      const name = inLists ?? inFeedback
      return name && !importer.startsWith(mobile) ? join(mobile, name) : null
    },
  }
}
