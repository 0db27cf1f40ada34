import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..', '..', '..', '..')

/** Builds the web bundle unless it is current, for tests that read its files: they also run alone, in a clean clone. */
export const builtWeb = (): Promise<unknown> =>
  promisify(execFile)(process.execPath, [join(root, 'tools', 'build.ts')], { cwd: root })
