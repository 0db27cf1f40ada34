import { type DocumentedRoute, errors, type Language, routes } from '@coffer/contract'
import {
  type DocsContext,
  type DocumentedField,
  formatSchemaType,
  isShape,
  listParameterFields,
  listSchemaFields,
} from './fields.ts'
import { escapeHtml, renderCodeTabs, renderHtmlTable, renderInlineMarkdown } from './html.ts'
import { formatMarkdownCodeTabs, markdownTable } from './markdown.ts'
import { listOperationErrors, operations } from './operations.ts'
import type { JsonObject } from './schemas.ts'

/** Input of the reference. */
export interface ReferenceInput extends DocsContext {
  publicUrl: string
  language: Language
}

/** A call as readers see it. Texts are markdown. */
interface Call {
  id: string
  title: string
  more: string
  method: string
  path: string
  notes: string[]
  parameters: DocumentedField[]
  /** Undefined without a body, empty for an optional one. */
  body: DocumentedField[] | undefined
  answer: { type: string; fields: DocumentedField[] }
  examples: { label: string; code: string }[]
  errors: string[][]
}

/** Renders the API reference: every call with its input, output and errors, then the shared objects. */
export function renderApiReference(about: ReferenceInput): string {
  const { words } = about
  const shapes = shapesOf(about).map(
    ({ name, type, fields }) =>
      `<h4 id="${name}">${name}</h4>${type ? `<p>${renderInlineMarkdown(type)}</p>` : fieldTable(about, fields)}`,
  )
  return `${callsOf(about)
    .map(each => call(about, each))
    .join('\n')}<h3 id="shapes">${words.shapes}</h3>${shapes.join('\n')}`
}

/** The API reference as markdown. */
export function renderApiReferenceMarkdown(about: ReferenceInput): string {
  const { words } = about
  const heads = [words.name, words.type, words.meaning]
  const list = (fields: DocumentedField[]) => (fields.length > 0 ? markdownTable(heads, flat(about, fields)) : '')
  const calls = callsOf(about).flatMap(each => [
    `### ${each.title}`,
    `\`${each.method} ${each.path}\``,
    each.more,
    ...each.notes,
    ...(each.parameters.length > 0 ? [`#### ${words.parameters}`, list(each.parameters)] : []),
    ...(each.body ? [`#### ${words.body}`, list(each.body) || words.noBody] : []),
    `#### ${words.answer}`,
    `\`data\`: ${each.answer.type}`,
    list(each.answer.fields),
    formatMarkdownCodeTabs(each.examples),
    `#### ${words.errors}`,
    markdownTable([words.code, words.status, words.meaning], each.errors),
  ])
  const shapes = shapesOf(about).flatMap(({ name, type, fields }) => [`#### ${name}`, type || list(fields)])
  return [...calls, `### ${words.shapes}`, ...shapes].filter(Boolean).join('\n\n')
}

/** Says what a call needs: a scope of the key, or no key. */
const describeAccess = ({ scope }: DocumentedRoute, words: ReferenceInput['words']) =>
  scope ? words.needsScope(scope) : words.public

function callsOf(about: ReferenceInput): Call[] {
  return (Object.keys(operations) as (keyof typeof operations)[]).map(key => {
    const [method = '', url = ''] = key.split(' ')
    const path = url.replace(/:(\w+)/g, '{$1}')
    const operation = about.document.paths[path]?.[method.toLowerCase()]
    if (!operation) throw new Error(`call is not in the OpenAPI document: ${key}`)
    const { operationId, requestBody, responses } = operation
    const { words, language } = about
    const body = requestBody?.content['application/json']
    const [kind, answer] = Object.entries(responses['200']?.content ?? {})[0] ?? []
    const isStream = kind === 'text/event-stream'
    const [title = '', more = ''] = routes[key].summary[language].split(/\. |[。；]/)
    const data = isStream ? answer?.schema : (answer?.schema.properties as JsonObject | undefined)?.data
    return {
      id: operationId,
      title,
      more,
      method,
      path,
      notes: [describeAccess(routes[key], words), ...(isStream ? [words.events] : [])],
      parameters: listParameterFields(about, operation),
      body: body && (body.example === undefined ? [] : listSchemaFields(about, body.schema)),
      answer: {
        type: formatSchemaType(about, data as JsonObject),
        fields: isShape(data as JsonObject) ? [] : listSchemaFields(about, data as JsonObject),
      },
      examples: examples(about, method, path, body?.example, answer?.example),
      errors: listOperationErrors(key).map(name => [
        String(errors[name].code),
        String(errors[name].status),
        errors[name][language],
      ]),
    }
  })
}

const shapesOf = (about: ReferenceInput) =>
  Object.entries(about.document.components.schemas).map(([name, schema]) => ({
    name,
    type: schema.oneOf ? formatSchemaType(about, schema) : '',
    fields: schema.oneOf ? [] : listSchemaFields(about, schema),
  }))

function call(about: ReferenceInput, each: Call): string {
  const { words } = about
  const { id, title, more, method, path, notes, parameters, body, answer } = each
  return `<article class="call" aria-labelledby="${id}">
<h3 id="${id}">${escapeHtml(title)}</h3>
<p class="path"><span class="method">${method}</span> <code>${escapeHtml(path)}</code></p>
${more ? `<p>${renderInlineMarkdown(more)}</p>` : ''}
${notes.map(note => `<p class="quiet">${note}</p>`).join('\n')}
${parameters.length > 0 ? `<h4>${words.parameters}</h4>${fieldTable(about, parameters)}` : ''}
${body ? `<h4>${words.body}</h4>${body.length === 0 ? `<p>${words.noBody}</p>` : fieldTable(about, body)}` : ''}
<h4>${words.answer}</h4><p><code>data</code>: ${renderInlineMarkdown(answer.type)}</p>${answer.fields.length > 0 ? fieldTable(about, answer.fields) : ''}
${each.examples.length > 0 ? renderCodeTabs(each.examples) : ''}
<details><summary>${words.errors}</summary>${renderHtmlTable(
    [words.code, words.status, words.meaning],
    each.errors.map(row => row.map(escapeHtml)),
  )}</details>
</article>`
}

function examples({ publicUrl, words }: ReferenceInput, method: string, path: string, body: unknown, answer: unknown) {
  if (answer === undefined) return []
  const { trade_no } = (answer as { data?: { trade_no?: string } }).data ?? {}
  const url = publicUrl + path.replace('{trade_no}', trade_no ?? '')
  const lines = [
    `curl ${method === 'POST' ? '-X POST ' : ''}${url}`,
    `  -H "Authorization: Bearer $COFFER_KEY"`,
    ...(body === undefined ? [] : ['  -H "Content-Type: application/json"', `  -d '${JSON.stringify(body, null, 2)}'`]),
  ]
  return [
    { label: words.request, code: lines.join(' \\\n') },
    { label: words.answer, code: JSON.stringify(answer, null, 2) },
  ]
}

function fieldTable(about: ReferenceInput, fields: DocumentedField[]): string {
  const { words } = about
  const rows = fields.map(({ name, needed, type, meaning, bounds, inner }) => [
    `<code>${escapeHtml(name)}</code>${needed ? ` <span class="needed">${words.needed}</span>` : ''}`,
    renderInlineMarkdown(type),
    [
      renderInlineMarkdown(meaning),
      bounds && `<span class="quiet">${bounds}</span>`,
      inner.length > 0 ? `<details><summary>${words.fields}</summary>${fieldTable(about, inner)}</details>` : '',
    ]
      .filter(Boolean)
      .join(' '),
  ])
  return renderHtmlTable([words.name, words.type, words.meaning], rows)
}

/** Fields as rows of markdown, with those of inner objects below theirs, as `rate.price`. */
const flat = (about: ReferenceInput, fields: DocumentedField[], within = ''): string[][] =>
  fields.flatMap(({ name, needed, type, meaning, bounds, inner }) => [
    [
      `\`${within}${name}\`${needed ? ` (${about.words.needed})` : ''}`,
      type,
      [meaning, bounds && `(${bounds})`].filter(Boolean).join(' '),
    ],
    ...flat(about, inner, `${within}${name}.`),
  ])
