/**
 * Every file in the repository that a program wrote. `node tools/generated.ts` writes them all again; the check of the
 * same name tells which are not what their generator would write today.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateContracts } from './contracts.ts'
import { generateLogos } from './logos.ts'
import { generateSdkTypes } from './sdk-types.ts'
import { generateStatements } from './statements/generate.ts'

/** A generator gives all the files of one folder that belongs to it alone; paths are from the root. */
export type Generator = {
  folder: string
  generate: () => Promise<{ path: string; content: string }[]>
}

/** To generate something new: write a function that gives its files, and add a line here. */
export const generators: Generator[] = [
  { folder: 'packages/chains/src/evm/generated', generate: generateContracts },
  { folder: 'apps/web/src/ui/logos/generated', generate: generateLogos },
  { folder: 'packages/sdk/src/generated', generate: generateSdkTypes },
  { folder: 'apps/server/src/generated', generate: generateStatements },
]

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  for (const { generate } of generators) {
    for (const { path, content } of await generate()) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
  }
}
