import { ChainUnavailable } from '../errors.ts'
import { WorkPacer } from './pace.ts'

/** An answer is larger, or of more parts, than any true one of its kind. */
export class OversizedAnswer extends ChainUnavailable {
  override name = 'OversizedAnswer'
}

/** Characters that are parsed without a look at them: of the worst form, that takes some 30 ms. */
export const maxUncheckedParseChars = 2 ** 18
/**
 * Characters that are parsed in one go once their parts and keys were counted: of the worst form that passes, 10 to 30
 * ms.
 */
export const maxParseCharsPerTurn = 2 ** 20
/** Characters that a longer answer has at least for each comma, list and object. True ones have 17 or more. */
const leastPerPart = 12
/** Lists and objects in each other. True ones are fewer than 20. */
const mostDeep = 200
/**
 * Different beginnings of objects by their keys, for each of which the engine makes a description that lasts: 64 MB of
 * objects with keys of their own take 11 s. True answers have some hundreds.
 */
const mostShapes = 10_000

const tooDense = () => new OversizedAnswer('response has more parts than any of its length')
const [quote, comma, colon, backslash, list, listEnd, object, objectEnd] = [...'",:\\[]{}'].map(each =>
  each.charCodeAt(0),
)
/** Nobody knows which keys have the same hash. */
const seed = Math.floor(Math.random() * 2 ** 32)

/**
 * Parses the answer to a request, a long one by pieces and with pauses, so that it holds up nothing else. Throws
 * ChainUnavailable; Oversized, before anything is parsed, for one with so many commas, lists and objects, or so many
 * different keys, that no true one is like it.
 */
export async function parseNodeAnswer(status: number, text: string): Promise<unknown> {
  try {
    if (text.length <= maxUncheckedParseChars) return JSON.parse(text)
    const pace = new WorkPacer()
    const outline = new Outline(text)
    while (!outline.isDone) {
      outline.walk()
      await pace.rest()
    }
    if (text.length <= maxParseCharsPerTurn) return JSON.parse(text)
    return await new Pieces(text, pace).whole(outline.root)
  } catch (error) {
    if (error instanceof OversizedAnswer) throw error
    throw new ChainUnavailable(`HTTP ${status}, response is not JSON`)
  }
}

/** A list or object too long to be parsed in one go: where it stands, its commas, and what is as long in it. */
interface Large {
  isList: boolean
  start: number
  end: number
  commas: number[]
  inside: Large[]
}

/**
 * Where the commas of an open list or object begin among those of all that are open, and the long ones in it; `shape`:
 * hash of its keys.
 */
interface Open {
  isList: boolean
  start: number
  commas: number
  inside: number
  shape: number
}

/** Finds the long lists and objects of a text. What is short is checked when it is parsed. */
class Outline {
  readonly #text: string
  #at = 0
  #parts = 0
  #string = 0
  readonly #shapes = new Set<number>()
  readonly #open: Open[] = []
  readonly #commas: number[] = []
  readonly #large: Large[] = []

  constructor(text: string) {
    this.#text = text
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length
  }

  /** The text as a whole, if it is a list or an object. Throws Error. */
  get root(): Large {
    const [root, ...more] = this.#large
    if (!root || more.length > 0 || this.#open.length > 0) throw new Error('brackets do not match')
    return root
  }

  /** Goes a part further. Throws Oversized, and Error where brackets do not match. */
  walk(): void {
    const text = this.#text
    const until = Math.min(text.length, this.#at + maxParseCharsPerTurn)
    for (; this.#at < until; this.#at++) {
      const code = text.charCodeAt(this.#at)
      if (code === quote) {
        this.#string = this.#at
        this.#at = endOfString(text, this.#at)
      } else if (code === colon) this.#countKey()
      else if (code === comma) {
        this.#countPart()
        this.#commas.push(this.#at)
      } else if (code === list || code === object) {
        this.#countPart()
        const commas = this.#commas.length
        const inside = this.#large.length
        this.#open.push({ isList: code === list, start: this.#at, commas, inside, shape: seed })
        if (this.#open.length > mostDeep) throw tooDense()
      } else if (code === listEnd || code === objectEnd) this.#close(code === listEnd)
    }
  }

  #countPart(): void {
    this.#parts++
    // guard: answer-parts
    if (this.#parts * leastPerPart > this.#at + maxUncheckedParseChars) throw tooDense()
  }

  /** Counts the shapes of objects by the key before a colon. */
  #countKey(): void {
    const open = this.#open.at(-1)
    if (!open) return
    let { shape } = open
    for (let i = this.#string; i < this.#at; i++) shape = Math.imul(shape ^ this.#text.charCodeAt(i), 0x01_00_01_93)
    open.shape = shape
    // guard: answer-shapes
    if (this.#shapes.size > mostShapes) throw new OversizedAnswer('response has objects of more shapes than any')
    this.#shapes.add(shape)
  }

  #close(isList: boolean): void {
    const open = this.#open.pop()
    if (open?.isList !== isList) throw new Error('brackets do not match')
    if (this.#at - open.start <= maxParseCharsPerTurn) {
      this.#commas.length = open.commas
      return
    }
    const commas = this.#commas.splice(open.commas)
    const inside = this.#large.splice(open.inside)
    this.#large.push({ isList, start: open.start, end: this.#at, commas, inside })
  }
}

/** Returns where a string ends: at a quote that no backslash precedes, or an even number of them. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1)
    if (at < 0) throw new Error('a string does not end')
    let before = at
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((at - before) % 2 === 0) return at
  }
}

/** Parses a text by pieces. What stands in a piece, and between two, is as strict as JSON.parse. */
class Pieces {
  readonly #text: string
  readonly #pace: WorkPacer

  constructor(text: string, pace: WorkPacer) {
    this.#text = text
    this.#pace = pace
  }

  whole(root: Large): Promise<unknown> {
    const around = this.#text.slice(0, root.start) + this.#text.slice(root.end + 1)
    if (around.trim() !== '') throw new Error('more than one value')
    return this.#valueOf(root)
  }

  async #valueOf({ isList, start, end, commas, inside }: Large): Promise<unknown> {
    const items: unknown[] = []
    const entries: [string, unknown][] = []
    const add = async (from: number, to: number) => {
      if (from > to) return
      const piece = this.#text.slice(from, to)
      if (piece.trim() === '') throw new Error('a value is missing')
      if (isList) for (const item of JSON.parse(`[${piece}]`) as unknown[]) items.push(item)
      else entries.push(...Object.entries(JSON.parse(`{${piece}}`) as object))
      if (this.#pace.isDue(2 * piece.length)) await this.#pace.rest()
    }
    // Of the piece that is not parsed yet, and of its last item.
    let from = start + 1
    let last = start + 1
    const long = inside.values()
    let next = long.next().value
    for (const to of [...commas, end]) {
      const isLong = next !== undefined && next.start < to
      if (isLong || to - from > maxParseCharsPerTurn) {
        await add(from, last - 1)
        from = last
      }
      if (isLong) {
        // In place of what is long, to have its key parsed and all around it checked.
        const beside = `${this.#text.slice(from, next!.start)}null${this.#text.slice(next!.end + 1, to)}`
        const value = await this.#valueOf(next!)
        if (isList) items.push(...(JSON.parse(`[${beside}]`) as unknown[]).map(() => value))
        else entries.push(...Object.keys(JSON.parse(`{${beside}}`)).map((key): [string, unknown] => [key, value]))
        next = long.next().value
        from = to + 1
      }
      last = to + 1
    }
    await add(from, end)
    return isList ? items : Object.fromEntries(entries)
  }
}
