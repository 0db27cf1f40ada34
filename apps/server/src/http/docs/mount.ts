import { globSync, readFileSync } from 'node:fs'
import { type Language, languageOf as languageOfTag } from '@coffer/contract/languages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { languageOf } from '../../kit/language.ts'
import { Refusal } from '../../kit/refusal.ts'
import { buildBrunoCollection } from './bruno.ts'
import { createDocumentation, type Documentation } from './documentation.ts'
import { llmsTxt, type MarkdownPage, newestSdk } from './page.ts'

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

/**
 * Serves the documentation for developers: /docs, the same as Markdown, /llms.txt, /api/v1/openapi.json, a collection
 * for Bruno and the client for Node.js.
 */
export function mountDocs(
  app: FastifyInstance,
  { config: { publicUrl } }: Deps,
  { document, pageIn, markdownIn }: Documentation = createDocumentation(publicUrl),
): void {
  app.get('/api/v1/openapi.json', (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send(document()),
  )
  for (const [path, [type, url]] of Object.entries(files)) {
    const content = readFileSync(url)
    app.get(path, (_request, reply) => reply.type(type).send(content))
  }
  for (const [name, archive] of archives)
    app.get(`/docs/${name}`, (_request, reply) => reply.type('application/gzip').send(archive))
  app.get('/docs/coffer-sdk.tgz', (_request, reply) => reply.redirect(`/docs/${newestSdk}`, 302))
  app.get('/docs/bruno.json', (_request, reply) => reply.send(buildBrunoCollection(document(), publicUrl)))
  app.get('/docs', (request, reply) =>
    perLanguage(reply)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(pageIn(requested(request))),
  )
  const sendMarkdown = (reply: FastifyReply, pages: MarkdownPage[]) =>
    perLanguage(reply)
      .type('text/markdown; charset=utf-8')
      .send(pages.map(({ text }) => text).join('\n'))
  app.get('/docs.md', (request, reply) => sendMarkdown(reply, markdownIn(requested(request))))
  app.get('/docs/:page.md', (request, reply) => {
    const { page } = request.params as { page: string }
    const pages = markdownIn(requested(request)).filter(({ id }) => id === page)
    if (pages.length === 0) throw new Refusal('not_found')
    return sendMarkdown(reply, pages)
  })
  app.get('/llms.txt', (request, reply) =>
    perLanguage(reply)
      .type('text/plain; charset=utf-8')
      .send(llmsTxt(publicUrl, requested(request), markdownIn(requested(request)))),
  )
}

const requested = (request: FastifyRequest): Language => {
  const { lang } = request.query as { lang?: unknown }
  return typeof lang === 'string' ? languageOfTag(lang) : languageOf(request)
}

const perLanguage = (reply: FastifyReply) => reply.header('vary', 'Accept-Language')
