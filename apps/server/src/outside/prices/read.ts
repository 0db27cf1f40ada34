/** Limits of one answer. */
const timeoutMs = 10_000
const bytesMax = 4_000_000

/** Fetches a URL as text. Rejects on any status but 200, after 10 s, or beyond 4 MB. */
export async function readText(url: string): Promise<string> {
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json, application/xml', 'user-agent': 'coffer' },
    redirect: 'error',
  })
  if (answer.status !== 200) throw new Error(`${new URL(url).host} answered ${answer.status}`)
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.length > bytesMax) throw new Error(`${new URL(url).host} sent an answer that is too long`)
  }
  return text
}

/** Fetches a URL as JSON, with the limits of `readText`. */
export const readJson = async (url: string): Promise<unknown> => JSON.parse(await readText(url))
