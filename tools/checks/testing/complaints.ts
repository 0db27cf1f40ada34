import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Check } from '../check.ts'

/** Runs a check in a temporary repository with the given files and links. Returns its complaints. */
export async function complaints(
  t: TestContext,
  check: Check,
  files: Record<string, string>,
  links: Record<string, string> = {},
): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'coffer-checks-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(join(root, target), join(root, path))
  }
  return check.complaints(root)
}
