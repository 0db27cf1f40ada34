import { computeKeccakHex } from '../evm/encoding.ts'
import { EVM_ANSWER_SHAPES, type FieldShape } from '../evm/fields.ts'
import { createSeededRandom, type Random } from '../fake/random.ts'
import { parseHexBytes } from '../hex.ts'
import { ACCOUNT_ANSWER_SHAPES } from './account-answers.ts'
import { allHows, type Place, placesIn, withLie } from './field-lies.ts'
import { follow, isAboutReceipts, type Liar, makeChain, placesOf, type Run, telling } from './lying-nodes.ts'

/** Which fields of an answer a liar may lie in. */
type IsMeant = (receipts: boolean, place: Place) => boolean

/** What a block holds: the rest of its header is decided by most nodes. */
const isContent: IsMeant = (receipts, { name }) => receipts || /^\.transactions\b/.test(name)

const oneOf = <T>(random: Random, all: readonly T[]): T => all[random.below(all.length)]!

/**
 * Follows a chain drawn from a seed through three nodes of which one lies, in every answer. On a verified chain two may
 * lie about what blocks hold. Throws as `follow` does.
 */
export async function liveLies(seed: number): Promise<void> {
  const chain = await makeChain(seed)
  const random = createSeededRandom(seed)
  const run = { roots: random.chance(0.5), catchingUp: random.chance(0.5), single: random.chance(0.2) }
  const liars = run.roots && random.chance(0.5) ? 2 : 1
  const isMeant: IsMeant = liars === 2 ? isContent : () => true
  const first = random.below(3)
  const nodes: Run['nodes'] = [0, 1, 2].map(at => {
    if ((at - first + 3) % 3 >= liars) return null
    if (random.chance(0.5)) return lyingAnywhere(`${seed} ${at}`, isMeant)
    const { receipts, place } = oneOf(
      random,
      placesOf(chain).filter(each => isMeant(each.receipts, each.place)),
    )
    return telling({ receipts, lie: { place, how: oneOf(random, allHows) } })
  })
  await follow(chain, { ...run, nodes })
}

const shapes: Readonly<Record<string, FieldShape>> = { ...EVM_ANSWER_SHAPES, ...ACCOUNT_ANSWER_SHAPES }

/**
 * Lies in another field, and in another way, in each answer: the same to the same question, so that a seed does the
 * same again.
 */
export function lyingAnywhere(salt: string, isMeant: IsMeant = () => true): Liar {
  const counts = new Map<string, number>()
  return (method, answer, other) => {
    const shape = Object.hasOwn(shapes, method) ? shapes[method] : undefined
    if (answer === null || shape === undefined) return answer
    const places = placesIn(shape, answer).filter(place => isMeant(isAboutReceipts(method), place))
    if (places.length === 0) return answer
    const question = `${salt} ${method} ${JSON.stringify(answer).slice(0, 300)}`
    const times = counts.get(question) ?? 0
    counts.set(question, times + 1)
    const random = createSeededRandom(
      parseHexBytes(computeKeccakHex(Buffer.from(`${question} ${times}`))).readUInt32BE(0),
    )
    return withLie(answer, { place: oneOf(random, places), how: oneOf(random, allHows) }, other)
  }
}
