import { simulate } from '../../apps/server/src/testing/simulation/simulate.ts'

/** Runs one seed and prints each step. Returns the exit code. */
export async function replay(seed: number): Promise<number> {
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
