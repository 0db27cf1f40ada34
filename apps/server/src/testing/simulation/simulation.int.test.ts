import { test } from 'node:test'
import { simulate } from './simulate.ts'

// `npm run simulate` runs the same simulation with any number of seeds.
for (let seed = 1; seed <= 20; seed++) {
  test(`seed ${seed}: each transfer on the chain is credited exactly once and the ledger balances`, async () => {
    await simulate(seed)
  })
}
