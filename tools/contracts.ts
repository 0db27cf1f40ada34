// Compiles packages/chains/contracts/*.sol into packages/chains/src/evm/generated/. Run: node tools/contracts.ts
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import solc from 'solc'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = 'packages/chains/contracts'
const TARGET = 'packages/chains/src/evm/generated'
const HEADER =
  '// Generated from packages/chains/contracts/ by tools/contracts.ts; run "node tools/contracts.ts" to write it again.'

type Compiled = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: unknown; evm: { bytecode: { object: string } } }>>
}

/**
 * Compiles every contract in packages/chains/contracts/.
 * @returns the generated files, sorted by name, with paths relative to the repository
 * @throws Error with the compiler's messages when a contract has an error or a warning
 */
export async function generateContracts(): Promise<{ path: string; content: string }[]> {
  const names = (await readdir(join(ROOT, SOURCES))).filter(name => name.endsWith('.sol')).sort()
  const sources: Record<string, { content: string }> = {}
  for (const name of names) sources[name] = { content: await readFile(join(ROOT, SOURCES, name), 'utf8') }

  const settings = {
    evmVersion: 'cancun',
    optimizer: { enabled: true, runs: 200 },
    // Without the metadata hash comments do not change the bytecode.
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  }
  const output: Compiled = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })))
  if (output.errors?.length) throw new Error(output.errors.map(error => error.formattedMessage).join('\n'))

  return names.map(name => {
    const contract = name.replace('.sol', '')
    const made = output.contracts?.[name]?.[contract]
    if (!made) throw new Error(`${SOURCES}/${name} has no contract named ${contract}`)
    const artifact = JSON.stringify({ abi: made.abi, bytecode: `0x${made.evm.bytecode.object}` }, null, 2)
    const content = `${HEADER}\nexport const ${contract} = ${artifact} as const\n`
    return { path: `${TARGET}/${contract}.ts`, content }
  })
}

if (import.meta.main) {
  for (const { path, content } of await generateContracts()) {
    await mkdir(dirname(join(ROOT, path)), { recursive: true })
    await writeFile(join(ROOT, path), content)
  }
}
