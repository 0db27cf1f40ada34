import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { startBalancer } from '../torture/cluster/balancer.ts'
import {
  type Cluster,
  clusterAccount,
  type DatabaseMachine,
  startCluster,
  superuserLogin,
} from '../torture/cluster/database.ts'
import { makeNetwork, type Network } from '../torture/cluster/network.ts'
import { findPrograms } from '../torture/cluster/programs.ts'
import type { Drill } from './part.ts'
import { backrestVariables } from './pgbackrest.ts'
import { findProgram } from './proxies.ts'

/** Three members of `ops/cluster` behind HAProxy, which archive by the file of `ops/backup`. */
export interface ArchivedCluster {
  cluster: Cluster
  network: Network
  /** Of the repository, which all machines have in common. */
  repository: string
  /** File of the authority's certificate. */
  ca: string
  /** The superuser's connection to the database `postgres` of the primary, by HAProxy. */
  url: string
  primary: () => Promise<DatabaseMachine>
}

/** What is not archived beyond this is given up: 20 GiB in the file. */
const queueMax = '160MiB'

/** The commands of docs/backup.md that let a cluster archive, before the first backup. */
const setUp: string[] = [
  `patronictl edit-config --force -p 'archive_mode="on"' -p archive_timeout=60 ` +
    `-p 'archive_command=pgbackrest --stanza=coffer archive-push %p' coffer`,
  'patronictl restart --force coffer',
]

export async function startArchivedCluster({ folder, after, log }: Drill): Promise<ArchivedCluster> {
  const programs = findPrograms(false)
  if (!findProgram('pgbackrest') || !findProgram('patronictl'))
    throw new OperatorProblem('The drill needs pgBackRest: apt-get install -y --no-install-recommends pgbackrest')
  const account = clusterAccount()
  const makeFolder = (path: string) => {
    mkdirSync(path, { mode: 0o700 })
    if (account) chownSync(path, account.uid, account.gid)
    return path
  }
  chmodSync(folder, 0o711)
  const repository = makeFolder(join(folder, 'repository'))
  const network = makeNetwork()
  after(network.stop)
  const cluster = await startCluster(folder, network, programs, of => {
    const [spool, log, lock] = ['spool', 'log', 'lock'].map(each => makeFolder(join(of, each))) as [
      string,
      string,
      string,
    ]
    const variables = backrestVariables({
      repository,
      spool,
      log,
      lock,
      data: join(of, 'pg'),
      sockets: join(of, 'run'),
    })
    return { ...variables, PGBACKREST_ARCHIVE_PUSH_QUEUE_MAX: queueMax }
  })
  after(cluster.stop)
  const ca = join(cluster.certificates, 'ca.crt')
  const port = await steadyPort()
  const others = {
    replica: await steadyPort(),
    web: await steadyPort(),
    app1: await steadyPort(),
    app2: await steadyPort(),
  }
  const balancer = await startBalancer('proxy', {
    dataDir: folder,
    ca,
    network,
    programs,
    ports: { database: port, ...others },
  })
  after(balancer.stop)
  const primary = async () => {
    const leader = (await cluster.members()).find(each => each.role === 'leader')
    if (!leader) throw new Error('there is no primary')
    return cluster.machines[leader.name]
  }
  for (const command of setUp) log(await runOn(cluster.machines.db1, ['sh', '-c', command]))
  await cluster.untilWhole(60)
  const first = await primary()
  for (const command of ['stanza-create', 'check']) await first.run('pgbackrest', '--stanza=coffer', command)
  const query = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: ca })
  return {
    cluster,
    network,
    repository,
    ca,
    url: `postgres://${superuserLogin}@127.0.0.1:${port}/postgres?${query}`,
    primary,
  }
}

/** Runs a command on a machine. Returns the last line of what it prints. */
export async function runOn(machine: DatabaseMachine, [command = '', ...words]: string[]): Promise<string> {
  return (await machine.run(command, ...words)).trim().split('\n').at(-1) ?? ''
}
