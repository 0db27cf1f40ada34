import type { DocsTexts } from './languages.ts'
import type { Json } from './schemas.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Json
}

export interface Operation {
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

/** What describes the fields of a call or object: the OpenAPI document in a language, and the texts around it. */
export interface Described extends DocsTexts {
  document: Document
}

/** A field of a call or object. `type` and `meaning` are markdown; `bounds` is text. */
export interface Field {
  name: string
  /** Whether a request must have it. */
  needed: boolean
  type: string
  meaning: string
  bounds: string
  /** Fields of an inline object, or of the objects of an inline list. */
  inner: Field[]
}

/** Returns the fields of an object or of a referenced component. */
export function fieldsOf(about: Described, schema: Json): Field[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] }
  const own = isShape(schema) ? about.document.components.schemas[shapeOf(schema)] : undefined
  if (own) return fieldsOf(about, own)
  const isSent = schema.additionalProperties === false
  return Object.entries(properties).map(([name, part]) => field(about, part, name, isSent && required.includes(name)))
}

/** Returns the parameters of a call as fields. */
export const parametersOf = (about: Described, { parameters }: Operation): Field[] =>
  parameters.map(({ name, required, description, schema }) =>
    field(about, { ...schema, ...(description ? { description } : {}) }, name, required === true),
  )

function field(about: Described, schema: Json, name: string, needed: boolean): Field {
  const { words } = about
  const description = schema.description as string | undefined
  const [object] = [schema, schema.items as Json, ...((schema.anyOf as Json[]) ?? [])].filter(each => each?.properties)
  const bounds = [
    schema.minimum !== undefined && schema.maximum !== undefined ? `${schema.minimum} – ${schema.maximum}` : '',
    schema.maxLength !== undefined ? `≤ ${schema.maxLength}` : '',
  ]
  return {
    name,
    needed,
    type: typeOf(about, schema),
    meaning: description ?? words.formats[String(schema.format)] ?? '',
    bounds: bounds.filter(Boolean).join(', '),
    inner: object ? fieldsOf(about, object) : [],
  }
}

export const isShape = (schema: Json | undefined) => typeof schema?.$ref === 'string'
const shapeOf = (schema: Json) => String(schema.$ref).split('/').at(-1) ?? ''

/** Returns the type of a value as markdown, with links to shared objects. */
export function typeOf(about: Described, schema: Json | undefined): string {
  const { words } = about
  if (!schema) return ''
  if (isShape(schema)) return `[${shapeOf(schema)}](#${shapeOf(schema)})`
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) {
    const others = choices.filter(each => each.type !== 'null')
    const types = [...new Set(others.map(each => typeOf(about, each)))].join(' | ')
    return others.length < choices.length ? `${types} ${words.orNull}` : types
  }
  if (schema.type === 'array') return `${words.listOf} ${typeOf(about, schema.items as Json)}`
  if (Array.isArray(schema.enum)) return schema.enum.map(each => `\`${each}\``).join(' ')
  return String(schema.type ?? 'object')
}
