import { errors, type Language, routes } from '@coffer/contract'
import { codeTabs, escapeHtml, inline, table } from './html.ts'
import type { DocsTexts } from './languages.ts'
import { errorsOf, operations } from './operations.ts'
import type { Json } from './schemas.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Json
}

interface Operation {
  operationId: string
  tags: string[]
  security: Json[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Json; example?: unknown }> }
  responses: Record<string, { content: Record<string, { schema: Json; example?: unknown }> }>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

/** Input of the reference. */
export interface Reference extends DocsTexts {
  document: Document
  publicUrl: string
  language: Language
}

/** Renders the API reference: every call with its input, output and errors, then the shared objects. */
export function reference(about: Reference): string {
  const { document, words } = about
  const calls = (Object.keys(operations) as (keyof typeof operations)[]).map(key => {
    const [method = '', url = ''] = key.split(' ')
    const path = url.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (!operation) throw new Error(`call is not in the OpenAPI document: ${key}`)
    return call(about, key, method, path, operation)
  })
  const shapes = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<h4 id="${name}">${name}</h4>${schema.oneOf ? `<p>${typeOf(about, schema)}</p>` : fields(about, schema, name)}`,
  )
  return `${calls.join('\n')}<h3 id="shapes">${words.shapes}</h3>${shapes.join('\n')}`
}

function call(
  about: Reference,
  key: keyof typeof operations,
  method: string,
  path: string,
  operation: Operation,
): string {
  const { words, language } = about
  const { operationId, parameters, requestBody, responses, security } = operation
  const body = requestBody?.content['application/json']
  const [kind, answer] = Object.entries(responses['200']?.content ?? {})[0] ?? []
  const names = errorsOf(key)
  const [title = '', more] = routes[key].summary[language].split(/\. |[。；]/)
  const data = kind === 'text/event-stream' ? answer?.schema : (answer?.schema.properties as Json | undefined)?.data
  return `<article class="call" aria-labelledby="${operationId}">
<h3 id="${operationId}">${escapeHtml(title)}</h3>
<p class="path"><span class="method">${method}</span> <code>${escapeHtml(path)}</code></p>
${more ? `<p>${inline(more)}</p>` : ''}
${security.length === 0 ? `<p class="quiet">${words.public}</p>` : ''}
${kind === 'text/event-stream' ? `<p class="quiet">${words.events}</p>` : ''}
${parameters.length > 0 ? `<h4>${words.parameters}</h4>${parameterTable(about, parameters)}` : ''}
${body ? `<h4>${words.body}</h4>${body.example === undefined ? `<p>${words.noBody}</p>` : fields(about, body.schema, operationId)}` : ''}
<h4>${words.answer}</h4><p><code>data</code>: ${typeOf(about, data as Json)}</p>${isShape(data as Json) ? '' : fields(about, data as Json, operationId)}
${example(about, method, path, body?.example, answer?.example)}
<details><summary>${words.errors}</summary>${table(
    [words.code, words.status, words.meaning],
    names.map(name => [String(errors[name].code), String(errors[name].status), escapeHtml(errors[name][language])]),
  )}</details>
</article>`
}

function example(
  { publicUrl, words }: Reference,
  method: string,
  path: string,
  body: unknown,
  answer: unknown,
): string {
  if (answer === undefined) return ''
  const { trade_no } = (answer as { data?: { trade_no?: string } }).data ?? {}
  const url = publicUrl + path.replace('{trade_no}', trade_no ?? '')
  const lines = [
    `curl ${method === 'POST' ? '-X POST ' : ''}${url}`,
    `  -H "Authorization: Bearer $COFFER_KEY"`,
    ...(body === undefined ? [] : ['  -H "Content-Type: application/json"', `  -d '${JSON.stringify(body, null, 2)}'`]),
  ]
  return codeTabs([
    { label: words.request, code: lines.join(' \\\n') },
    { label: words.answer, code: JSON.stringify(answer, null, 2) },
  ])
}

const parameterTable = (about: Reference, parameters: Parameter[]) =>
  table(
    [about.words.name, about.words.type, about.words.meaning],
    parameters.map(({ name, required, description, schema }) => [
      nameOf(about, name, required === true),
      typeOf(about, schema),
      meaning(about, { ...schema, ...(description ? { description } : {}) }, 'parameters', name),
    ]),
  )

/** Renders the fields of an object or of a referenced component. */
function fields(about: Reference, schema: Json, shape: string): string {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] }
  const own = isShape(schema) ? about.document.components.schemas[shapeOf(schema)] : undefined
  if (own) return fields(about, own, shapeOf(schema))
  const sent = schema.additionalProperties === false
  const rows = Object.entries(properties).map(([name, part]) => [
    nameOf(about, name, sent && required.includes(name)),
    typeOf(about, part),
    meaning(about, part, shape, name),
  ])
  return table([about.words.name, about.words.type, about.words.meaning], rows)
}

const nameOf = ({ words }: Reference, name: string, needed: boolean) =>
  `<code>${escapeHtml(name)}</code>${needed ? ` <span class="needed">${words.needed}</span>` : ''}`

const isShape = (schema: Json | undefined) => typeof schema?.$ref === 'string'
const shapeOf = (schema: Json) => String(schema.$ref).split('/').at(-1) ?? ''

function typeOf(about: Reference, schema: Json | undefined): string {
  const { words } = about
  if (!schema) return ''
  if (isShape(schema)) return `<a href="#${shapeOf(schema)}">${shapeOf(schema)}</a>`
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) {
    const others = choices.filter(each => each.type !== 'null')
    const types = [...new Set(others.map(each => typeOf(about, each)))].join(' | ')
    return others.length < choices.length ? `${types} ${words.orNull}` : types
  }
  if (schema.type === 'array') return `${words.listOf} ${typeOf(about, schema.items as Json)}`
  if (Array.isArray(schema.enum)) return schema.enum.map(each => `<code>${escapeHtml(String(each))}</code>`).join(' ')
  return escapeHtml(String(schema.type ?? 'object'))
}

/** Renders the description of a field, with the fields of an inline object or list of objects. */
function meaning(about: Reference, schema: Json, shape: string, name: string): string {
  const { words, reference } = about
  const bounds = [
    schema.minimum !== undefined && schema.maximum !== undefined ? `${schema.minimum} – ${schema.maximum}` : '',
    schema.maxLength !== undefined ? `≤ ${schema.maxLength}` : '',
  ].filter(Boolean)
  const description = reference ? reference.fields[shape]?.[name] : (schema.description as string | undefined)
  const text = inline(description ?? words.formats[String(schema.format)] ?? '')
  const [inner] = [schema, schema.items as Json, ...((schema.anyOf as Json[]) ?? [])].filter(each => each?.properties)
  return [
    text,
    bounds.length > 0 ? `<span class="quiet">${bounds.join(', ')}</span>` : '',
    inner ? `<details><summary>${words.fields}</summary>${fields(about, inner, `${shape}.${name}`)}</details>` : '',
  ]
    .filter(Boolean)
    .join(' ')
}
