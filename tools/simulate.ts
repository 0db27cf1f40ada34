/**
 * `npm run simulate -- --seeds 1000 [--first 1]`: simulates payments, chains, nodes and crashes, and verifies the money
 * after each seed. `--seed 17` replays one and prints its steps. `--guards` removes the product's guards one at a time
 * and verifies that the simulation notices; `--only <name>` selects guards. `--lies 1000 [--first 1]` lets nodes lie in
 * every field, without a database. See docs/simulation.md.
 */
import { parseArgs } from 'node:util'
import { simulate } from '../apps/server/src/testing/simulation/simulate.ts'
import { liveLies } from '../packages/chains/src/testing/lie-seeds.ts'
import { liveTronLies } from '../packages/chains/src/testing/tron-lies.ts'
import { runSeeds } from './simulate/run-seeds.ts'
import { showGuards } from './simulate/show-guards.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    first: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string' },
    lies: { type: 'string' },
    guards: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})

const number = (text: string) => {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  console.error(`not a positive integer: ${text}`)
  process.exit(2)
}

const workers = number(values.workers)
if (values.seed !== undefined) process.exitCode = await replay(number(values.seed))
else if (values.lies !== undefined) process.exitCode = await lie(number(values.first), number(values.lies))
else if (values.guards) process.exitCode = await showGuards(workers, values.only)
else process.exitCode = await runSeeds(number(values.first), number(values.seeds), workers)

/** Runs one seed and prints each step. Returns the exit code. */
async function replay(seed: number): Promise<number> {
  let count = 0
  const onStep = (name: string) => console.log(`${String(++count).padStart(4)} ${name}`)
  try {
    await simulate(seed, { onStep })
    console.log(`seed ${seed} is clean`)
    return 0
  } catch (error) {
    console.log((error as Error).message)
    console.log((error as Error & { cause?: Error }).cause?.stack)
    return 1
  }
}

/** Runs seeds in which nodes lie in every field, and prints those that fail. Returns the exit code. */
async function lie(first: number, count: number): Promise<number> {
  let clean = 0
  for (let seed = first; seed < first + count; seed++)
    try {
      await liveLies(seed)
      await liveTronLies(seed)
      clean++
    } catch (error) {
      console.log(`FAIL seed ${seed}: ${(error as Error).message}`)
    }
  console.log(`${clean} of ${count} seeds clean, from ${first} on`)
  return clean === count ? 0 : 1
}
