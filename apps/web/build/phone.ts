import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

const sizes = [192, 512] as const
const offline = '/m/offline.html'

/** Modules with which the page that takes payments opens without a connection, beside those of the shell. */
const atCounter =
  /\/features\/payment-links\/(?:Page\.mobile|Charge)\.tsx$|\/ui\/pageIcons\.ts$|\/i18n\/[\w-]+\/(?:common|phone|shell|payment-links)\.ts$/

/** The files of the shell and of the page at the counter, with what they import. */
function filesOf(bundle: Rolldown.OutputBundle): string[] {
  const files = new Set<string>()
  const add = (name: string) => {
    const file = bundle[name]
    if (files.has(`/${name}`) || file?.type !== 'chunk') return
    files.add(`/${name}`)
    file.imports.forEach(add)
  }
  for (const file of Object.values(bundle)) {
    if (file.type === 'asset' && /\.(?:css|woff2)$|\/(?:early|firstPaint)-[^/]*\.js$/.test(file.fileName))
      files.add(`/${file.fileName}`)
    else if (file.type === 'chunk' && (file.isEntry || file.moduleIds.some(id => atCounter.test(id))))
      add(file.fileName)
  }
  return [...files]
}

/**
 * Makes the phone's build an app that can be installed: a manifest with icons, a service worker and a page for times
 * without a connection.
 */
export function phoneApp(root: string): Plugin {
  const read = (name: string) => readFileSync(join(root, 'src', 'app', name))
  return {
    name: 'coffer-phone-app',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { path }) =>
        path === '/phone.html'
          ? [
              { tag: 'link', attrs: { rel: 'manifest', href: '/m/app.webmanifest' } },
              { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/m/maskable-192.png' } },
            ]
          : [],
    },
    generateBundle(_options, bundle) {
      const emit = (fileName: string, source: string | Uint8Array) => this.emitFile({ type: 'asset', fileName, source })
      const icons = sizes.flatMap(size =>
        ['any', 'maskable'].map(purpose => {
          const file = `${purpose}-${size}.png`
          emit(`m/${file}`, read(file))
          return { src: `/m/${file}`, sizes: `${size}x${size}`, type: 'image/png', purpose }
        }),
      )
      const manifest = {
        id: '/m/',
        name: 'Coffer',
        short_name: 'Coffer',
        start_url: '/m/',
        scope: '/m/',
        display: 'standalone',
        background_color: '#ffffff',
        theme_color: '#ffffff',
        icons,
        shortcuts: [{ name: 'Collect 收款', url: '/m/collect' }],
      }
      emit('m/app.webmanifest', JSON.stringify(manifest))
      emit('m/offline.html', read('offline.html'))
      const build = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 16)
      const worker = read('worker.js').toString()
      emit(
        'm/worker.js',
        worker
          .replace('__CACHE__', `coffer-${build}`)
          .replace('__OFFLINE__', offline)
          .replace('__FILES__', filesOf(bundle).join(' ')),
      )
    },
  }
}

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
