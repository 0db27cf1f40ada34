import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { createFieldRefusal, Refusal } from '../../kit/refusal.ts'
import { addField, fieldCharactersMax, type TextFields } from './fields.ts'

const fieldsMax = 60

/**
 * Gives the handlers of a scope the bytes of a body, so that they refuse it in their own form. Multipart stays as it
 * is.
 */
export function acceptRawBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser(['application/json', 'text/plain'])
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** Returns the text of a body, which must be UTF-8. */
export function bodyText({ body }: Pick<FastifyRequest, 'body'>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode((body as Buffer | null | undefined) ?? Buffer.alloc(0))
  } catch {
    throw createFieldRefusal('body', 'UTF-8 only', '须为 UTF-8 编码')
  }
}

/**
 * Reads the fields of the query and of a form in the body, urlencoded or multipart. A field has one text: lists,
 * repeated fields and files are refused, as are texts that are not UTF-8, and names that are no words.
 */
export async function readFormFields(request: FastifyRequest): Promise<TextFields> {
  const pairs = pairsOf(request.url.split('?').slice(1).join('?'))
  if (request.method === 'POST') {
    if (request.isMultipart()) pairs.push(...(await multipartPairs(request)))
    else if (/^(?:application\/x-www-form-urlencoded|$)/i.test(request.headers['content-type'] ?? ''))
      pairs.push(...pairsOf(bodyText(request)))
    else throw createFieldRefusal('body', 'a form', '须为表单')
  }
  if (pairs.length > fieldsMax)
    throw createFieldRefusal('body', `at most ${fieldsMax} fields`, `最多 ${fieldsMax} 个字段`)
  const fields: TextFields = Object.create(null)
  for (const [name, value] of pairs) addField(fields, name, value)
  return fields
}

const pairsOf = (text: string): [string, string][] =>
  text
    .split('&')
    .filter(part => part !== '')
    .map(part => {
      const at = part.indexOf('=')
      return at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]
    })

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw createFieldRefusal('body', 'percent-encoded UTF-8', '须为 UTF-8 百分号编码')
  }
}

async function multipartPairs(request: FastifyRequest): Promise<[string, string][]> {
  const pairs: [string, string][] = []
  try {
    for await (const part of request.parts({
      limits: { fields: fieldsMax, files: 0, fieldSize: fieldCharactersMax * 4 },
    })) {
      if (part.type === 'file')
        throw createFieldRefusal(part.fieldname.slice(0, 40), 'a text, not a file', '须为文本，不能是文件')
      pairs.push([part.fieldname, String(part.value)])
    }
  } catch (error) {
    // Errors of the parser, which only the request can cause, have no status.
    if (error instanceof Refusal || (error as FastifyError).statusCode) throw error
    throw createFieldRefusal('body', 'a whole form', '须为完整的表单')
  }
  return pairs
}
