import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { archivePath, packSdk } from './sdk-package.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const built = packSdk()

const program = `import { Coffer, CofferError, type Order, paymentStatus, verifyWebhook } from '@coffer/sdk'

const coffer = new Coffer({ baseUrl: 'https://pay.example', secretKey: 'sk_test_1', fetch: async () => Response.json({ code: 200, data: { list: [], total: 0 } }) })
const { list, total }: { list: Order[]; total: number } = await coffer.listOrders({ status: paymentStatus.paid })
const wrong: string = total === 0 ? typeof verifyWebhook : CofferError.name
console.log(list.length, wrong)
`

test('the package stands alone: its types compile strictly and its JavaScript runs, with nothing of ours beside it', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-sdk-'))
  t.after(() => rm(folder, { recursive: true }))
  const home = join(folder, 'node_modules', '@coffer', 'sdk')
  await mkdir(home, { recursive: true })
  await writeFile(join(folder, 'sdk.tgz'), await built)
  await run('tar', ['-xzf', join(folder, 'sdk.tgz'), '-C', home, '--strip-components', '1'])
  const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  assert.deepEqual(Object.keys(manifest.dependencies), [
    '@noble/curves',
    '@noble/hashes',
    '@scure/base',
    '@scure/bip32',
    'standardwebhooks',
  ])
  // Resolvers that do not read `exports` need these.
  for (const file of [manifest.main, manifest.types]) assert.ok(existsSync(join(home, file)), file)
  assert.deepEqual(manifest.exports, { '.': { types: manifest.types, default: manifest.main } })
  for (const name of ['@noble', '@scure', 'standardwebhooks', '@types', 'undici-types', '@stablelib', 'fast-sha256'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'main.ts'), program)
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022']
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  await run(compiler, [...strict, '--module', 'nodenext', '--types', 'node', 'main.ts'], {
    cwd: folder,
  })
  const help = await run(process.execPath, [join(home, manifest.bin.coffer), '--help'])
  assert.match(help.stdout, /coffer listen/)
  const { stdout } = await run(process.execPath, [join(folder, 'main.js')])
  assert.equal(stdout, '0 function\n')
})

test('the repository keeps the archive of this version, with what its sources give', async () => {
  const advice =
    'raise the version in packages/sdk/package.json, package-lock.json and both READMEs, then: node tools/sdk-package.ts'
  assert.ok(existsSync(archivePath), advice)
  assert.ok(gunzipSync(await readFile(archivePath)).equals(gunzipSync(await built)), advice)
  for (const readme of ['README.md', 'packages/sdk/README.md'])
    assert.ok((await readFile(join(root, readme), 'utf8')).includes(basename(archivePath)), `${readme}: ${advice}`)
})

test('the same sources give the same bytes, whatever the permissions and times of files', async () => {
  const first = await built
  const before = process.umask(0o077)
  assert.deepEqual(await packSdk().finally(() => process.umask(before)), first)
  const { stdout } = await run('tar', ['-tvzf', archivePath])
  for (const line of stdout.trim().split('\n')) assert.match(line, /^-rw-r--r-- 0\/0 .* 1970-01-01 .* package\//)
})
