import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { artefacts } from './artefacts.ts'
import type { Check } from './check.ts'
import { guideWords } from './guide-words.ts'
import { registryHosts } from './hosts.ts'
import { countedLines } from './lines.ts'
import { lockFile, lockPlatforms } from './lock-file.ts'
import { migrations } from './migrations.ts'
import { complaints } from './testing/complaints.ts'

test('the lock file contains no download URLs', async t => {
  const packages = {
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' },
    'node_modules/b': { resolved: 'packages/b', link: true },
    'node_modules/c': { version: '1.0.0', resolved: 'https://somewhere.example/c.tgz' },
  }
  assert.deepEqual(await complaints(t, lockFile, { 'package-lock.json': JSON.stringify({ packages }) }), [
    'package-lock.json names a download address for node_modules/c: remove its "resolved" line',
  ])
})

test('has npm resolve the lock file for every platform', async t => {
  const manifest = { name: 'x', version: '1.0.0', dependencies: { a: '1.0.0' } }
  const files = (packages: object) => ({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({
      name: 'x',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': manifest, ...packages },
    }),
  })
  assert.deepEqual(await complaints(t, lockPlatforms, files({ 'node_modules/a': { version: '1.0.0' } })), [])
  const found = await complaints(t, lockPlatforms, files({}))
  for (const [at, platform] of ['linux x64', 'linux arm64', 'darwin arm64'].entries())
    assert.match(found[at] ?? '', new RegExp(`^npm ci fails on ${platform}: npm error`))
})

test('the lock file names the packages of all platforms, all of them optional', async t => {
  const packages = {
    'node_modules/a': { version: '1.0.0', optionalDependencies: { x: '1.0.0', y: '1.0.0', z: '1.0.0' } },
    'node_modules/a/node_modules/y': { version: '1.0.0', optional: true, os: ['darwin'] },
    'node_modules/y': { version: '2.0.0' },
    'node_modules/z': { version: '1.1.0', optional: true },
    'node_modules/one-platform': { version: '1.0.0', os: ['linux'], cpu: ['x64'] },
  }
  assert.deepEqual(await complaints(t, lockFile, { 'package-lock.json': JSON.stringify({ packages }) }), [
    'package-lock.json lacks x, optional for node_modules/a: write it anew without node_modules',
    'package-lock.json lacks z, optional for node_modules/a: write it anew without node_modules',
    'node_modules/one-platform is for some platforms only: list it in "optionalDependencies"',
  ])
})

/** Makes a repository of the folder, of which all files are tracked. */
const track = (root: string) => {
  execFileSync('git', ['init', '-q'], { cwd: root })
  execFileSync('git', ['add', '.'], { cwd: root })
}

test('tracked files contain no build artefacts', async t => {
  const tracked: Check = {
    name: artefacts.name,
    complaints: root => {
      track(root)
      return artefacts.complaints(root)
    },
  }
  const files = { 'tsconfig.tsbuildinfo': '', 'a/dist/b.js': 'x\n', 'a/b.ts': 'x\n', 'a/distance.ts': 'x\n' }
  assert.deepEqual(
    (await complaints(t, tracked, files)).map(each => each.split(' ')[0]),
    ['a/dist/b.js', 'tsconfig.tsbuildinfo'],
  )
  assert.deepEqual(await complaints(t, artefacts, files), [], 'a copy without its repository')
})

test('lines are counted by part', async t => {
  const reported: Check = {
    name: 'lines',
    complaints: root => {
      track(root)
      return [countedLines(root)]
    },
  }
  const files = { 'a/generated/b.ts': '\n\n', 'a/b.test.ts': '\n\n', 'e2e/c.ts': '\n', 'a/c.ts': '\n', 'a/d.md': '\n' }
  assert.deepEqual(await complaints(t, reported, files), ['hand-written 1, tests 3, generated 2'])
})

test('released migrations are immutable, and each has a number of its own', async t => {
  const folder = 'apps/server/src/migrations/steps'
  const hash = createHash('sha256').update('a').digest('hex')
  const released = { '0001_a.ts': hash, '0002_b.ts': hash }
  const files = {
    [`${folder}/released.json`]: JSON.stringify(released),
    [`${folder}/0001_a.ts`]: 'a',
    [`${folder}/0002_b.ts`]: 'b',
    [`${folder}/0003_c.ts`]: 'c',
    [`${folder}/0003_d.ts`]: 'd',
  }
  const found = await complaints(t, migrations, files)
  assert.deepEqual(
    found.map(each => each.split(' ')[0]),
    [`${folder}/0002_b.ts`, `${folder}/0003_d.ts`],
  )
})

test('no file names a package registry, dot files and executables included', async t => {
  const address = ['https://registry', 'npmjs', 'org'].join('.')
  const files = {
    '.npmrc': `a=b\nregistry=${address}\n`,
    '.ci/run': `npm --registry ${address}\n`,
    'apps/a.ts': 'const registry = new Map()\n',
  }
  assert.deepEqual((await complaints(t, registryHosts, files)).map(each => each.split(' ')[0]).sort(), [
    '.ci/run:1',
    '.npmrc:2',
  ])
})

test('limits the words of the guides and of their blocks', async t => {
  const words = (n: number) => Array.from({ length: n }, () => 'a').join(' ')
  const files = {
    'CONTRIBUTING.md': words(801),
    'docs/recipes/call.md': words(151),
    'docs/recipes/list.md': words(150),
    'docs/simulation.md': `${words(120)}\n\n- ${words(119)}\n- ${words(60)}\n  ${words(60)}\n`,
  }
  assert.deepEqual(
    (await complaints(t, guideWords, files)).map(each => each.split(',')[0]),
    [
      'CONTRIBUTING.md:1 has a guide of 801 words',
      'docs/recipes/call.md:1 has a guide of 151 words',
      'docs/simulation.md:4 has a block of 121 words',
    ],
  )
})
