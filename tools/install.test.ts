import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const install: { isInstalled: (root: string) => boolean; rememberInstalled: (root: string) => void } = await import(
  new URL('./install.mjs', import.meta.url).href
)

test('an installation is complete only with the folder of every workspace', t => {
  const root = mkdtempSync(join(tmpdir(), 'coffer-install-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const packages = {
    '': {},
    'apps/server': {},
    'node_modules/@coffer/server': { resolved: 'apps/server', link: true },
    'node_modules/a': { version: '1.0.0' },
    'apps/server/node_modules/a': { version: '2.0.0' },
    'apps/server/node_modules/b': { version: '2.0.0', optional: true },
  }
  const lock = JSON.stringify({ packages })
  for (const folder of ['node_modules/@coffer/server', 'node_modules/a', 'apps/server/node_modules/a'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{}')
  writeFileSync(join(root, 'package-lock.json'), lock)
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), lock)
  assert.ok(install.isInstalled(root))
  install.rememberInstalled(root)
  rmSync(join(root, 'apps/server/node_modules'), { recursive: true })
  assert.ok(!install.isInstalled(root), 'although the stamp matches')
})
