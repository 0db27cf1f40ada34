import { openDeps } from './cli/open.ts'
import { findCommand, runCommand, usage } from './cli/run.ts'
import { initSigner } from './cli/signer.ts'
import { ConfigProblem } from './config.ts'
import { Problem } from './platform/problem.ts'
import { SeedProblem } from './signer/seed-file.ts'

/** The operator's command line: `npm run coffer -- <command>`. Ends with 0, with 1 when it was not done, with 2 when it was not understood. */
async function main(words: string[]): Promise<number> {
  if (words.join(' ') === 'signer init') return say(0, await initSigner(process.env))
  const found = findCommand(words)
  if (!found) return say(words.length === 0 || words[0] === 'help' ? 0 : 2, usage())
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
  if (error instanceof ConfigProblem || error instanceof Problem || error instanceof SeedProblem) return error.message
  if (['ECONNREFUSED', 'ENOENT', 'ENOTFOUND'].includes(error.code ?? ''))
    return `The database cannot be reached (${error.message}): is Coffer running?`
  return error.stack ?? String(error)
}
