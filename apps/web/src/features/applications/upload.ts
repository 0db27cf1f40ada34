import { explainFailure } from '../../api/explain.ts'
import { api } from '../../api/index.ts'

/** Sends a picture and gives its address on this server. Says what went wrong before it rejects. */
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
