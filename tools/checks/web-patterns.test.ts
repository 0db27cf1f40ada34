import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { webPatterns } from './web-patterns.ts'

/** Runs the check in a temporary repository with the given files. */
function complaints(t: TestContext, files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'coffer-checks-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return webPatterns.complaints(root)
}

test('patterns of the build of the pages match files, and stylesheets name what pages load', async t => {
  const config = (pattern: string) =>
    `export default () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: /${pattern}/ }] } } } } })`
  const files = (css: string, pattern: string) => ({
    'apps/web/vite.config.ts': config(pattern),
    'apps/web/src/login/main.tsx': "import './login.css'\nconst page = import('./Page.tsx')\n",
    'apps/web/src/login/Page.tsx': "import type { B } from '../ui/B.tsx'\nimport {\n  A,\n} from '../ui/A.tsx'\n",
    'apps/web/src/ui/A.tsx': '',
    'apps/web/src/ui/B.tsx': '',
    'apps/web/src/login/login.css': css,
  })
  const named = '@source "./";\n@source "../ui/{A,B}.tsx";'
  assert.deepEqual(await complaints(t, files(named, 'ui\\/(?:A|B)\\.tsx$|\\/login\\/')), [])
  assert.deepEqual(await complaints(t, files('@source "./";\n@source "../ui/C.tsx";', 'ui\\/(?:A|C)\\.tsx$')), [
    'apps/web/src/login/login.css names apps/web/src/ui/C.tsx, which is not there',
    'apps/web/src/login/login.css lacks @source for apps/web/src/ui/A.tsx, which its page loads',
    'apps/web/vite.config.ts: ui\\/C\\.tsx$ of the chunk base matches no file',
  ])
})
