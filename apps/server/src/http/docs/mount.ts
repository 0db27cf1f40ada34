import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { languageOf } from '../errors.ts'
import { openApi } from '../openapi.ts'
import { docsPage } from './page.ts'

const css = readFileSync(new URL('./docs.css', import.meta.url), 'utf8')
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** What the merchant's developer reads: /docs, and the same for machines at /api/v1/openapi.json. */
export function mountDocs(app: FastifyInstance, deps: Deps): void {
  const { publicUrl } = deps.config
  const document = openApi(publicUrl)
  app.get('/api/v1/openapi.json', async () => document)
  app.get('/docs/docs.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(css))
  app.get('/docs', (request, reply) => {
    const { lang } = request.query as { lang?: unknown }
    const language = lang === 'zh-CN' || lang === 'en-US' ? lang : languageOf(request)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('vary', 'Accept-Language')
      .send(docsPage(publicUrl, language))
  })
}
