import type pg from 'pg'

/**
 * Tries a connection that mostly waits, every 10 s, and ends it when no answer comes for 5 s: a network that drops
 * packets closes nothing, and neither does a server that is frozen. Its `end` follows.
 */
export function keepAlive(client: pg.Client, { everyMs, answerMs } = { everyMs: 10_000, answerMs: 5_000 }): void {
  let waits = false
  const timer = setInterval(() => {
    // A client runs one query at once: pg 9 no longer queues another one.
    if (waits) return
    waits = true
    const query = { text: 'select 1', query_timeout: answerMs } as pg.QueryConfig
    client.query(query).then(
      () => (waits = false),
      error => client.connection.stream.destroy(error),
    )
  }, everyMs).unref()
  client.once('end', () => clearInterval(timer))
}
