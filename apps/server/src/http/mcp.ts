import { type DocumentedRoute, routes } from '@coffer/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { createFieldRefusal } from '../kit/refusal.ts'
import { networkKey } from '../kit/visitor.ts'
import { type Documentation, memoizeByKey } from './docs/documentation.ts'
import type { OpenApiDocument } from './docs/fields.ts'
import { type DocumentedKey, operations } from './docs/operations.ts'
import type { MarkdownPage } from './docs/page.ts'

/**
 * Most characters of an answer: more than a model reads at once. The longest page of the documentation has half of
 * them.
 */
const answerMax = 250_000

/** Arguments of a tool, not validated. */
type Arguments = Record<string, unknown>

interface Tool {
  name: string
  description: string
  inputSchema: { type: 'object' } & Record<string, unknown>
  /** Throws Error with a message for the model. */
  run: (request: FastifyRequest, input: Arguments) => Promise<string>
}

/**
 * Serves /mcp: the Model Context Protocol, read-only and without sessions. Its tools are the pages of the
 * documentation, and the calls that read with a secret key. Each call runs as a request of its own with the caller's
 * key, so that scopes, whitelist, limits and turns hold as without it.
 */
export function mountMcp(
  app: FastifyInstance,
  { config: { publicUrl } }: Deps,
  docs: Documentation,
  authenticate: (request: FastifyRequest) => Promise<unknown>,
): void {
  const toolsOf = memoizeByKey<void, Tool[]>(() => [
    documentation(docs.markdownIn('en')),
    ...reads(app, docs.document()),
  ])
  // Loaded at the first request: most servers never get one.
  const mcp = () => import('@modelcontextprotocol/server')
  const makeServer = (request: FastifyRequest, { Server }: Awaited<ReturnType<typeof mcp>>) => {
    const tools = toolsOf()
    const server = new Server({ name: 'coffer', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({
      tools: tools.map(({ run: _, ...tool }) => ({ ...tool, annotations: { readOnlyHint: true } })),
    }))
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: input = {} } }) => {
      const tool = tools.find(each => each.name === name)
      try {
        if (!tool) throw new Error(`Unknown tool. There are: ${tools.map(each => each.name).join(', ')}`)
        const text = await tool.run(request, input)
        if (text.length > answerMax) throw new Error(`The answer is longer than ${answerMax} characters: ask for less`)
        return { content: [{ type: 'text', text }] }
      } catch (error) {
        return { content: [{ type: 'text', text: (error as Error).message }], isError: true }
      }
    })
    return server
  }
  // Whoever sends a key is known before the body is read; without one there is the documentation.
  const preParsing = async (request: FastifyRequest) => {
    if (request.headers.authorization !== undefined)
      await app.gates.strangers.run(networkKey(request.ip), () => authenticate(request))
  }
  app.post('/mcp', { preParsing }, async (request, reply) => {
    // One request, one answer: the protocol has no batches since its version 2025-06-18, and a short one asks for
    // megabytes.
    if (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body))
      throw createFieldRefusal('body', 'one request of JSON-RPC, not a batch', '须为单个 JSON-RPC 请求，不支持批量')
    // Nothing that it reports changes, so that no stream stays open.
    const loaded = await mcp()
    const { fetch } = loaded.createMcpHandler(() => makeServer(request, loaded), { maxSubscriptions: 0 })
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || name === 'content-length' ? [] : [[name, String(value)] as [string, string]],
    )
    const body = JSON.stringify(request.body ?? null)
    const answer = await fetch(new Request(`${publicUrl}/mcp`, { method: 'POST', headers, body }), {
      parsedBody: request.body,
    })
    return reply
      .status(answer.status)
      .headers(Object.fromEntries(answer.headers))
      .send(await answer.text())
  })
}

function documentation(pages: MarkdownPage[]): Tool {
  return {
    name: 'readDocumentation',
    description: `Read a page of the documentation for developers: ${pages.map(({ id, title }) => `${id} (${title})`).join(', ')}`,
    inputSchema: {
      type: 'object',
      properties: { page: { type: 'string', enum: pages.map(({ id }) => id) } },
      required: ['page'],
    },
    run: async (_request, input) => {
      const page = pages.find(({ id }) => id === input.page)
      if (!page) throw new Error(`page: one of ${pages.map(({ id }) => id).join(', ')}`)
      return page.text
    },
  }
}

function reads(app: FastifyInstance, { paths }: OpenApiDocument): Tool[] {
  const keys = (Object.keys(operations) as DocumentedKey[]).filter(key => {
    const { auth, kind = 'json' }: DocumentedRoute = routes[key]
    return key.startsWith('GET ') && auth === 'key' && kind === 'json'
  })
  return keys.map(key => {
    const path = key.slice('GET '.length)
    const parameters = (paths[path.replace(/:(\w+)/g, '{$1}')]?.get?.parameters ?? []).filter(
      each => each.in !== 'header',
    )
    return {
      name: operations[key].id,
      description: routes[key].summary.en,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          parameters.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
        ),
        required: parameters.filter(each => each.required).map(each => each.name),
      },
      run: (request, input) => read(app, request, path, input),
    }
  })
}

async function read(app: FastifyInstance, request: FastifyRequest, path: string, input: Arguments): Promise<string> {
  const rest = { ...input }
  const url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name] ?? '')
    delete rest[name]
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const { authorization = '', host = '' } = request.headers
  const answer = await app.inject({
    method: 'GET',
    url: `${url}?${query}`,
    remoteAddress: request.ip,
    headers: { host, ...(authorization && { authorization }) },
  })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.body
}
