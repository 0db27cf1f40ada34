import type { ServerEvent } from './events.ts'
import { keepStream, type StreamDeps } from './stream.ts'

/** How long (ms) the leader remembers events for tabs that were hidden or have just been opened. */
const rememberedMs = 60_000
/** More than an event travels (ms): what was sent before the last sign of the stream may have been lost with it. */
const travelMs = 2_000

/** What tabs say to each other. A message without content is a sign that the stream is alive. */
interface Message {
  /** A tab that has joined, and the time (ms) from which it may have missed events. */
  hello?: { id: string; from: number }
  /** Asks all tabs for a `hello`: a leader has begun. */
  begun?: true
  /** The tab that is answered; without it, all. */
  to?: string
  events?: ServerEvent[]
  missed?: true
  live?: boolean
}

export interface SharedStreamDeps extends Omit<StreamDeps, 'open' | 'onHeard'> {
  /** Opens the stream, and has events of the last `since` ms repeated. */
  open(signal: AbortSignal, since: number): Promise<Response>
  /** Without them, as on plain HTTP, each tab has a stream of its own. */
  locks: LockManager | undefined
}

/** When (ms) this tab last had a sign of a stream, and how long ago it may have missed events. */
export interface StreamHeartbeat {
  at: number
  margin: number
}

/**
 * Follows the stream that the tabs of a name share, because a browser opens at most six connections to a server over
 * HTTP/1.1. One tab, the leader, holds the lock of that name, opens the stream and passes on what arrives; when it
 * ends, the next one takes over and has repeated what came since the last sign. Every tab sees each event at least
 * once.
 */
export function shareStream(name: string, heard: StreamHeartbeat, deps: SharedStreamDeps): { stop(): void } {
  const ending = new AbortController()
  const channel = deps.locks && new BroadcastChannel(name)
  const id = crypto.randomUUID?.() ?? String(Math.random())
  const say = (message: Message) => channel?.postMessage(message)
  const hear = () => {
    heard.at = Date.now()
    heard.margin = travelMs
  }
  const from = () => heard.at - heard.margin

  const follow = ({ to, events = [], missed, live }: Message) => {
    if (to !== undefined && to !== id) return
    hear()
    if (live !== undefined) deps.onLive(live)
    if (missed) deps.onMissed()
    for (const event of events) deps.onEvent(event)
  }
  const listen = (handle: (message: Message) => void) => {
    if (channel) channel.onmessage = ({ data }: MessageEvent<Message>) => handle(data)
  }
  const greet = () => say({ hello: { id, from: from() } })
  listen(message => {
    if (message.begun) greet()
    else if (!message.hello) follow(message)
  })
  greet()

  const lead = () =>
    new Promise<void>(done => {
      if (ending.signal.aborted) return done()
      const leader = leading({ deps, from, hear, say })
      listen(({ hello }) => hello && say({ to: hello.id, ...leader.since(hello.from) }))
      say({ begun: true })
      ending.signal.addEventListener('abort', () => {
        leader.stop()
        done()
      })
    })
  if (deps.locks) deps.locks.request(name, { signal: ending.signal }, lead).catch(() => {})
  else void lead()
  return {
    stop() {
      ending.abort()
      channel?.close()
    },
  }
}

interface Leading {
  deps: SharedStreamDeps
  from(): number
  hear(): void
  say(message: Message): void
}

/** Keeps the stream, and passes on what it says. */
function leading({ deps, from, hear, say }: Leading) {
  /** Events since `covered`, the earliest first. */
  let remembered: { at: number; event: ServerEvent }[] = []
  let covered = from()
  let live = true
  const stream = keepStream({
    random: deps.random,
    open: signal => deps.open(signal, Math.max(0, Date.now() - from())),
    onHeard() {
      hear()
      say({})
    },
    onEvent(event) {
      const at = Date.now()
      covered = Math.max(covered, at - rememberedMs)
      remembered = [...remembered.filter(each => each.at >= covered), { at, event }]
      say({ events: [event] })
      deps.onEvent(event)
    },
    onMissed() {
      say({ missed: true })
      deps.onMissed()
    },
    onLive(now) {
      live = now
      say({ live })
      deps.onLive(now)
    },
  })
  return {
    /** What a tab is told that has heard nothing since `time`. */
    since: (time: number): Message =>
      time < covered
        ? { live, missed: true }
        : { live, events: remembered.filter(({ at }) => at >= time).map(({ event }) => event) },
    stop: stream.stop,
  }
}
