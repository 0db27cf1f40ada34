import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'

const folder = fileURLToPath(new URL('../../../web/src/ui/logos/images/', import.meta.url))
const names = new Set(existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.svg')) : [])

const pathOf = (name: string) => (names.has(name) ? `/logos/${name}` : '')

/** Path of a token's logo; empty when there is none. */
export const tokenLogo = (symbol: string) => pathOf(`token-${symbol.toLowerCase()}.svg`)
/** Path of a chain's logo, by the chain's id; empty when there is none. */
export const chainLogo = (id: string) => pathOf(`chain-${id}.svg`)

/** Serves the logos of tokens and chains. */
export function mountLogos(app: FastifyInstance): void {
  for (const name of names) {
    const svg = readFileSync(folder + name)
    app.get(`/logos/${name}`, (_request, reply) =>
      reply
        .type('image/svg+xml')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .send(svg),
    )
  }
}
