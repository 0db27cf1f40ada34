import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageList, languages } from '@coffer/contract/languages.ts'
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'
import { type PrefetchPlan, prefetchPlansByDevice } from '../src/early/plan.ts'

/** Pages of visitors. Their address must not reach other sites or search engines: who knows it sees the payment. */
const visitors = ['/pay.html', '/pay-link.html', '/refund.html', '/approve.html']

/** The document around the title and script that an entry names. */
const documentOf = (entry: string, path: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    ${
      visitors.includes(path)
        ? '<meta name="referrer" content="no-referrer" />\n    <meta name="robots" content="noindex" />'
        : '<meta name="referrer" content="same-origin" />'
    }
    <link rel="icon" type="image/svg+xml" href="/src/ui/favicon.svg" />
    ${entry}
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>
`

/** Puts the entries, which hold what differs between pages, into one document. */
export const documents = (): Plugin => ({
  name: 'coffer-documents',
  transformIndexHtml: { order: 'pre', handler: (entry, { path }) => documentOf(entry.trim(), path) },
})

const firstPaint = 'src/theme/firstPaint.js'
const early = 'src/early/start.js'

type Bundle = Rolldown.OutputBundle

/**
 * Adds tags to the head of every page: the script that sets theme and language before the first paint, and in the
 * back-office the script that sends its first calls. The scripts are classic ones, so that they run before the page's
 * modules, and files, so that the content security policy needs no exception.
 */
export function head(): Plugin {
  let root = ''
  return {
    name: 'coffer-head',
    configResolved(config) {
      root = config.root
    },
    buildStart() {
      if (this.environment.mode !== 'build') return
      for (const [file, name] of [
        [firstPaint, 'firstPaint.js'],
        [early, 'early.js'],
      ] as const) {
        this.emitFile({ type: 'asset', name, source: readFileSync(join(root, file), 'utf8') })
        this.addWatchFile(join(root, file))
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, path }) {
        const names = Object.keys(bundle ?? {})
        const built = (start: string, source: string) =>
          `/${bundle ? names.find(name => name.startsWith(`assets/${start}`) && name.endsWith('.js')) : source}`
        const tags = [script(built('firstPaint', firstPaint), { 'data-languages': languageList.join(' ') })]
        const device =
          path === '/index.html'
            ? prefetchPlansByDevice.index
            : path === '/phone.html'
              ? prefetchPlansByDevice.phone
              : undefined
        if (device)
          tags.push(script(built('early', early), { 'data-plan': JSON.stringify(planOf(bundle, html, device)) }))
        return tags
      },
    },
  }
}

/** The plan of `early/start.js`: calls, and the files of the build that the HTML does not name, by language. */
function planOf(bundle: Bundle | undefined, html: string, { shell, pages }: (typeof prefetchPlansByDevice)['index']) {
  const filesOf = ({ modules: pages = [], messages }: PrefetchPlan) =>
    Object.fromEntries(
      languageList.map(language => {
        const modules = [...pages, ...messages.map(area => `src/i18n/${language}/${area}.ts`)]
        const files = new Set(bundle ? modules.flatMap(source => chunksOf(bundle, source)) : [])
        return [language, [...files].filter(file => !html.includes(file)).map(file => `/${file}`)]
      }),
    )
  const withFiles = (each: PrefetchPlan) => ({ calls: each.calls, files: filesOf(each) })
  return {
    tags: Object.fromEntries(languageList.map(language => [language, languages[language].tag])),
    shell: withFiles(shell),
    pages: Object.fromEntries(Object.entries(pages).map(([path, each]) => [path, withFiles(each)])),
  }
}

/** The file of a module that is loaded on demand, and the files that it imports. */
function chunksOf(bundle: Bundle, source: string): string[] {
  const chunk = Object.values(bundle).find(
    each => each.type === 'chunk' && each.moduleIds.some(id => id.endsWith(`/${source}`)),
  )
  if (chunk?.type !== 'chunk') throw new Error(`The build has no file with ${source}.`)
  const found = new Set<string>()
  const add = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    const next = bundle[name]
    if (next?.type === 'chunk') next.imports.forEach(add)
  }
  add(chunk.fileName)
  return [...found]
}

const script = (src: string, data: Record<string, string>): HtmlTagDescriptor => ({
  tag: 'script',
  attrs: { src, ...data },
  injectTo: 'head-prepend',
})
