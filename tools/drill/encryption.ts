import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect as tcp } from 'node:net'
import { join } from 'node:path'
import { connect as tls } from 'node:tls'
import { until } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { makeCertificates } from '../torture/cluster/database.ts'
import { type Machine, machines } from '../torture/cluster/network.ts'
import type { ArchivedCluster } from './archived-cluster.ts'
import type { DrillFigure } from './part.ts'
import { figure } from './recovery.ts'

/** Returns what a connection says: the protocol of its TLS, or why it was refused. */
async function connect(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      "select coalesce(version, 'plain') as said from pg_stat_ssl where pid = pg_backend_pid()",
    )
    return rows[0].said
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Tries what must be refused, and that members speak TLS with each other; renews a certificate while they run. */
export async function judgeEncryption(site: ArchivedCluster): Promise<DrillFigure[]> {
  const { cluster, network, url, ca } = site
  const other = makeCertificates(`${cluster.certificates}-of-others`, network.addresses)
  const [plain] = url.split('?')
  const accepted = await connect(url)
  const withoutTls = await connect(plain!)
  const foreign = await connect(url.replace(encodeURIComponent(ca), encodeURIComponent(join(other, 'ca.crt'))))
  const standbys = await askPrimary(site)
  const etcd = await visit(`https://${network.addresses.db1}:2379/v2/keys/`, ca)
  const change = await visit(`https://${network.addresses.db1}:8008/reload`, ca, 'POST')
  return [
    figure('a server that verifies connects', accepted, 'TLSv1.3', accepted === 'TLSv1.3'),
    refused('a connection without TLS', withoutTls, /no encryption|no pg_hba/),
    refused('a server that trusts another authority', foreign, /self-signed|unable to verify/),
    figure('standbys that stream encrypted', standbys, '2', standbys === '2'),
    refused('etcd without the certificate of a member', etcd, /certificate/),
    refused('a change at Patroni without one', change, /^403|certificate/),
    ...(await judgeRenewal(site)),
  ]
}

const refused = (what: string, said: string, how: RegExp): DrillFigure =>
  figure(what, how.test(said) ? 'refused' : said, 'refused', how.test(said))

/** The certificate of a standby ends; then all are renewed, while a server's connection to the primary stays. */
async function judgeRenewal({ cluster, network, url }: ArchivedCluster): Promise<DrillFigure[]> {
  const standby = (await cluster.members()).find(each => each.role === 'replica')!.name
  const directly = (machine: Machine) => url.replace(/@[^/]*/, `@${network.addresses[machine]}:5432`)
  const renew = (only: readonly Machine[], days: string) => {
    makeCertificates(cluster.certificates, network.addresses, { only, env: { CERTIFICATE_DAYS: days } })
    for (const each of only) cluster.machines[each].reload()
  }
  renew([standby], '0')
  const ended = await until(
    'it has ended',
    () => connect(directly(standby)),
    said => said.includes('expired'),
  )
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  renew(machines, '825')
  for (const each of machines) {
    const { fingerprint256 } = new X509Certificate(readFileSync(join(cluster.certificates, each, 'member.crt')))
    for (const port of [5432, 8008, 2379])
      await until(
        `${each} has its new certificate at port ${port}`,
        () => readFingerprint(network.addresses[each], port),
        found => found === fingerprint256,
      )
  }
  const after = await client
    .query('select pg_backend_pid() as pid')
    .catch(error => ({ rows: [{ pid: String(error) }] }))
  await client.end().catch(() => {})
  await cluster.untilWhole(60)
  const stays = after.rows[0].pid === rows[0].pid
  return [
    refused('a certificate that has ended', ended, /expired/),
    figure('a connection while all are renewed', stays ? 'stays' : after.rows[0].pid, 'stays', stays),
  ]
}

/** The fingerprint of the certificate at a port; PostgreSQL's begins in clear. */
async function readFingerprint(host: string, port: number): Promise<string> {
  const socket = tcp({ host, port })
  try {
    await once(socket, 'connect')
    if (port === 5432) {
      socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
      await once(socket, 'data')
    }
    const secure = tls({ socket, rejectUnauthorized: false })
    await once(secure, 'secureConnect')
    return secure.getPeerCertificate().fingerprint256
  } finally {
    socket.destroy()
  }
}

async function askPrimary({ primary }: ArchivedCluster): Promise<string> {
  const sql = "select count(*) from pg_stat_replication join pg_stat_ssl using (pid) where ssl and state = 'streaming'"
  return (await (await primary()).run('psql', '-U', 'postgres', '-qAtc', sql)).trim()
}

/** Returns status and answer, or why there is none. */
async function visit(url: string, ca: string, method = 'GET'): Promise<string> {
  const asked = request(url, { method, ca: readFileSync(ca), signal: AbortSignal.timeout(10_000) })
  asked.end()
  try {
    const [response] = await once(asked, 'response')
    response.resume()
    return String(response.statusCode)
  } catch (error) {
    return String(error)
  }
}
