import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'

/** Words, as `wc -w` counts them, of a whole guide or of each of its blocks. */
const most: { guides: string; words: number; of: 'guide' | 'block' }[] = [
  { guides: 'CONTRIBUTING.md', words: 800, of: 'guide' },
  { guides: 'docs/recipes/*.md', words: 150, of: 'guide' },
  { guides: 'docs/simulation.md', words: 120, of: 'block' },
]

/** Limits the words of guides that are read from the beginning to the end. */
export const guideWords: Check = {
  name: 'words of guides',
  complaints: root =>
    most.flatMap(({ guides, words, of }) =>
      globSync(guides, { cwd: root })
        .sort()
        .flatMap(guide =>
          parts(readFileSync(join(root, guide), 'utf8'), of)
            .filter(([, text]) => wordsOf(text) > words)
            .map(
              ([line, text]) =>
                `${guide}:${line} has a ${of} of ${wordsOf(text)} words, more than ${words}: shorten it`,
            ),
        ),
    ),
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length

/** Returns the whole text, or each paragraph, list item and table, with the line on which it begins. */
function parts(text: string, of: 'guide' | 'block'): [line: number, text: string][] {
  if (of === 'guide') return [[1, text]]
  const blocks: [number, string][] = []
  for (const [at, line] of text.split('\n').entries()) {
    const last = blocks.at(-1)
    if (last?.[1] && line.trim() !== '' && !/^\s*(?:[-*]|\d+\.)\s/.test(line)) last[1] += `\n${line}`
    else blocks.push([at + 1, line])
  }
  return blocks
}
