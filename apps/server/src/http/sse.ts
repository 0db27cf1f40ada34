import type { FastifyReply } from 'fastify'

/** A stream of server-sent events on a reply (WHATWG HTML, section 9.2), with a comment every 15 s to keep it open. */
export interface EventStream {
  send: (data: unknown) => void
  /** Resolves when the reader went away or `close` was called. */
  closed: Promise<void>
  close: () => void
}

const open = new Set<EventStream>()

/** Takes over the reply. Slow readers are dropped once 1 MB waits for them: they reconnect and read again. */
export function openEventStream(reply: FastifyReply): EventStream {
  reply.hijack()
  const raw = reply.raw
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  raw.write('retry: 2000\n\n')
  const beat = setInterval(() => raw.write(':\n\n'), 15_000)
  const closed = new Promise<void>(resolve => (raw.destroyed ? resolve() : raw.once('close', resolve)))
  const stream: EventStream = {
    send(data) {
      if (raw.writableLength > 1_000_000) raw.destroy()
      else raw.write(`data: ${JSON.stringify(data)}\n\n`)
    },
    closed,
    close: () => void raw.end(),
  }
  open.add(stream)
  void closed.then(() => {
    clearInterval(beat)
    open.delete(stream)
  })
  return stream
}

/** Ends every open stream: at a stop nothing may hold the server. */
export function closeEventStreams(): void {
  for (const stream of open) stream.close()
}
