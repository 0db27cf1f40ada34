import type { FastifyReply } from 'fastify'

/** A stream of server-sent events (WHATWG HTML, section 9.2), kept open by a comment every 15 s. */
export interface EventStream {
  send: (data: unknown) => void
  /** Resolves when the client has disconnected or `close` was called. */
  closed: Promise<void>
  close: () => void
}

const open = new Set<EventStream>()

/** Takes over the reply. A client with 1 MB of unread data is disconnected; it reconnects and reads again. */
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

/** Ends every open stream, so that the server can stop. */
export function closeEventStreams(): void {
  for (const stream of open) stream.close()
}
