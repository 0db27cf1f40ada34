/**
 * `npm run bench [-- <name>...]`: measures performance, each figure compared with a peer or limit in the same run.
 * `--rows 10000000` sets the number of payments that `backup`, `records` and `upgrade` create first, and of postings
 * that `flow` does, and `--keep <folder>` keeps and reuses them.
 */
import { parseArgs } from 'node:util'
import { answers } from './answers.ts'
import { backup } from './backup.ts'
import { bytes } from './bytes.ts'
import { create } from './create.ts'
import { credit } from './credit.ts'
import { crowd } from './crowd.ts'
import { makeRecords, warmBuffers } from './data.ts'
import { exported } from './export.ts'
import { expressions } from './expressions.ts'
import { type Figure, type Scope, scoped } from './figure.ts'
import { flow } from './flow.ts'
import { follow } from './follow.ts'
import { list } from './list.ts'
import { listHttp } from './list-http.ts'
import { lists } from './lists.ts'
import { page } from './page.ts'
import { payoutBench } from './payouts.ts'
import { phone } from './phone.ts'
import { proof } from './proof.ts'
import { rest } from './rest.ts'
import { search } from './search.ts'
import { slowNodes } from './slow-nodes.ts'
import { tabs } from './tabs.ts'
import { takeover } from './takeover.ts'
import { upgrade } from './upgrade.ts'
import { verify } from './verify.ts'

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    keep: { type: 'string' },
  },
})
const benches: Record<string, (here: Scope) => Promise<Figure[]>> = {
  answers,
  backup: here => backup(here, Number(values.rows)),
  bytes,
  create,
  credit,
  crowd,
  expressions,
  flow: here => flow(here, Number(values.rows), values.keep),
  follow,
  lists,
  page,
  payouts: payoutBench,
  phone,
  proof,
  rest,
  'slow-nodes': slowNodes,
  tabs,
  takeover,
  upgrade: here => upgrade(here, Number(values.rows), values.keep),
  verify,
  records: async here => {
    const records = await makeRecords(here, Number(values.rows), values.keep)
    await warmBuffers(records)
    return [...(await list(records)), ...(await listHttp(here, records)), ...(await exported(here, records))]
  },
  // Apart from `records`: it names the payments.
  search: async here => {
    const records = await makeRecords(here, Number(values.rows), values.keep)
    await warmBuffers(records)
    return search(records)
  },
}

for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${name}`)
  for (const { what, value, comparison, holds } of await scoped(bench)) {
    const verdict = holds === undefined ? '' : holds ? ' | met' : ' | NOT MET'
    console.log(`  ${what.padEnd(52)} ${value.padStart(12)}   ${comparison}${verdict}`)
  }
}
process.exit()
