import { z } from 'zod'

/** A JSON Schema, or a part of an OpenAPI document. */
export type Json = { [key: string]: unknown }

const prefix = '#/components/schemas/'

/**
 * Turns schemas of the contract into JSON Schemas. Those with an id become components, and are referred to. What we
 * answer may grow, so an answer's schema does not forbid what it does not name.
 */
export class Schemas {
  readonly components: Record<string, Json> = {}

  /** What a caller sends. */
  input(schema: z.ZodType): Json {
    return this.convert(schema, 'input')
  }

  /** What we answer. */
  output(schema: z.ZodType): Json {
    return this.convert(schema, 'output')
  }

  private convert(schema: z.ZodType, io: 'input' | 'output'): Json {
    const made = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => tidy(jsonSchema, io) }) as Json
    const { $schema: _, $defs, ...json } = JSON.parse(JSON.stringify(made).replaceAll('#/$defs/', prefix))
    for (const [id, component] of Object.entries($defs ?? {})) {
      const { id: _, ...rest } = component as Json
      this.components[id] = rest
    }
    return json
  }
}

/** Takes out what says nothing to a reader: the bounds of exact integers, and how a date is spelled. */
function tidy(json: Json, io: 'input' | 'output') {
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.format === 'date-time') delete json.pattern
  if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties
}
