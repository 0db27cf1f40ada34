import { Problem } from '@coffer/local/problem.ts'
import { ConfigProblem } from '../config.ts'
import { databaseProblem } from '../kit/database-problem.ts'
import { SeedProblem } from '../signer/seed-file.ts'
import { openDeps } from './open.ts'
import { findCommand, misunderstood, runCommand, usage } from './run.ts'
import { initSigner } from './signer.ts'

/** The operator's command line: `npm run coffer -- <command>`. Ends with 0, with 1 when it was not done, with 2 when it was not understood. */
async function main(words: string[]): Promise<number> {
  const asked = words.filter((word, index) => !['--help', '-h'].includes(word) && !(index === 0 && word === 'help'))
  if (words.length === 0 || asked.length < words.length) return say(0, usage(asked))
  if (words.join(' ') === 'signer init') return say(0, await initSigner(process.env))
  const found = findCommand(words)
  if (!found) return say(2, `${usage(words)}\n\n${misunderstood(words)}`)
  const { deps, close } = openDeps(process.env)
  try {
    const { code, text } = await runCommand(deps, found)
    return say(code, text)
  } finally {
    await close()
  }
}

function say(code: number, text: string): number {
  const output = code === 0 ? process.stdout : process.stderr
  output.write(`${text}\n`)
  return code
}

main(process.argv.slice(2)).then(
  code => {
    process.exitCode = code
  },
  error => {
    process.exitCode = say(1, describe(error))
  },
)

function describe(error: NodeJS.ErrnoException): string {
  // The sandbox's own database has no DATABASE_URL that could be wrong.
  if (!process.env.DATABASE_URL && ['ECONNREFUSED', 'ENOENT'].includes(error.code ?? ''))
    return `The database cannot be reached (${error.message}): is Coffer running?`
  const told = databaseProblem(error)
  if (told instanceof ConfigProblem || told instanceof Problem || told instanceof SeedProblem) return told.message
  return error.stack ?? String(error)
}
