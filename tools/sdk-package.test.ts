import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { buildSdk, isSdkCurrent } from './sdk-package.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const archive = join(root, 'packages', 'sdk', 'dist', 'coffer-sdk.tgz')

const program = `import { Coffer, CofferError, type Order, paymentStatus, verifyWebhook } from '@coffer/sdk'

const coffer = new Coffer({ baseUrl: 'https://pay.example', secretKey: 'sk_test_1', fetch: async () => Response.json({ code: 200, data: { list: [], total: 0 } }) })
const { list, total }: { list: Order[]; total: number } = await coffer.listOrders({ status: paymentStatus.paid })
const wrong: string = total === 0 ? typeof verifyWebhook : CofferError.name
console.log(list.length, wrong)
`

before(async () => {
  if (!(await isSdkCurrent())) await buildSdk()
})

test('the package stands alone: its types compile strictly and its JavaScript runs, with nothing of ours beside it', async t => {
  await buildSdk()
  assert.equal(await isSdkCurrent(), true)
  const folder = await mkdtemp(join(tmpdir(), 'coffer-sdk-'))
  t.after(() => rm(folder, { recursive: true }))
  const home = join(folder, 'node_modules', '@coffer', 'sdk')
  await mkdir(home, { recursive: true })
  await run('tar', ['-xzf', archive, '-C', home, '--strip-components', '1'])
  const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  assert.deepEqual(Object.keys(manifest.dependencies), ['standardwebhooks'])
  // Resolvers that do not read `exports` need these.
  for (const file of [manifest.main, manifest.types]) assert.ok(existsSync(join(home, file)), file)
  assert.deepEqual(manifest.exports, { '.': { types: manifest.types, default: manifest.main } })
  for (const name of ['standardwebhooks', '@types', 'undici-types', '@stablelib', 'fast-sha256'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'main.ts'), program)
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022']
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  await run(compiler, [...strict, '--module', 'nodenext', '--types', 'node', 'main.ts'], {
    cwd: folder,
  })
  const { stdout } = await run(process.execPath, [join(folder, 'main.js')])
  assert.equal(stdout, '0 function\n')
})

test('the contents of a version never change: a change needs a new version, with its SHA-256 in packed.json', async () => {
  const sdk = join(root, 'packages', 'sdk')
  const { version } = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'))
  const packed = JSON.parse(await readFile(join(sdk, 'packed.json'), 'utf8'))
  const contents = gunzipSync(await readFile(archive))
  assert.equal(createHash('sha256').update(contents).digest('hex'), packed[version], `contents of ${version}`)
})

test('the same sources give the same bytes, whatever the permissions and times of files', async () => {
  const first = await readFile(archive)
  const before = process.umask(0o077)
  await buildSdk().finally(() => process.umask(before))
  assert.deepEqual(await readFile(archive), first)
  const { stdout } = await run('tar', ['-tvzf', archive])
  for (const line of stdout.trim().split('\n')) assert.match(line, /^-rw-r--r-- 0\/0 .* 1970-01-01 .* package\//)
})
