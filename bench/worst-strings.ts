import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Repetitions of at least this many are tried as if they had no end. */
const many = 8
/** Characters that an expression may ask for, and one that ends what it matches. */
const characters = [...'a0 A/._-=+%@:[("\'<&~?#', '\n', '\t', '\u0085', '中', 'é', '́', '​', '😀']
const end = '\u0000'

type Piece = { before: string; repeated: string }

/**
 * Returns the texts that cost a regular expression most: for each part that it repeats, what may stand before, the part
 * again and again up to a length, and an end that matches nothing, so that everything is tried; and both together again
 * and again, so that it begins anew.
 */
export function worstStrings(source: string, flags: string): ((length: number) => string)[] {
  const modes = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  const pieces = [
    ...repeatedIn(new RegExpParser().parsePattern(source, 0, source.length, modes).alternatives, '', flags),
  ]
  const filled = (text: string, length: number) => text.repeat(Math.ceil(length / Math.max(text.length, 1)))
  const found = pieces.flatMap(({ before, repeated }) => [
    (length: number) => before + filled(repeated, length) + end,
    (length: number) => filled(repeated, length) + end,
    (length: number) => filled(before + repeated, length) + end,
  ])
  return [...new Map(found.map(make => [make(100), make])).values()]
}

/** The parts of alternatives that are repeated, each with a text that matches what stands before it. */
function* repeatedIn(alternatives: AST.Alternative[], before: string, flags: string): Generator<Piece> {
  for (const { elements } of alternatives) {
    let start = before
    for (const element of elements) {
      yield* repeatedBy(element, start, flags)
      start += sample(element, flags)
    }
  }
}

function* repeatedBy(element: AST.Element, before: string, flags: string): Generator<Piece> {
  if (element.type === 'Quantifier') {
    if (element.max >= many) yield { before, repeated: sample(element.element, flags) }
    yield* repeatedBy(element.element, before, flags)
  } else if ('alternatives' in element) {
    yield* repeatedIn(element.alternatives, before, flags)
  }
}

const sampleOf = (alternative: AST.Alternative, flags: string): string =>
  alternative.elements.map(each => sample(each, flags)).join('')

/** A text that an element matches. */
function sample(element: AST.Element, flags: string): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterClass':
    case 'CharacterSet':
    case 'ExpressionCharacterClass': {
      const fits = new RegExp(`^(?:${element.raw})$`, flags.replace(/[gy]/g, ''))
      return characters.find(each => fits.test(each)) ?? ''
    }
    case 'Quantifier':
      return sample(element.element, flags).repeat(Math.max(element.min, element.max > 0 ? 1 : 0))
    case 'Group':
    case 'CapturingGroup':
      return sampleOf(element.alternatives[0]!, flags)
    default:
      return ''
  }
}
