import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'

/** Formats counts, shares and sizes; amounts are formatted by `packages/contract/src/kit/format-amount.ts`. */
const home = 'apps/web/src/i18n/format.ts'
const formatter = /\.(?:toFixed|toPrecision|toLocaleString)\(|Intl\.NumberFormat\b/
const names =
  'amount|\\w+_amount|balance|usdt_balance|received_usdt|fees|held|income|refund|gas|price|rest|surplus|total_value'
/** An amount as a child of an element or in a template string. Not the value of an attribute, nor a text (`t`). */
const raw = new RegExp(`(?:^|[^=])\\{(?!t\\.)(?:[\\w?]+\\.)*(?:${names})\\}`)

/**
 * Reads an amount without saying what is refused, as `parseBaseUnits` does; columns arrive as bigint, and powers are
 * `powerOfTen`.
 */
const conversion = /\bBigInt\(/

/**
 * Rejects amounts that are shown by another rule than `formatAmount`, or read in a domain by another than
 * `parseBaseUnits`.
 */
export const amounts: Check = {
  name: 'amounts follow one rule',
  complaints: root =>
    globSync(['apps/web/src/**/*.{ts,tsx}', 'apps/server/src/{domains,kit,http}/**/*.ts'], { cwd: root })
      .filter(path => path !== home && !/\.test\.tsx?$|\/generated\//.test(path))
      .sort()
      .flatMap(path =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((line, at) => {
            const here = `${path}:${at + 1}`
            const own = formatter.exec(line)
            if (own && !line.trimStart().startsWith('import '))
              return [`${here} formats a number with ${own[0]}: use formatAmount, or a function of ${home}`]
            if (conversion.test(line) && path.includes('/domains/'))
              return [`${here} converts with BigInt: use parseBaseUnits or powerOfTen`]
            return path.startsWith('apps/web/') && !path.includes('/i18n/') && raw.test(line) && !line.includes('key=')
              ? [`${here} shows a bare amount: use <Amount>, formatAmount or formatExactAmount`]
              : []
          }),
      ),
}
