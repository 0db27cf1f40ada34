import { test } from 'node:test'
import { simulate } from './simulate.ts'

// `npm run simulate` runs any number of seeds; what these run is the same.
for (let seed = 1; seed <= 20; seed++) {
  test(`seed ${seed}: whatever happens, what is on the chain is credited once and the books agree`, async () => {
    await simulate(seed)
  })
}
