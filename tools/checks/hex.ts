import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'

const home = 'packages/chains/src/hex.ts'
/** Decodes by Node's decoder. Encoding, by `toString` and `digest`, is another matter. */
const decoder = /\b(?:from|write|fill|alloc)\((?:[^()]|\([^()]*\))*, *['"`]hex['"`]|\bhexWrite\(/

/**
 * Rejects hex that is decoded by Node in the code of chains: it takes the low byte of wider characters, and stops at
 * what is no digit.
 */
export const strictHex: Check = {
  name: 'hex of chains is decoded strictly',
  complaints: root =>
    globSync(['packages/chains/src/**/*.ts', 'apps/server/src/{domains,signer,outside}/**/*.ts'], { cwd: root })
      .filter(path => path !== home && !path.endsWith('.test.ts'))
      .sort()
      .flatMap(path =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((line, at) =>
            decoder.test(line)
              ? [`${path}:${at + 1} decodes hex by Node: use parseHexBytes or decodeHexInto of ${home}`]
              : [],
          ),
      ),
}
