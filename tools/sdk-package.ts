/**
 * `node tools/sdk-package.ts` packs the version of packages/sdk/package.json, once it is raised, into
 * packages/sdk/packed.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..', 'packages', 'sdk')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version as string
/** The archive of this version, which the repository keeps: the server hands out the same bytes for ever. */
export const archivePath = join(root, 'packed', `coffer-sdk-${version}.tgz`)

/**
 * Compiles the merchant's client to JavaScript with types, and returns its archive for `npm install`. The same sources
 * give the same bytes with one version of zlib. Throws Error with the compiler's output.
 */
export async function packSdk(): Promise<Buffer> {
  const dist = join(root, 'dist')
  const folder = join(dist, 'package')
  await rm(folder, { recursive: true, force: true })
  await run(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')])
  const {
    private: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  // For resolvers that do not read `exports`, such as moduleResolution node of TypeScript.
  manifest.main = './dist/index.js'
  manifest.types = './dist/index.d.ts'
  manifest.exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  manifest.bin = { coffer: './dist/cli.js' }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await copyFile(join(root, 'README.md'), join(folder, 'README.md'))
  const files = globSync('**/*.*', { cwd: folder }).sort()
  const packed = await Promise.all(
    files.map(async name => tarEntry(`package/${name}`, await readFile(join(folder, name)))),
  )
  return gzipSync(Buffer.concat([...packed, Buffer.alloc(1024)]), { level: 9 })
}

/** A file in the format of POSIX.1-1988 (ustar), without anything that differs between machines. */
function tarEntry(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  // Mode, owner, group, size and a time; the sum of the header's bytes, in which it counts as spaces; type and version.
  const fields = [octal(0o644, 7), octal(0, 7), octal(0, 7), octal(content.length, 11), octal(0, 11), '        ', '0']
  header.write(name, 0, 100)
  header.write(fields.join(''), 100)
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)} `, 148)
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}

async function run(command: string, args: string[], cwd = root): Promise<void> {
  await promisify(execFile)(command, args, { cwd }).catch(({ stdout, stderr, message }) => {
    throw new Error(`the merchant's client cannot be built:\n${stdout}${stderr || message}`)
  })
}

if (import.meta.main) await writeFile(archivePath, await packSdk())
