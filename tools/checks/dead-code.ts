import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Check } from './check.ts'

type Issue = { file: string } & Record<string, { name: string; line?: number }[]>

const program = join(import.meta.dirname, '..', '..', 'node_modules', 'knip', 'bin', 'knip.js')

/** Complaints by knip's issue type, each with its fix. */
const kinds: Record<string, (name: string) => string> = {
  files: () => 'is imported by nothing: remove it, or name it as an entry in knip.json',
  dependencies: name => `lists ${name}, which nothing imports: remove it`,
  devDependencies: name => `lists ${name}, which nothing imports: remove it`,
  exports: name => `exports ${name}, which nothing imports: remove it, or keep it inside the file`,
  unlisted: name => `imports ${name}, which its package.json does not list: add it there`,
  unresolved: name => `imports ${name}, which does not exist`,
}

/** Rejects unused files, exports and dependencies. */
export const deadCode: Check = {
  name: 'dead code',
  complaints: async root => {
    const args = ['--no-progress', '--no-exit-code', '--no-config-hints', '--reporter', 'json']
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, ...args, '--include', Object.keys(kinds).join(',')],
      { cwd: root, maxBuffer: 64 * 1024 ** 2 },
    )
    return complaintsOf(JSON.parse(stdout).issues)
  },
}

/** Converts knip's issues to complaints. */
function complaintsOf(issues: Issue[]): string[] {
  return issues.flatMap(issue =>
    Object.entries(kinds).flatMap(([kind, say]) =>
      (issue[kind] ?? []).map(({ name, line }) => `${issue.file}${line ? `:${line}` : ''} ${say(name)}`),
    ),
  )
}
