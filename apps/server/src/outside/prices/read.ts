/** How long (ms) a source may take, and how much (bytes) it may say. */
const patienceMs = 10_000
const bytesMax = 4_000_000

/** Reads a public answer as text. Rejects on any status but 200, a slow answer or one that is too long. */
export async function readText(url: string): Promise<string> {
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(patienceMs),
    headers: { accept: 'application/json, application/xml', 'user-agent': 'coffer' },
    redirect: 'error',
  })
  if (answer.status !== 200) throw new Error(`${new URL(url).host} answered ${answer.status}`)
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.length > bytesMax) throw new Error(`${new URL(url).host} answered too much`)
  }
  return text
}

/** The same as JSON. */
export const readJson = async (url: string): Promise<unknown> => JSON.parse(await readText(url))
