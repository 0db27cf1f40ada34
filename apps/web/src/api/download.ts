import { RequestUnanswered } from './failure.ts'
import { open } from './index.ts'
import type { RouteKey } from './types.ts'

export interface DownloadOptions {
  query?: object
  /** Used when the server sends no name. */
  fileName: string
  signal?: AbortSignal
  /** Called when the headers arrive, before the body. */
  onHeaders?(headers: Headers): void
  /** Bytes received, and the total if the server sends it. */
  onProgress?(received: number, total: number | null): void
}

/** Fetches a file with the X-DOWNLOAD header and saves it. Rejects like `api`. */
export async function downloadFile(key: RouteKey, options: DownloadOptions): Promise<void> {
  const response = await open(key, {
    query: options.query,
    headers: { 'X-DOWNLOAD': '1' },
    ...(options.signal && { signal: options.signal }),
  })
  options.onHeaders?.(response.headers)
  const blob = await readBlob(response, options)
  saveBlob(blob, parseAttachmentFileName(response.headers.get('Content-Disposition')) ?? options.fileName)
}

/** Reads the whole body, reporting progress. */
export async function readBlob(
  response: Response,
  { onProgress, signal }: Pick<DownloadOptions, 'onProgress' | 'signal'>,
) {
  const length = Number(response.headers.get('Content-Length'))
  const total = length > 0 ? length : null
  const chunks: BlobPart[] = []
  let received = 0
  const reader = response.body?.getReader()
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      chunks.push(part.value)
      received += part.value.byteLength
      onProgress?.(received, total)
    }
  } catch {
    throw new RequestUnanswered(signal?.aborted ? 'aborted' : 'network')
  }
  return new Blob(chunks, { type: response.headers.get('Content-Type') ?? '' })
}

/** The file name of a Content-Disposition header; the UTF-8 form takes precedence. */
export function parseAttachmentFileName(disposition: string | null): string | null {
  const encoded = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return disposition?.match(/filename="?([^";]+)"?/i)?.[1] ?? null
}

const urlLifetimeMs = 60_000

/** Saves a file, as a download does. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), urlLifetimeMs)
}
