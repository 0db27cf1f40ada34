import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageList } from '@coffer/contract/languages.ts'
import type { HtmlTagDescriptor, Plugin } from 'vite'

const firstPaint = 'src/theme/firstPaint.js'

/**
 * Adds two tags to the head of every page: the script that sets theme and language before the first paint (a classic
 * script so that it blocks rendering, a file so that the content security policy needs no exception), and a preload of
 * the font, so that text does not reflow.
 */
export function head(): Plugin {
  let root = ''
  let scriptRef: string | undefined
  return {
    name: 'coffer-head',
    configResolved(config) {
      root = config.root
    },
    buildStart() {
      if (this.environment.mode !== 'build') return
      const source = readFileSync(join(root, firstPaint), 'utf8')
      scriptRef = this.emitFile({ type: 'asset', name: 'firstPaint.js', source })
      this.addWatchFile(join(root, firstPaint))
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, context) {
        if (!context.bundle || !scriptRef) return [script(`/${firstPaint}`)]
        const names = Object.keys(context.bundle)
        const tags = [script(`/${names.find(name => /firstPaint.*\.js$/.test(name))}`)]
        const font = names.find(name => name.endsWith('.woff2'))
        if (font && html.includes('.css')) tags.push(preload(`/${font}`))
        return tags
      },
    },
  }
}

const script = (src: string): HtmlTagDescriptor => ({
  tag: 'script',
  attrs: { src, 'data-languages': languageList.join(' ') },
  injectTo: 'head-prepend',
})

const preload = (href: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href },
  injectTo: 'head-prepend',
})
