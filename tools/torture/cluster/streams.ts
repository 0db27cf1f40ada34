import { setTimeout as sleep } from 'node:timers/promises'

/** Streams of a person's back-office, opened again whenever they end, as a browser does. */
export interface Streams {
  /** Returns how many of them hear nothing new within some seconds, while orders are paid. */
  silent: (seconds: number) => Promise<number>
  stop: () => void
}

export function openStreams(urls: string[], token: string): Streams {
  const stop = new AbortController()
  const heardAt = urls.map(() => 0)
  const follow = async (url: string, index: number) => {
    while (!stop.signal.aborted) {
      try {
        const response = await fetch(`${url}/api/v1/user/events`, {
          headers: { 'x-token': token },
          signal: stop.signal,
        })
        for await (const part of response.body ?? [])
          if (String(Buffer.from(part)).includes('data:')) heardAt[index] = performance.now()
      } catch {
        // It was cut; the next one follows.
      }
      await sleep(2_000, undefined, { ref: false })
    }
  }
  for (const [index, url] of urls.entries()) void follow(url, index)
  return {
    async silent(seconds) {
      const since = performance.now()
      const count = () => heardAt.filter(at => at < since).length
      for (let tries = 0; tries < seconds * 2 && count() > 0; tries++) await sleep(500)
      return count()
    },
    stop: () => stop.abort(),
  }
}
