import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rpc } from '@coffer/local/anvil-state.ts'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { readConfig } from '@coffer/server/config.ts'
import { makeLog } from '@coffer/server/make-deps.ts'
import { prepareSandboxChains } from '@coffer/server/sandbox/chains.ts'
import { resolveSignerSocketPath } from '@coffer/server/signer/socket-path.ts'
import { prepareSandboxSigner } from '@coffer/server/signer/start.ts'
import { superviseSigner } from '@coffer/server/signer/supervise.ts'
import { startServer } from '../../parts.ts'
import { killSignerOf, type Platform, startChains, superviseServer } from '../platform.ts'
import { startBalancer, startPooler } from './balancer.ts'
import { type DatabaseMachine, ownerLogin, serverLogin, startCluster } from './database.ts'
import { type Struck, strike, type Targets } from './faults.ts'
import { makeNetwork } from './network.ts'
import { type Program, withChildren } from './program.ts'
import { findPrograms, type Programs } from './programs.ts'

/** A platform on a database that fails over. */
export interface ClusterPlatform extends Platform {
  struck: Struck[]
  /** Lines that the servers wrote at each level from warnings on, by their text. */
  readLog: () => Record<string, number>
}

/**
 * Starts three PostgreSQL under Patroni, and two servers each behind its HAProxy, with the files of `ops/cluster`; one
 * signer, and two chains behind faulty nodes. Only faults whose names contain `only` are struck.
 */
export async function startClusterPlatform(
  dataDir: string,
  { only, withPooler, random }: { only: string; withPooler: boolean; random: () => number },
): Promise<ClusterPlatform> {
  const programs = findPrograms(withPooler)
  // Other users run PostgreSQL in it.
  chmodSync(dataDir, 0o711)
  const stops: (() => unknown)[] = []
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await Promise.resolve(each()).catch(() => {})
  }
  try {
    return await startAll({ dataDir, programs, only, random, stops, stop })
  } catch (error) {
    await stop()
    throw error
  }
}

interface Starting {
  dataDir: string
  programs: Programs
  only: string
  random: () => number
  stops: (() => unknown)[]
  stop: () => Promise<void>
}

async function startAll({ dataDir, programs, only, random, stops, stop }: Starting): Promise<ClusterPlatform> {
  const network = makeNetwork()
  stops.push(network.stop)
  const cluster = await startCluster(dataDir, network, programs)
  stops.push(cluster.stop)
  const ca = join(cluster.certificates, 'ca.crt')
  const ports = { app1: await steadyPort(), app2: await steadyPort() }
  const { balancers, sides } = await startBalancers({ dataDir, ca, network, programs }, ports, stops)
  const chainStops: (() => Promise<void>)[] = []
  stops.push(() => Promise.all(chainStops.map(each => each())))
  const { urls, ...started } = await startChains(dataDir, chainStops, { isLiedTo: false, random })
  const signer = await startSigner(dataDir, urls)
  stops.push(signer.stop)
  const surprises: string[] = []
  const envOf = (name: string, port: number, host: string) => ({
    DATABASE_URL: `postgres://${serverLogin}@${host}`,
    DATABASE_OWNER_URL: `postgres://${ownerLogin}@${host}`,
    COFFER_DATA: join(dataDir, name),
    COFFER_PORT: String(port),
    COFFER_TRUST_PROXY: '1',
    COFFER_SIGNER_SOCKET: signer.socket,
    COFFER_SANDBOX_CHAINS: urls.join(','),
    COFFER_SANDBOX_MINE: 'manual',
    COFFER_LOG: 'info',
  })
  const servers: (Targets['servers'][number] & { waitUntilStarted: () => Promise<void> })[] = []
  for (const [i, name] of (['app1', 'app2'] as const).entries()) {
    const folder = join(dataDir, name)
    mkdirSync(folder)
    const { host, readHost } = sides[i]!
    const env = { ...envOf(name, ports[name], host), DATABASE_READ_URL: `postgres://${serverLogin}@${readHost}` }
    const server = superviseServer(env, folder, surprises)
    stops.push(server.stop)
    await server.start()
    servers.push({ ...server, pids: () => withChildren([server.pid()]) })
  }
  // The tokens are deployed. From now on one block per second: block times would otherwise run ahead of the clock.
  for (const { url } of started.chains) await rpc(url, 'evm_setIntervalMining', [1])
  const startBeside = async (machine: DatabaseMachine) => {
    const host = `localhost/coffer?${new URLSearchParams({ host: machine.sockets })}`
    const env = envOf('beside', await steadyPort(), host)
    const beside = await startServer({ env, dataDir: env.COFFER_DATA })
    stops.push(beside.stop)
    return async () => {
      process.kill(JSON.parse(readFileSync(join(env.COFFER_DATA, 'server.json'), 'utf8')).pid, 'SIGKILL')
      await beside.ended
    }
  }
  const killSigner = () => killSignerOf(process.pid)
  const targets: Targets = { only, cluster, network, balancers, servers, killSigner, startBeside }
  const struck: Struck[] = []
  return {
    databaseUrl: envOf('', 0, sides[0]!.host).DATABASE_URL,
    urls: sides.map(side => `http://127.0.0.1:${side.web}`),
    ...started,
    struck,
    strike: async (index, probe) => {
      for (const each of servers) await each.waitUntilStarted()
      const done = await strike(targets, index, random, probe)
      struck.push(done)
      return done.fault
    },
    readLog: () => readLog(['app1', 'app2'].map(name => join(dataDir, name, 'log', 'server.log'))),
    surprises,
    stop,
  }
}

/** Starts the two HAProxy, one beside each server, and returns where they lead to the database and to the servers. */
async function startBalancers(
  on: Pick<Parameters<typeof startBalancer>[1], 'dataDir' | 'ca' | 'network' | 'programs'>,
  ports: { app1: number; app2: number },
  stops: (() => unknown)[],
) {
  const balancers: Program[] = []
  const verified = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: on.ca })
  const sides: { host: string; readHost: string; web: number }[] = []
  for (const name of ['proxy1', 'proxy2']) {
    const side = { database: await steadyPort(), replica: await steadyPort(), web: await steadyPort() }
    const balancer = await startBalancer(name, { ...on, ports: { ...ports, ...side } })
    stops.push(balancer.stop)
    balancers.push(balancer)
    const { programs, dataDir, ca } = on
    const isPooled = programs.pgbouncer !== undefined
    if (isPooled)
      side.database = await startPooler(`${name}-pooler`, { programs, dataDir, ca, port: side.database, stops })
    const at = (port: number, query: string) => `127.0.0.1:${port}/coffer${query}`
    sides.push({
      // PgBouncer verifies PostgreSQL itself, and listens on this machine only.
      host: at(side.database, isPooled ? '' : `?${verified}`),
      readHost: at(side.replica, `?${verified}`),
      web: side.web,
    })
  }
  return { balancers, sides }
}

/** One signer for all servers, which the torture restarts. */
async function startSigner(dataDir: string, urls: string[]) {
  const folder = join(dataDir, 'signer')
  const chains = await prepareSandboxChains(
    urls.map(each => each.split(' ')[0]!),
    'http://localhost',
  )
  await prepareSandboxSigner(
    folder,
    chains.map(each => each.definition),
  )
  const { stop } = await superviseSigner(folder, { log: makeLog(readConfig({ COFFER_LOG: 'silent' })) })
  return { socket: resolveSignerSocketPath(folder), stop }
}

function readLog(paths: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const path of paths)
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line === '') continue
      let text = `not a line of the log: ${line.slice(0, 80)}`
      try {
        const { level, msg, job } = JSON.parse(line)
        if (level < 40) continue
        text = `${level} ${msg}${job ? ` (${job})` : ''}`
      } catch {
        // A stack trace, for instance.
      }
      counts[text] = (counts[text] ?? 0) + 1
    }
  return Object.fromEntries(Object.entries(counts).sort((a, b) => b[1] - a[1]))
}
