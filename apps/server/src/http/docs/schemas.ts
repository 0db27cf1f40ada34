import type { Language } from '@coffer/contract/languages.ts'
import { z } from 'zod'

/** A JSON Schema, or a part of an OpenAPI document. */
export type JsonObject = { [key: string]: unknown }

const prefix = '#/components/schemas/'

/**
 * Converts schemas of the contract to JSON Schema. Schemas with an id become components. Responses may grow, so their
 * schemas allow unknown fields.
 */
export class JsonSchemaConverter {
  readonly components: Record<string, JsonObject> = {}

  /** Converts the schema of a request. */
  input(schema: z.ZodType): JsonObject {
    return this.convert(schema, 'input')
  }

  /** Converts the schema of a response. */
  output(schema: z.ZodType): JsonObject {
    return this.convert(schema, 'output')
  }

  /** Adds a component, and returns a reference to it. */
  named(id: string, schema: JsonObject): JsonObject {
    this.components[id] = schema
    return { $ref: prefix + id }
  }

  private convert(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const made = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => tidy(jsonSchema, io) }) as JsonObject
    const { $schema: _, $defs, ...json } = JSON.parse(JSON.stringify(made).replaceAll('#/$defs/', prefix))
    for (const [id, component] of Object.entries($defs ?? {})) {
      const { id: _, ...rest } = component as JsonObject
      this.components[id] = rest
    }
    return json
  }
}

/**
 * Removes noise for readers: the bounds of safe integers and the pattern of dates. Requests lose their defaults,
 * because generators of clients take a field with a default for one that is always there; descriptions name them.
 */
function tidy(json: JsonObject, io: 'input' | 'output') {
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.format === 'date-time') delete json.pattern
  if (io === 'input') delete json.default
  if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties
}

/** Describes every field of a document in a language: fields carry the texts of all (`describe` of the contract). */
export function localizeDescriptions<T>(part: T, language: Language): T {
  if (Array.isArray(part)) return part.map(each => localizeDescriptions(each, language)) as T
  if (typeof part !== 'object' || part === null) return part
  const { texts, ...rest } = part as { texts?: Record<Language, string>; description?: string }
  if (texts && texts.en !== rest.description) throw new Error(`described in English only: ${rest.description}`)
  const parts = Object.entries(texts ? { ...rest, description: texts[language] } : rest)
  return Object.fromEntries(parts.map(([name, each]) => [name, localizeDescriptions(each, language)])) as T
}
