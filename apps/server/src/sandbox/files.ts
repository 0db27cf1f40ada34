import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves one file of the folder `page` at a path. A login page of another local origin may open these pages as popups
 * and needs their answer, hence COOP `unsafe-none`.
 */
export function serveFile(app: FastifyInstance, path: string, file: string, fill: (text: string) => string = t => t) {
  const text = fill(readFileSync(new URL(`./page/${file}`, import.meta.url), 'utf8'))
  const type = types[file.slice(file.lastIndexOf('.') + 1)] ?? 'text/plain'
  app.get(path, async (_request, reply) =>
    reply
      .type(type)
      .header('content-security-policy', policy)
      .header('cross-origin-opener-policy', 'unsafe-none')
      .send(text),
  )
}
