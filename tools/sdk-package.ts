import { execFile } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { chmod, copyFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..', 'packages', 'sdk')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

const archivePath = join(root, 'dist', 'coffer-sdk.tgz')
const sources = ['package.json', 'README.md', 'tsconfig.build.json', 'src', 'src/**']

/** Whether the archive exists and is newer than everything it is made of. */
export async function isSdkCurrent(): Promise<boolean> {
  const made = await stat(archivePath).catch(() => undefined)
  const times = globSync(sources, { cwd: root }).map(name => statSync(join(root, name)).mtimeMs)
  return made !== undefined && Math.max(...times) < made.mtimeMs
}

/**
 * Compiles the merchant's client to JavaScript with types and packs it for the server to hand out to `npm install`:
 * packages/sdk/dist/coffer-sdk.tgz. The same sources give the same bytes. Throws Error with the compiler's or npm's output.
 */
export async function buildSdk(): Promise<void> {
  const dist = join(root, 'dist')
  const folder = join(dist, 'package')
  await rm(folder, { recursive: true, force: true })
  await run(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')])
  const {
    private: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  manifest.exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await copyFile(join(root, 'README.md'), join(folder, 'README.md'))
  // npm keeps the permissions of files, which depend on the umask.
  for (const name of globSync('**/*.*', { cwd: folder })) await chmod(join(folder, name), 0o644)
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm']
  // A cache of its own: the user's may be missing or not writable.
  const options = ['--offline', '--ignore-scripts', '--cache', join(dist, 'npm-cache')]
  await run(command, [...first, 'pack', ...options, '--pack-destination', dist], folder)
  await rename(join(dist, `coffer-sdk-${manifest.version}.tgz`), archivePath)
}

async function run(command: string, args: string[], cwd = root): Promise<void> {
  await promisify(execFile)(command, args, { cwd }).catch(({ stdout, stderr, message }) => {
    throw new Error(`the merchant's client cannot be built:\n${stdout}${stderr || message}`)
  })
}
