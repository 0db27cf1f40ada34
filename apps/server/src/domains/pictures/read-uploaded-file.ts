import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../kit/refusal.ts'

/** Uploads of a merchant. */
export const uploadLimit = { max: 60, seconds: 3_600 }

/** Returns a random name of 128 bits. */
export const newPictureName = (): string => randomBytes(16).toString('hex')

const badImage = () => new Refusal('bad_image', { field: 'file' })

/** Returns what was re-encoded. Throws Refusal('busy' | 'bad_image') otherwise. */
export function checkPicture<T extends object>(result: T | 'busy' | undefined): T {
  if (result === 'busy') throw new Refusal('busy')
  if (!result) throw badImage()
  return result
}

/** Reads the file of a form. Throws Refusal('bad_image') when the form is malformed, has no file or a too large one. */
export async function readUploadedFile(request: FastifyRequest): Promise<Buffer> {
  try {
    const bytes = await Promise.race([readFile(request), cutOff(request.raw)])
    if (bytes && bytes.length > 0 && bytes.length < limits.imageBytesMax) return bytes
  } catch (error) {
    // Only the request can cause errors here; those of the parser have no status.
    request.log.debug({ err: error }, 'malformed upload')
  }
  throw badImage()
}

async function readFile(request: FastifyRequest): Promise<Buffer | undefined> {
  const file = await request.file()
  return file?.fieldname === 'file' ? file.toBuffer() : undefined
}

/** Rejects when the client goes before its form is complete: the parser would wait for the rest forever. */
const cutOff = (message: IncomingMessage) =>
  new Promise<never>((_resolve, reject) => {
    const end = () => message.readableEnded || reject(new Error('the form is cut off'))
    if (message.destroyed) end()
    else message.once('close', end)
  })
