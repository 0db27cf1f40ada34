import { createServerEventParser, type ServerEvent } from './events.ts'

const firstWaitMs = 1_000
const longestWaitMs = 30_000
/** The server sends a comment more often than this; longer silence means a dead connection. */
const silenceMs = 60_000
const pollEveryMs = 20_000

export interface StreamDeps {
  /** Opens the stream. Rejects without a connection or when the server refuses. */
  open(signal: AbortSignal): Promise<Response>
  onEvent(event: ServerEvent): void
  /** Called when the stream is open, and whenever something arrives, also a comment. */
  onHeard?(): void
  /** Called every 20 s while disconnected, and once after reconnecting, because events were missed. */
  onMissed(): void
  /** Called with false when the stream could not be opened, and with true once it is open. */
  onLive(live: boolean): void
  /** Between 0 and 1, for jitter. */
  random(): number
}

/** Keeps an event stream open until `stop` is called, with exponential backoff (1 s to 30 s). */
export function keepStream(deps: StreamDeps): { stop(): void } {
  let stopped = false
  let current = new AbortController()
  let wake = () => {}
  const polling = { timer: undefined as ReturnType<typeof setInterval> | undefined }

  async function run() {
    for (let failures = 0; !stopped; failures++) {
      const worked = await once()
      if (stopped) return
      if (worked) failures = 0
      else deps.onLive(false)
      polling.timer ??= setInterval(deps.onMissed, pollEveryMs)
      await wait(Math.min(firstWaitMs * 2 ** failures, longestWaitMs) * (0.5 + deps.random() / 2))
    }
  }

  /** Runs one connection; true if it opened. */
  async function once(): Promise<boolean> {
    current = new AbortController()
    let silence = setTimeout(() => current.abort(), silenceMs)
    let opened = false
    try {
      const response = await deps.open(current.signal)
      if (stopped) return true
      opened = true
      deps.onLive(true)
      deps.onHeard?.()
      if (polling.timer !== undefined) {
        clearInterval(polling.timer)
        polling.timer = undefined
        deps.onMissed()
      }
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      const events = createServerEventParser()
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        clearTimeout(silence)
        silence = setTimeout(() => current.abort(), silenceMs)
        for (const event of events.feed(part.value)) deps.onEvent(event)
        deps.onHeard?.()
      }
    } catch {
      // A lost connection is the normal end of a stream; the loop reopens it.
    } finally {
      clearTimeout(silence)
    }
    return opened
  }

  const wait = (milliseconds: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  void run()
  return {
    stop() {
      stopped = true
      clearInterval(polling.timer)
      current.abort()
      wake()
    },
  }
}
