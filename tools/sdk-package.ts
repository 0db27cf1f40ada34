import { execFile } from 'node:child_process'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..', 'packages', 'sdk')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

const archivePath = join(root, 'dist', 'coffer-sdk.tgz')

/** Whether the package is there and nothing it is made of was changed since. */
export async function isSdkCurrent(): Promise<boolean> {
  const made = await stat(archivePath).catch(() => undefined)
  const sources = await readdir(join(root, 'src'))
  const times = await Promise.all(
    ['package.json', 'README.md', 'tsconfig.build.json', 'src', ...sources.map(name => join('src', name))].map(
      async name => (await stat(join(root, name))).mtimeMs,
    ),
  )
  return made !== undefined && Math.max(...times) < made.mtimeMs
}

/**
 * Compiles the merchant's client to JavaScript with types and packs it as `npm install` takes it, for the server to hand
 * out: packages/sdk/dist/coffer-sdk.tgz. The same sources give the same bytes.
 */
export async function buildSdk(): Promise<void> {
  const dist = join(root, 'dist')
  await rm(join(dist, 'package'), { recursive: true, force: true })
  await promisify(execFile)(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')]).catch(
    ({ stdout }) => {
      throw new Error(`the merchant's client does not compile:\n${stdout}`)
    },
  )
  const { version, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  // What it needs of ours are types, and those are written out.
  const { '@coffer/contract': _, ...needed } = dependencies
  const manifest = {
    name: '@coffer/sdk',
    version,
    description: 'Create orders, read them, and check callbacks',
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    dependencies: needed,
  }
  const compiled = join(dist, 'package', 'dist')
  const files = await Promise.all(
    (await readdir(compiled))
      .sort()
      .map(async name => ({ name: `dist/${name}`, content: await readFile(join(compiled, name)) })),
  )
  const archive = tar([
    { name: 'package.json', content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    { name: 'README.md', content: await readFile(join(root, 'README.md')) },
    ...files,
  ])
  await writeFile(`${archivePath}.half`, gzipSync(archive, { level: 9 }))
  await rename(`${archivePath}.half`, archivePath)
}

/** A tape archive in the format that POSIX calls ustar: for each file a header of 512 bytes and the content, padded. */
function tar(files: { name: string; content: Buffer }[]): Buffer {
  const parts = files.flatMap(({ name, content }) => [
    header(`package/${name}`, content.length),
    content,
    Buffer.alloc((512 - (content.length % 512)) % 512),
  ])
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

function header(name: string, size: number): Buffer {
  const bytes = Buffer.alloc(512)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  const fields: [number, string][] = [
    [0, name],
    [100, octal(0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(size, 11)],
    [136, octal(0, 11)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\u000000'],
  ]
  for (const [at, text] of fields) bytes.write(text, at, 'latin1')
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return bytes
}
