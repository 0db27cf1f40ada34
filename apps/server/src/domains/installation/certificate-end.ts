import { TLSSocket } from 'node:tls'
import type pg from 'pg'

const day = 86_400
/** Days before its end in which a certificate is to be renewed. */
const renewalDays = 30

/**
 * Says that the certificate of the database ends soon, and what to do; undefined if it does not, or without TLS. It is
 * that of a new connection: those that last have the one of their time.
 * @param now Unix time (s)
 */
export async function describeEndingCertificate(pool: pg.Pool, now: number): Promise<string | undefined> {
  const client = await pool.connect()
  try {
    // Types of node-postgres leave the connection out.
    const { connection } = client as pg.PoolClient & { connection?: { stream?: unknown } }
    if (!(connection?.stream instanceof TLSSocket)) return undefined
    const days = Math.floor((Date.parse(connection.stream.getPeerCertificate().valid_to) / 1_000 - now) / day)
    if (!(days < renewalDays)) return undefined
    return `its certificate ends in ${days} days, and then no server connects: renew it (ops/cluster/README.md)`
  } finally {
    client.release()
  }
}
