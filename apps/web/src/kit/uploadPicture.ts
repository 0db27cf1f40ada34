import { explainFailure } from '../api/explain.ts'
import { api } from '../api/index.ts'

/** Uploads an image and returns its URL. Shows errors and rejects. */
export async function uploadPicture(file: File): Promise<string> {
  const body = new FormData()
  body.append('file', file)
  try {
    return (await api('POST /api/v1/user/upload', { body })).url
  } catch (error) {
    explainFailure(error as Error)
    throw error
  }
}
