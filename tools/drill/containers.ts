import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findCompose } from './containers/engine.ts'
import type { Drill, DrillFigure, DrillPart } from './part.ts'
import { findProgram } from './proxies.ts'
import { cloneAt } from './releases.ts'

const needed = ['docker', 'dockerd', 'mmdebstrap', 'unshare', 'nsenter', 'ip', 'openssl', 'npm']

/**
 * Builds the images and runs all of `ops/compose.yml` by an engine of its own, whose processes, networks and volumes
 * end with it: it has namespaces of its own for processes, mounts and, once the images are built, the network.
 */
export const containerDrill: DrillPart = {
  what: 'the images are built, and all of compose.yml serves a shop, is upgraded and survives a reboot',
  async run(drill) {
    const missing = [...needed.filter(name => !findProgram(name)), ...(findCompose() ? [] : ['docker compose'])]
    if (missing.length > 0 || process.getuid?.() !== 0) {
      drill.log(
        `left out: it needs root and, on Debian, docker.io, docker-compose and mmdebstrap (missing: ${missing.join(', ') || 'root'})`,
      )
      return []
    }
    await cloneAt('HEAD', join(drill.folder, 'clone'))
    return [
      ...(await runApart(drill, 'build.ts', ['--mount', '--pid'])),
      ...(await runApart(drill, 'serve.ts', ['--mount', '--pid', '--net'])),
    ]
  },
}

/** Runs a script in namespaces of its own. All that it has started ends with it. */
async function runApart(drill: Drill, script: string, namespaces: string[]): Promise<DrillFigure[]> {
  // Sockets of the engine: their paths must be short.
  const sockets = mkdtempSync('/tmp/coffer-engine-')
  const words = [...namespaces, '--fork', '--kill-child', '--mount-proc', 'sh', '-c', '"$@"; exit $?', 'sh']
  const child = spawn(
    'unshare',
    [...words, process.execPath, join(import.meta.dirname, 'containers', script), drill.folder, sockets],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise<number | null>(resolve => {
    child.once('exit', resolve)
    child.once('error', () => resolve(1))
  })
  drill.after(async () => {
    child.kill('SIGKILL')
    await ended
    for (const name of readdirSync('/sys/fs/cgroup')) removeGroups(join('/sys/fs/cgroup', name, 'coffer-drill'))
    removeGroups('/sys/fs/cgroup/coffer-drill')
    rmSync(sockets, { recursive: true, force: true })
    // Files of several users, in folders of layers.
    execFileSync('rm', ['-rf', join(drill.folder, 'engine')])
  })
  const figures: DrillFigure[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line.startsWith('{"what"')) figures.push(JSON.parse(line))
    else drill.log(line)
  }
  const code = await ended
  if (code !== 0) throw new Error(`${script} ended with ${code}`)
  return figures
}

/** Deletes control groups of containers that have ended. */
function removeGroups(path: string): void {
  try {
    for (const each of readdirSync(path, { withFileTypes: true }))
      if (each.isDirectory()) removeGroups(join(path, each.name))
    rmdirSync(path)
  } catch {
    // There is none.
  }
}
