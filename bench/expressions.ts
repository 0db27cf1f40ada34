import { join } from 'node:path'
import { parseJsonFields } from '../apps/server/src/domains/shop-protocols/json-fields.ts'
import { hostileJson } from '../apps/server/src/domains/shop-protocols/testing/hostile-json.ts'
import { expressionsOf } from '../tools/checks/expressions.ts'
import type { Figure } from './figure.ts'
import { growth } from './growth.ts'
import { worstStrings } from './worst-strings.ts'

/** Growth that is still called linear: longer inputs leave the caches of a busy machine. The square gives 16. */
const linear = 8
/** Expressions in the square of the length, which show that the texts find it. */
const quadratic = ['0+$', '<([^>]+)>', '\\[.*\\]', '=\\((.*)\\) already']

/** The growth for the worst text of an expression, the least of three measurements while they are too large. */
function worstGrowth(source: string, flags: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3 && least >= linear; round++) {
    const each = worstStrings(source, flags).map(make =>
      growth(length => {
        const expression = new RegExp(source, flags)
        const text = make(length)
        return () => void text.match(expression)
      }),
    )
    least = Math.min(least, Math.max(0, ...each))
  }
  return least
}

function readGrowth(make: (length: number) => string): number {
  const read = (length: number) => {
    const body = Buffer.from(make(length))
    return () => {
      try {
        parseJsonFields({ body })
      } catch {
        // Most of them are refused; what counts is how long it takes.
      }
    }
  }
  return Math.min(...[1, 2, 3].map(() => growth(read)))
}

/** How processor time grows when what is read is 16 times as long: every expression, and hostile JSON of shops. */
export async function expressions(): Promise<Figure[]> {
  const all = new Map(
    expressionsOf(join(import.meta.dirname, '..')).map(each => [`/${each.source}/${each.flags}`, each]),
  )
  const grown = [...all].map(([name, { source, flags }]) => ({ name, grown: worstGrowth(source, flags) }))
  const worst = grown.toSorted((a, b) => b.grown - a.grown)[0]!
  const peer = Math.min(...quadratic.map(source => worstGrowth(source, '')))
  const beside = `at most ${linear}; expressions in the square: ${peer.toFixed(1)}`
  const figure = (what: string, value: number): Figure => ({
    what,
    value: value.toFixed(1),
    comparison: beside,
    holds: value < linear && peer > linear,
  })
  return [
    figure(`${all.size} expressions, the worst ${worst.name}`, worst.grown),
    ...Object.entries(hostileJson).map(([what, make]) => figure(`JSON: ${what}`, readGrowth(make))),
  ]
}
