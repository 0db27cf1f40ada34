/** Checks and installs the dependencies. Plain JavaScript, for any Node from version 20. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {{ version?: string, link?: boolean, optional?: boolean, devOptional?: boolean }} Locked */

const stampOf = (/** @type {string} */ root) => join(root, 'node_modules', '.coffer-stamp')

/**
 * Whether node_modules matches package-lock.json: by our stamp, or when that is missing or outdated (after a plain
 * `npm ci` or `npm install`), by comparison with npm's own record of what it installed.
 * @param {string} root
 */
export function isInstalled(root) {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json')) || !hasWorkspaceFolders(root)) return false
  return readIfThere(stampOf(root)) === hashOf(root) || hasAllPackages(root)
}

/** Writes the stamp, which saves the comparison next time. @param {string} root */
export function rememberInstalled(root) {
  if (readIfThere(stampOf(root)) === hashOf(root)) return
  try {
    writeFileSync(stampOf(root), hashOf(root))
  } catch {
    // A correct but read-only node_modules: compare again next time.
  }
}

/**
 * Installs exactly the dependencies of the lock file. Returns npm's exit code and output.
 * @param {string} root
 * @returns {Promise<{ code: number, output: string }>}
 */
export function installDependencies(root) {
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm']
  return new Promise(resolve => {
    let output = ''
    const child = spawn(command, [...first, 'ci', '--include=dev', '--include=optional'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const collect = (/** @type {Buffer} */ data) => {
      output += data
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', error => resolve({ code: 1, output: `npm could not be started: ${error.message}` }))
    child.on('close', code => resolve({ code: code ?? 1, output: output.trim() }))
  })
}

/**
 * Whether the links to the workspaces and the packages in their own folders are there: a copied `node_modules` lacks
 * the latter.
 * @param {string} root
 */
function hasWorkspaceFolders(root) {
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(([path, { link, optional }]) => {
    const isOwn = link || (path.includes('/node_modules/') && !path.startsWith('node_modules/'))
    return !isOwn || optional || existsSync(join(root, path))
  })
}

/** @param {string} root */
function hasAllPackages(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const found = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  return Object.entries(wanted).every(([path, { version, link, optional, devOptional }]) => {
    if (link || !path.includes('node_modules/')) return true
    if (!found[path]) return Boolean(optional || devOptional)
    return found[path].version === version
  })
}

/** @param {string} path @returns {Record<string, Locked>} */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return {}
  }
}

/** @param {string} root */
function hashOf(root) {
  const hash = createHash('sha256')
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** @param {string} path */
function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
