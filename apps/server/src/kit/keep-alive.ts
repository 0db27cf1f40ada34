import type pg from 'pg'

/**
 * Tries a connection that mostly waits, every 10 s, and ends it when no answer comes for 5 s: a network that drops
 * packets closes nothing, and neither does a server that is frozen. Its `end` follows.
 */
export function keepAlive(client: pg.Client, { everyMs, answerMs } = { everyMs: 10_000, answerMs: 5_000 }): void {
  const timer = setInterval(() => {
    const query = { text: 'select 1', query_timeout: answerMs } as pg.QueryConfig
    client.query(query).catch(error => {
      client.connection.stream.destroy(error)
    })
  }, everyMs).unref()
  client.once('end', () => clearInterval(timer))
}
