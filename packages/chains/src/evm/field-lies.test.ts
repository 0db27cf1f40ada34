import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isFull, volume } from '@coffer/local/testing/full.ts'
import { toHex } from '../hex.ts'
import { allHows, type How, withLie } from '../testing/field-lies.ts'
import { liveLies } from '../testing/lie-seeds.ts'
import { follow, type Liar, makeChain, placesOf, type Run, telling } from '../testing/lying-nodes.ts'
import { verifiedReader } from './content.ts'
import type { SignedTransaction } from './decoding.ts'
import type { JsonObject } from './encoding.ts'

const textOf = (parts: readonly { bytes: Uint8Array }[]) => parts.map(({ bytes }) => toHex(bytes)).join()

const at = (place: number, liar: Run['nodes'][number]) => [0, 1, 2].map(each => (each === place ? liar : null))

const chain = await makeChain(0)

/** Lies are made from the declaration by which answers are read, so a new field is lied about without a word here. */
suite('lies in every field of an answer', () => {
  const fields = [...new Map(placesOf(chain).map(each => [`${each.receipts} ${each.place.name}`, each])).values()]
  const read = chain.blocks[2]!
  const other = chain.blocks[3]!

  test('a verified block is read as it is, or not at all', async () => {
    const header = verifiedReader.header(read.block)
    const transactions = read.block.transactions as JsonObject[]
    const receipts = read.receipts
    const block = { header, transactions: await verifiedReader.transactions(header, transactions) }
    /** The bytes from which everything in this part of a block is read. */
    const part = async (name: string, isReceipts: boolean, answer: JsonObject & JsonObject[]): Promise<string> => {
      if (isReceipts) return textOf((await verifiedReader.receipts(block, answer)).receipts)
      if (!name.startsWith('.transactions')) return verifiedReader.header(answer).hash
      return textOf((await verifiedReader.transactions(header, answer.transactions)) as SignedTransaction[])
    }
    let refused = 0
    // That an answer is about the block that was requested is seen by following, below.
    for (const { receipts: isReceipts, place } of fields.filter(each => each.place.name !== '')) {
      const [truth, about] = isReceipts ? [receipts, other.receipts] : [read.block, other.block]
      const wanted = await part(place.name, isReceipts, truth as JsonObject & JsonObject[])
      for (const how of allHows) {
        const lie = withLie(truth, { place, how }, about) as JsonObject & JsonObject[]
        const found = await part(place.name, isReceipts, lie).catch(() => null)
        if (found === null) refused++
        else assert.ok(found === wanted, `${place.name} ${how}`)
      }
    }
    assert.ok(fields.length > 200 && refused > 2_000, `${refused} of ${fields.length * allHows.length} refused`)
  })

  test('beside two honest nodes nothing is lost, doubled, invented, misdated or stopped', async () => {
    // Each field in turn is lied about in one way; by default each third of them.
    const lied = fields.filter((_, i) => isFull() || i % 3 === 0)
    for (const [i, { receipts, place }] of lied.entries()) {
      const how = allHows[i % allHows.length]!
      const run = {
        roots: i % 2 === 0,
        catchingUp: i % 4 < 2,
        nodes: at(i % 3, telling({ receipts, lie: { place, how } })),
      }
      await follow(chain, run).catch(error => assert.fail(`${place.name} ${how}: ${error.message}`))
    }
  })

  test('without roots a node that names unknown transactions does not stop the others', async () => {
    const { receipts, place } = fields.find(({ place }) => place.name === '.transactions[](4).hash')!
    for (const catchingUp of [false, true])
      await follow(chain, {
        roots: false,
        catchingUp,
        nodes: at(0, telling({ receipts, lie: { place, how: 'more' } })),
      })
  })

  test('without roots a node that puts transactions into an empty block gets no other node blamed for receipts', async () => {
    const filling: Liar = (_, answer, other) => {
      const { transactions } = (answer ?? {}) as { transactions?: unknown[] }
      return transactions?.length === 0
        ? { ...(answer as object), transactions: (other as JsonObject).transactions }
        : answer
    }
    for (const catchingUp of [false, true])
      for (const place of [0, 1, 2]) await follow(chain, { roots: false, catchingUp, nodes: at(place, filling) })
  })

  test('a node that names another number of a block gets no other node blamed, and hides no receipt', async () => {
    const { receipts, place } = fields.find(({ place }) => place.name === '[].blockNumber')!
    const named = placesOf(chain).filter(each => each.receipts && each.place.name === place.name)
    for (const roots of [true, false])
      for (const { place } of named.slice(-2))
        await follow(chain, {
          roots,
          catchingUp: false,
          nodes: at(0, telling({ receipts, lie: { place, how: 'more' } })),
        })
  })

  test('what most nodes tell without roots is believed: lies reach what is compared', async () => {
    const believed: [name: string, how: How][] = [
      ['[].logs[].data', 'more'],
      ['[].logs', 'list'],
      ['[].status', 'zero'],
      ['.timestamp', 'more'],
    ]
    for (const [name, how] of believed) {
      const places = placesOf(chain).filter(({ place }) => place.name === name)
      const { receipts, place } = places.at(-1)!
      const liar = telling({ receipts, lie: { place, how } })
      await assert.rejects(
        follow(chain, { roots: false, catchingUp: false, nodes: [liar, liar, null] }),
        `${name} ${how}`,
      )
    }
  })

  test('seeds: nodes lie in every answer, also two of three about what blocks hold', async () => {
    for (let seed = 1; seed <= volume(7, 20); seed++)
      await liveLies(seed).catch(error => assert.fail(`seed ${seed}: ${error.message}`))
  })
})
