import { globSync, readFileSync } from 'node:fs'
import { type Language, languageOf as languageOfTag } from '@coffer/contract/languages.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { languageOf } from '../../kit/language.ts'
import { openApi } from './openapi.ts'
import { docsPage, newestSdk } from './page.ts'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const files = {
  '/docs/docs.css': ['text/css; charset=utf-8', new URL('./docs.css', import.meta.url)],
  '/docs/parts.css': ['text/css; charset=utf-8', new URL('./parts.css', import.meta.url)],
  '/docs/docs.js': ['text/javascript; charset=utf-8', new URL('./docs.js', import.meta.url)],
  '/docs/inter.woff2': [
    'font/woff2',
    new URL(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
  ],
} as const

/** The archives of the client for `npm install`, by name. They never change: lock files of shops hold their hashes. */
const packed = new URL('../../../../../packages/sdk/packed/', import.meta.url)
const archives = new Map(globSync('*.tgz', { cwd: packed }).map(name => [name, readFileSync(new URL(name, packed))]))

/** Serves the documentation for developers: /docs, /api/v1/openapi.json and the client for Node.js. */
export function mountDocs(app: FastifyInstance, deps: Deps): void {
  const { publicUrl } = deps.config
  const document = openApi(publicUrl)
  const pages = new Map<Language, string>()
  const pageIn = (language: Language) => {
    const page = pages.get(language) ?? docsPage(publicUrl, language)
    pages.set(language, page)
    return page
  }
  app.get('/api/v1/openapi.json', (_request, reply) =>
    reply.header('access-control-allow-origin', '*').header('cache-control', 'no-cache').send(document),
  )
  for (const [path, [type, url]] of Object.entries(files)) {
    const content = readFileSync(url)
    app.get(path, (_request, reply) => reply.type(type).header('cache-control', 'max-age=300').send(content))
  }
  for (const [name, archive] of archives)
    app.get(`/docs/${name}`, (_request, reply) =>
      reply.type('application/gzip').header('cache-control', 'public, max-age=31536000, immutable').send(archive),
    )
  app.get('/docs/coffer-sdk.tgz', (_request, reply) =>
    reply.header('cache-control', 'no-cache').redirect(`/docs/${newestSdk}`, 302),
  )
  app.get('/docs', (request, reply) => {
    const { lang } = request.query as { lang?: unknown }
    const language = typeof lang === 'string' ? languageOfTag(lang) : languageOf(request)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('vary', 'Accept-Language')
      .header('cache-control', 'no-cache')
      .send(pageIn(language))
  })
}
