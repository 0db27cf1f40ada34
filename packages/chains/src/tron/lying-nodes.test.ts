import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isFull, volume } from '@coffer/local/testing/full.ts'
import { allHows, type How } from '../testing/field-lies.ts'
import {
  followTron,
  liveTronLies,
  makeTronChain,
  type TronLiar,
  tronPlaces,
  tronTelling,
} from '../testing/tron-lies.ts'
import { TRON_ANSWER_SHAPES } from './fields.ts'

/** Three nodes of which one lies. */
const at = (place: number, liar: TronLiar) => [0, 1, 2].map(each => (each === place ? liar : null))

/** Lies are made from the declaration by which answers are read, so a new field is lied about without a word here. */
suite('a node of TRON that lies in every field of an answer', () => {
  const chain = makeTronChain(0)
  const fields = tronPlaces(chain)

  test('beside two honest nodes nothing is lost, doubled, invented, misdated or stopped', async () => {
    // Each field in turn is lied about in one way; by default each third of them.
    const lied = fields.filter((_, i) => isFull() || i % 3 === 0)
    for (const [i, { about, place }] of lied.entries()) {
      const how = allHows[i % allHows.length]!
      const run = { catchingUp: i % 2 === 0, nodes: at(i % 3, tronTelling(about, { place, how })) }
      await followTron(chain, run).catch(error => assert.fail(`${about} ${place.name} ${how}: ${error.message}`))
    }
  })

  test('every answer that is declared is lied about', () => {
    const about = new Set(fields.map(each => each.about))
    assert.deepEqual(
      Object.keys(TRON_ANSWER_SHAPES).filter(name => !about.has(name)),
      [],
    )
  })

  const once: [what: string, about: keyof typeof TRON_ANSWER_SHAPES, name: string, how: How][] = [
    ['decides the price of energy', '/wallet/getchainparameters', '.chainParameter[].value', 'number'],
    ['decides how much energy there is', '/wallet/getaccountresource', '.EnergyLimit', 'zero'],
    ['decides how much can be lent', '/wallet/getcandelegatedmaxsize', '.max_size', 'missing'],
    [
      'holds up a payout that is in no block',
      '/walletsolidity/getnowblock',
      '.block_header.raw_data.timestamp',
      'less',
    ],
  ]
  for (const [what, about, name, how] of once)
    test(`it never ${what}`, async () => {
      const { place } = fields.find(each => each.about === about && each.place.name === name)!
      await followTron(chain, { catchingUp: true, nodes: at(0, tronTelling(about, { place, how })) })
    })

  test('a node that is on its own with logs does not get another one blamed', () => liveTronLies(194))

  test('what most nodes tell and no root covers is believed: lies reach what is compared', async () => {
    const believed: [about: string, name: string, how: How][] = [
      ['/wallet/gettransactioninfobyblocknum', '[].log', 'list'],
      ['/wallet/gettransactioninfobyid', '.fee', 'more'],
      ['/wallet/getchainparameters', '.chainParameter[].value', 'more'],
    ]
    for (const [about, name, how] of believed) {
      const all = tronPlaces(chain, false).filter(each => each.about === about && each.place.name === name)
      const lies = all.map(({ place }) => tronTelling(about, { place, how }))
      const liar: TronLiar = (what, answer, other) => lies.reduce((told, lie) => lie(what, told, other), answer)
      await assert.rejects(followTron(chain, { catchingUp: false, nodes: [liar, liar, null] }), `${about} ${name}`)
    }
  })

  test('a block is read once, and what no root covers of it from two nodes of three that agree', async () => {
    const read = chain.blocks.length - 1
    const paid = chain.blocks.filter(each => each.infos.length > 0).length
    const of = async (nodes: (TronLiar | null)[]) => (await followTron(chain, { catchingUp: false, nodes })).calls
    const honest = await of([null, null, null])
    assert.equal(honest.get('/wallet/getblockbyid'), read)
    assert.equal(honest.get('/wallet/gettransactioninfobyblocknum'), 2 * paid)
    // Where the second differs from what the first told when the block was seen, the third decides.
    const hides: TronLiar = (what, answer) =>
      what === '/wallet/gettransactioninfobyblocknum'
        ? (answer as object[]).map(each => ({ ...each, log: [] }))
        : answer
    const lyingNode = await of([null, hides, null])
    assert.ok(lyingNode.get('/wallet/gettransactioninfobyblocknum')! > 2 * paid)
  })

  test('seeds: one of three nodes lies in every answer', async () => {
    for (let seed = 1; seed <= volume(7, 20); seed++)
      await liveTronLies(seed).catch(error => assert.fail(`seed ${seed}: ${error.message}`))
  })
})
