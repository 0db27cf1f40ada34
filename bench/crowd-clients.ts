/**
 * The clients of a crowd, in a process of their own, so that the figures of others hold no waiting for these. Its
 * arguments: URL, token, number of clients. Ends on any message, and answers with the statuses and times (ms) of its pages.
 */
import { setPriority } from 'node:os'

/** The pages in turn. */
export const worstPages = ['', '&status=2', '&event=payment.paid'].map(
  filter => `/api/v1/callback/list?current=5000&pageSize=100${filter}`,
)

if (import.meta.main) {
  const [url, token = '', clients] = process.argv.slice(2)
  // Clients are other machines: where they share this one, the server's work comes first.
  setPriority(10)
  const statuses: Record<number, number> = {}
  const times: number[] = []
  let done = false
  const client = async (n: number) => {
    for (let round = n; !done; round++) {
      const started = performance.now()
      const answer = await fetch(`${url}${worstPages[round % worstPages.length]}`, { headers: { 'x-token': token } })
      await answer.arrayBuffer()
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      times.push(performance.now() - started)
    }
  }
  process.once('message', () => {
    done = true
  })
  await Promise.all(Array.from({ length: Number(clients) }, (_, n) => client(n)))
  process.send?.({ statuses, times } satisfies CrowdResult, () => process.exit())
}

export interface CrowdResult {
  statuses: Record<number, number>
  times: number[]
}
