import { createInterface } from 'node:readline/promises'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { ConfigProblem } from '../config.ts'
import { databaseProblem } from '../kit/database-problem.ts'
import { version } from '../migrations/version.ts'
import { SeedFileError } from '../signer/seed-file.ts'
import { runBackupCommand, runRestoreCommand } from './backup.ts'
import { checkConfig } from './config-check.ts'
import { migrateDatabase } from './migrate.ts'
import { openDeps } from './open.ts'
import { findCommand, formatCommandUsage, formatUsageError, NotConfirmed, runCommand } from './run.ts'
import { askHidden, initSigner, restoreSigner } from './signer.ts'
import { createSignerVault, writeAuthorizations } from './vault.ts'

const flags = ['--json', '--yes', '-y', '--version']

/**
 * The operator's command line: `npm run coffer -- <command>`. Exit codes: 0 done, 1 failed, 2 usage error or not
 * confirmed.
 */
async function main(typed: string[]): Promise<number> {
  const words = typed.filter(word => !flags.includes(word))
  const has = (...names: string[]) => names.some(name => typed.includes(name))
  const topic = words.filter((word, index) => !['--help', '-h'].includes(word) && !(index === 0 && word === 'help'))
  if (has('--version')) return print(0, version)
  if (words.length === 0 || topic.length < words.length) return print(0, formatCommandUsage(topic))
  switch (words.join(' ')) {
    case 'signer init':
      return print(0, await initSigner(process.env))
    case 'signer restore':
      return print(0, await restoreSigner(process.env, askHidden))
    case 'config check': {
      const { code, text } = await checkConfig(process.env)
      return print(code, text)
    }
    case 'migrate':
      return print(0, await migrateDatabase(process.env))
  }
  const [group, verb, ...rest] = words
  if (group === 'signer' && verb === 'vault' && rest[0]) return print(0, await createSignerVault(process.env, rest[0]))
  if (group === 'sweeper' && verb === 'authorize' && rest[1]) {
    await writeAuthorizations(process.env, rest, line => void process.stdout.write(line))
    return 0
  }
  if (group === 'backup' && verb && verb !== 'list')
    return print(0, await runBackupCommand(process.env, words.slice(1)))
  if (group === 'restore' && verb && verb !== 'release')
    return print(0, await runRestoreCommand(process.env, words.slice(1)))
  const found = findCommand(words)
  if (!found) return print(2, formatUsageError(words))
  const { deps, close } = openDeps(process.env)
  try {
    const { code, text } = await runCommand(deps, found, {
      json: has('--json'),
      yes: has('--yes', '-y'),
      confirm: confirmed,
    })
    return print(code, text)
  } finally {
    await close()
  }
}

/** Waits for "yes" on a terminal. @throws NotConfirmed */
async function confirmed(question: string, word: string): Promise<void> {
  if (!process.stdin.isTTY) throw new NotConfirmed(`${question} Nothing was done: add ${word} to do it.`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(`${question} Type yes: `)
    if (answer.trim().toLowerCase() !== 'yes') throw new NotConfirmed('Nothing was done.')
  } finally {
    lines.close()
  }
}

function print(code: number, text: string): number {
  const output = code === 0 ? process.stdout : process.stderr
  output.write(`${text}\n`)
  return code
}

main(process.argv.slice(2)).then(
  code => {
    process.exitCode = code
  },
  error => {
    process.exitCode = print(1, describe(error))
  },
)

function describe(error: NodeJS.ErrnoException): string {
  // Without DATABASE_URL the address is that of the sandbox's own database, which runs only with the sandbox.
  if (!process.env.DATABASE_URL && ['ECONNREFUSED', 'ENOENT'].includes(error.code ?? ''))
    return `The database cannot be reached (${error.message}): is Coffer running?`
  const known = databaseProblem(error)
  if (known instanceof ConfigProblem || known instanceof OperatorProblem || known instanceof SeedFileError)
    return known.message
  return error.stack ?? String(error)
}
