import type { OpenApiDocument } from './fields.ts'
import { type DocumentedOperation, operations } from './operations.ts'
import type { JsonObject } from './schemas.ts'

/**
 * Makes a collection for Bruno (https://www.usebruno.com) of all calls with their examples, in the form of its export.
 */
export function buildBrunoCollection(document: OpenApiDocument, publicUrl: string): JsonObject {
  const calls = Object.entries(operations)
  const folders = [...Map.groupBy(calls, ([, { tag }]) => tag)].map(([name, those], at) => ({
    type: 'folder',
    name,
    seq: at + 1,
    items: those.map(([key, documented], index) => ({
      type: 'http',
      name: documented.id,
      seq: index + 1,
      request: requestOf(document, key, documented),
    })),
  }))
  const variable = (name: string, value: string, secret: boolean) => ({
    name,
    value,
    secret,
    type: 'text',
    enabled: true,
  })
  return {
    name: 'Coffer',
    version: '1',
    items: folders,
    activeEnvironmentUid: null,
    environments: [{ name: 'Coffer', variables: [variable('url', publicUrl, false), variable('key', '', true)] }],
    root: { request: { auth: { mode: 'bearer', bearer: { token: '{{key}}' } } } },
    brunoConfig: { version: '1', name: 'Coffer', type: 'collection' },
  }
}

function requestOf(document: OpenApiDocument, key: string, { body }: DocumentedOperation): JsonObject {
  const [method = '', path = ''] = key.split(' ')
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  const parameters = operation?.parameters.filter(each => each.in !== 'header') ?? []
  return {
    url: `{{url}}${path}`,
    method,
    headers: [],
    // Filters of lists wait, turned off, for a value.
    params: parameters.map(({ name, in: type }) => ({ name, value: '', type, enabled: type === 'path' })),
    body: body === undefined ? { mode: 'none' } : { mode: 'json', json: JSON.stringify(body, null, 2) },
    auth: { mode: operation?.security.length === 0 ? 'none' : 'inherit' },
  }
}
