import { execFile, execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChild } from '@coffer/local/children.ts'
import { until } from '@coffer/local/testing/until.ts'
import { withChildren } from '../../torture/cluster/program.ts'

const run = promisify(execFile)

/** The command of Compose that is here: the plugin, or the program of before. */
export function findCompose(): string[] | undefined {
  return [['docker', 'compose'], ['docker-compose']].find(([command, ...words]) => {
    try {
      execFileSync(command!, [...words, 'version'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

/** A container engine with a folder of its own. */
export interface Engine {
  /** Runs `docker`, and returns what it printed. */
  docker: (...words: string[]) => Promise<string>
  /** Runs Compose beside `ops/compose.yml`, with what this machine adds to it. */
  compose: (...words: string[]) => Promise<string>
  /** Ends the engine as a machine that stops does: by a signal. */
  stop: () => Promise<void>
  start: () => Promise<void>
}

/**
 * Starts an engine.
 * @param folder has the images and, in `clone/ops`, the files of Compose
 * @param sockets a folder with a short path
 * @param hasNetworks whether containers have networks of their own; otherwise builds use that of the machine
 */
export async function startEngine(folder: string, sockets: string, hasNetworks: boolean): Promise<Engine> {
  const host = `unix://${sockets}/docker.sock`
  const env = { ...process.env, DOCKER_HOST: host, DOCKER_BUILDKIT: '1', COMPOSE_PROJECT_NAME: 'coffer' }
  const log = join(folder, 'engine.log')
  const args = ['--data-root', join(folder, 'engine'), '--exec-root', join(sockets, 'exec'), '--host', host]
  args.push('--pidfile', join(sockets, 'docker.pid'), '--cgroup-parent', '/coffer-drill')
  if (!hasNetworks) args.push('--bridge=none', '--iptables=false', '--ip-forward=false')
  const launch = async () => {
    const output = openSync(log, 'a', 0o600)
    const stdio = ['ignore', output, output] as ('ignore' | number)[]
    const child = await startChild({
      name: 'dockerd',
      command: 'dockerd',
      args,
      stdio,
      stopWith: [['SIGTERM', 60_000]],
    })
    closeSync(output)
    await Promise.race([
      until('the engine answers', () => run('docker', ['version'], { env })),
      child.ended.then(() => {
        throw new Error(`the engine did not start: ${readFileSync(log, 'utf8').trim().split('\n').at(-1)}`)
      }),
    ])
    return child
  }
  let child = await launch()
  const stop = async () => {
    const all = withChildren([child.id.pid])
    await child.stop()
    // Its supervisors of containers, where they have not ended with it.
    for (const pid of all)
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
  }
  const [command, ...words] = findCompose()!
  const files = ['compose.yml', 'drill.yml'].flatMap(each => ['-f', each])
  const options = { env, maxBuffer: 2 ** 26 }
  return {
    docker: async (...given) => (await run('docker', given, options)).stdout.trim(),
    compose: async (...given) =>
      (
        await run(command!, [...words, ...files, ...given], { ...options, cwd: join(folder, 'clone/ops') })
      ).stdout.trim(),
    stop,
    start: async () => {
      child = await launch()
    },
  }
}
