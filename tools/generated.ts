/**
 * Lists the generators of generated files. `node tools/generated.ts` runs them all; the check of the same name reports
 * files that differ from the current output of their generator.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mainnets } from '@coffer/chains'
import { generateArchitecture } from './architecture.ts'
import { generateDialogs, generateForms } from './console-forms.ts'
import { generateContracts } from './contracts.ts'
import { generateDoors } from './doors.ts'
import { generateMerchantRoles, generateRoles, generateTitles, generateWebRoles } from './roles.ts'
import { generateSdkTypes } from './sdk-types.ts'
import { generateStatements } from './statements/generate.ts'

/**
 * Generates all files of a folder that contains nothing else, or single files. Paths are relative to the repository.
 */
export type Generator = {
  folder?: string
  generate: () => Promise<{ path: string; content: string }[]>
}

/** The ids by which the back-office finds the logos of chains. */
async function generateLogos(): Promise<{ path: string; content: string }[]> {
  const ids = JSON.stringify(Object.fromEntries(Object.values(mainnets).map(({ name, id }) => [name, id])), null, 2)
  const content = `export const idsByName: Record<string, string> = ${ids}\n`
  return [{ path: 'apps/web/src/ui/logos/generated/chains.ts', content }]
}

/** The verification of proofs, so that the merchant's client has no dependency on the core. */
const copyProofVerification = () =>
  ['format.ts', 'verify.ts'].map(file => ({
    path: `packages/sdk/src/generated/proof/${file}`,
    content: `// Copied from packages/core/src/proof by tools/generated.ts.\n${readFileSync(join(import.meta.dirname, '../packages/core/src/proof', file), 'utf8')}`,
  }))

/** All generators. */
export const generators: Generator[] = [
  { folder: 'packages/chains/src/evm/generated', generate: generateContracts },
  { folder: 'apps/web/src/ui/logos/generated', generate: generateLogos },
  {
    folder: 'apps/web/src/operator/kit/generated',
    generate: async () => [...(await generateWebRoles()), ...(await generateForms())],
  },
  {
    folder: 'apps/web/src/i18n/generated',
    generate: async () => [...(await generateTitles()), ...(await generateDialogs())],
  },
  {
    folder: 'packages/sdk/src/generated',
    generate: async () => [...(await generateSdkTypes()), ...copyProofVerification()],
  },
  { folder: 'apps/server/src/generated', generate: generateStatements },
  { generate: generateArchitecture },
  { generate: generateRoles },
  { generate: generateMerchantRoles },
  { generate: generateDoors },
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
