import type { DocsTexts } from './languages.ts'
import type { JsonObject } from './schemas.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: JsonObject
}

export interface OpenApiOperation {
  operationId: string
  tags: string[]
  security: JsonObject[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: JsonObject; example?: unknown }> }
  responses: Record<string, { content: Record<string, { schema: JsonObject; example?: unknown }> }>
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, JsonObject> }
}

/** What describes the fields of a call or object: the OpenAPI document in a language, and the texts around it. */
export interface DocsContext extends DocsTexts {
  document: OpenApiDocument
}

/** A field of a call or object. `type` and `meaning` are markdown; `bounds` is text. */
export interface DocumentedField {
  name: string
  /** Whether a request must have it. */
  needed: boolean
  type: string
  meaning: string
  bounds: string
  /** Fields of an inline object, or of the objects of an inline list. */
  inner: DocumentedField[]
}

/** Returns the fields of an object or of a referenced component. */
export function listSchemaFields(about: DocsContext, schema: JsonObject): DocumentedField[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonObject>; required?: string[] }
  const own = isShape(schema) ? about.document.components.schemas[shapeOf(schema)] : undefined
  if (own) return listSchemaFields(about, own)
  const isSent = schema.additionalProperties === false
  return Object.entries(properties).map(([name, part]) => field(about, part, name, isSent && required.includes(name)))
}

/** Returns the parameters of a call as fields. */
export const listParameterFields = (about: DocsContext, { parameters }: OpenApiOperation): DocumentedField[] =>
  parameters.map(({ name, required, description, schema }) =>
    field(about, { ...schema, ...(description ? { description } : {}) }, name, required === true),
  )

function field(about: DocsContext, schema: JsonObject, name: string, needed: boolean): DocumentedField {
  const { words } = about
  const description = schema.description as string | undefined
  const [object] = [schema, schema.items as JsonObject, ...((schema.anyOf as JsonObject[]) ?? [])].filter(
    each => each?.properties,
  )
  const bounds = [
    schema.minimum !== undefined && schema.maximum !== undefined ? `${schema.minimum} – ${schema.maximum}` : '',
    schema.maxLength !== undefined ? `≤ ${schema.maxLength}` : '',
  ]
  return {
    name,
    needed,
    type: formatSchemaType(about, schema),
    meaning: description ?? words.formats[String(schema.format)] ?? '',
    bounds: bounds.filter(Boolean).join(', '),
    inner: object ? listSchemaFields(about, object) : [],
  }
}

export const isShape = (schema: JsonObject | undefined) => typeof schema?.$ref === 'string'
const shapeOf = (schema: JsonObject) => String(schema.$ref).split('/').at(-1) ?? ''

/** Returns the type of a value as markdown, with links to shared objects. */
export function formatSchemaType(about: DocsContext, schema: JsonObject | undefined): string {
  const { words } = about
  if (!schema) return ''
  if (isShape(schema)) return `[${shapeOf(schema)}](#${shapeOf(schema)})`
  const choices = (schema.anyOf ?? schema.oneOf) as JsonObject[] | undefined
  if (choices) {
    const others = choices.filter(each => each.type !== 'null')
    const types = [...new Set(others.map(each => formatSchemaType(about, each)))].join(' | ')
    return others.length < choices.length ? `${types} ${words.orNull}` : types
  }
  if (schema.type === 'array') return `${words.listOf} ${formatSchemaType(about, schema.items as JsonObject)}`
  if (Array.isArray(schema.enum)) return schema.enum.map(each => `\`${each}\``).join(' ')
  return String(schema.type ?? 'object')
}
