import type pg from 'pg'

/** How often a lasting connection is tried, and how long it has to answer (ms). */
const everyMs = 10_000
const answerMs = 5_000

/**
 * Tries a connection that mostly waits, and ends it when no answer comes: a network that drops packets closes nothing,
 * and neither does a server that is frozen. Its `end` follows.
 */
export function keepAlive(client: pg.Client): void {
  const timer = setInterval(() => {
    const query = { text: 'select 1', query_timeout: answerMs } as pg.QueryConfig
    client.query(query).catch(error => {
      client.connection.stream.destroy(error)
    })
  }, everyMs).unref()
  client.once('end', () => clearInterval(timer))
}
