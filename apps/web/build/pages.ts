import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The HTML entries and the paths they are served at. All other paths belong to the back-office. */
const pages: { file: string; shownAt: RegExp }[] = [
  { file: 'login.html', shownAt: /^\/(?:m\/)?login\/?$/ },
  { file: 'pay.html', shownAt: /^\/pay\/[^/]+\/?$/ },
  { file: 'pay-link.html', shownAt: /^\/l\/[^/]+\/?$/ },
  { file: 'refund.html', shownAt: /^\/refund\/[^/]+\/?$/ },
  { file: 'proof.html', shownAt: /^\/proof\/?$/ },
  { file: 'approve.html', shownAt: /^\/approve\/?$/ },
  { file: 'sandbox.html', shownAt: /^\/sandbox\/?$/ },
  // The console has a port and a build of its own (vite.operator.config.ts); in development it is a file.
  { file: 'operator.html', shownAt: /^\/operator\.html$/ },
  { file: 'phone.html', shownAt: /^\/m(?:\/[^.]*)?$/ },
  { file: 'index.html', shownAt: /^\/(?!api\/|src\/|build\/|node_modules\/|@|docs|sandbox)[^.]*$/ },
]

/** Bundler inputs: the entries that exist, either those of phones or the others. */
export const pageInputs = (root: string, phone: boolean): string[] =>
  pages
    .filter(page => page.file !== 'operator.html' && (page.file === 'phone.html') === phone)
    .map(page => join(root, page.file))
    .filter(path => existsSync(path))

/** Serves the production server's paths in development. */
export function pagePaths(): Plugin {
  return {
    name: 'coffer-page-paths',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const [path = '/', query] = (request.url ?? '/').split('?')
        const page = pages.find(each => each.shownAt.test(path))
        if (page && request.headers.accept?.includes('text/html'))
          request.url = `/${page.file}${query ? `?${query}` : ''}`
        next()
      })
    },
  }
}
