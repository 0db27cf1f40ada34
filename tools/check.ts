/**
 * `npm run check`: checks the rules of the code. Prints each violation with its fix, and exits with 1 if there are any.
 */
import { join } from 'node:path'
import { amounts } from './checks/amounts.ts'
import { artefacts } from './checks/artefacts.ts'
import { callMentions } from './checks/call-mentions.ts'
import type { Check } from './checks/check.ts'
import { deadCode } from './checks/dead-code.ts'
import { documents } from './checks/documents.ts'
import { expressions, judgedExpressions } from './checks/expressions.ts'
import { generatedFiles } from './checks/generated-files.ts'
import { guideWords } from './checks/guide-words.ts'
import { strictHex } from './checks/hex.ts'
import { registryHosts } from './checks/hosts.ts'
import { imports } from './checks/imports.ts'
import { countedLines } from './checks/lines.ts'
import { lockFile, lockPlatforms } from './checks/lock-file.ts'
import { masks } from './checks/masks.ts'
import { messages } from './checks/messages.ts'
import { migrations } from './checks/migrations.ts'
import { oneName } from './checks/one-name.ts'
import { onlineSteps } from './checks/online-steps.ts'
import { plainCode } from './checks/plain-code.ts'
import { specifiedCalls, specifiedScreens } from './checks/routes.ts'
import { size } from './checks/size.ts'
import { specifiedTexts } from './checks/texts.ts'
import { webPatterns } from './checks/web-patterns.ts'

const checks: Check[] = [
  imports,
  deadCode,
  generatedFiles(),
  messages,
  specifiedCalls(),
  specifiedScreens(),
  specifiedTexts(),
  oneName(),
  callMentions(),
  amounts,
  masks,
  strictHex,
  size,
  plainCode,
  artefacts,
  lockFile,
  lockPlatforms,
  migrations,
  onlineSteps,
  documents,
  guideWords,
  registryHosts,
  expressions,
  judgedExpressions,
  webPatterns,
]

const root = join(import.meta.dirname, '..')
const results = await Promise.all(
  checks.map(async check => ({ name: check.name, complaints: await check.complaints(root) })),
)
for (const { name, complaints } of results) {
  console.log(`${complaints.length === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  for (const complaint of complaints) console.log(`     ${complaint}`)
}
console.log(`lines: ${countedLines(root)}`)
process.exitCode = results.some(({ complaints }) => complaints.length > 0) ? 1 : 0
