import { join } from 'node:path'
import { createBackupKey } from '@coffer/server/backup/encryption.ts'
import { openReadableBackup, restoreDatabase } from '@coffer/server/backup/restore-backup.ts'
import { writeBackup } from '@coffer/server/backup/write-backup.ts'
import type { Deps } from '@coffer/server/deps.ts'
import { bindInstallation } from '@coffer/server/domains/installation/fingerprints.ts'
import { releaseCopy } from '@coffer/server/domains/installation/hold-copy.ts'
import { runSendingPass } from '@coffer/server/domains/outgoing/jobs.ts'
import { walletOfRole } from '@coffer/server/domains/outgoing/store.ts'
import { resumeWallets } from '@coffer/server/domains/outgoing/wallets.ts'
import { readCopyHold } from '@coffer/server/kit/copy-switch.ts'
import { appRoleConnectionOptions } from '@coffer/server/migrations/app-role.ts'
import { makeFileAddressIndexMark } from '@coffer/server/outside/address-index-mark.ts'
import { SignerRefused } from '@coffer/server/signer/client.ts'
import { SigningRecord } from '@coffer/server/signer/record.ts'
import { answerSignerRequest } from '@coffer/server/signer/service.ts'
import { catchUp } from '@coffer/server/testing/followed.ts'
import { type PayoutWorld, payoutWorld, settle } from '@coffer/server/testing/payout-world.ts'
import pg from 'pg'
import type { Drill, DrillFigure, DrillPart } from './part.ts'
import { startArchivedPostgres } from './pgbackrest.ts'

const usdt = 1_000_000n

/** A backup restored beside the original, with a signer of the same keys, and both run on one chain. */
export const copyDrill: DrillPart = {
  what: 'a backup is restored beside the original, and both run at once with the same keys',
  async run(drill) {
    const { url } = await startArchivedPostgres(drill)
    process.env.COFFER_TEST_PG = url
    const w = await payoutWorld({ after: drill.after })
    const original = { ...w.deps, addressMark: makeFileAddressIndexMark(join(drill.folder, 'original')) }
    await bindInstallation(original)
    const first = await w.ask()
    await settle(w)
    const due = [await w.ask(), await w.ask(), await w.ask()] as const
    const copy = await restoreBeside(drill, w, url)
    await bindInstallation(copy.deps)
    const hold = (await readCopyHold(copy.deps.pool))?.reason ?? ''
    drill.log(`the copy: ${hold}`)

    // The third is not asked of the original yet.
    await w.deps.owner.query('update test_payouts set due = false where id = $1', [due[2].id])
    for (let round = 0; round < 4; round++) await Promise.all([settle(w), copy.pass()])
    const signed = copy.signed()
    const halted = (await walletOfRole(copy.deps.pool, w.definition.id, 'hot'))?.halted ?? ''
    drill.log(`the wallet of the copy: ${halted}`)

    // An operator who is wrong: the original runs, and the copy pays again what waits for a person.
    await releaseCopy(copy.deps)
    await resumeWallets(copy.deps, w.definition.id)
    await copy.deps.pool.query('update test_payouts set due = true where id = $1', [due[2].id])
    await w.deps.owner.query('update test_payouts set due = true where id = $1', [due[2].id])
    for (let round = 0; round < 6; round++) await Promise.all([w.pass(), copy.pass()]).then(() => w.mine())
    await w.confirm()
    const received = await Promise.all([first, ...due].map(each => w.balance(each.to)))
    const most = received.toSorted((a, b) => Number(b - a))[0]!
    return [
      { what: 'the copy is held', value: hold, limit: 'held', holds: hold !== '' },
      { what: 'signed by it while the original paid', value: String(signed), limit: '0', holds: signed === 0 },
      { what: 'its wallet', value: halted.split(' ')[0]!, limit: 'halted', holds: halted !== '' },
      {
        what: 'payouts that arrived',
        value: `${received.filter(each => each > 0n).length} of 4`,
        limit: 'all',
        holds: received.every(each => each > 0n),
      },
      {
        what: 'most that a receiver got, also after a wrong release',
        value: `${most / usdt} USDT`,
        limit: '5, once',
        holds: most === 5n * usdt,
      },
    ] satisfies DrillFigure[]
  },
}

/** Backs the shop up, and restores it into another database, with a signer whose record is empty. */
async function restoreBeside(drill: Drill, w: PayoutWorld, url: string) {
  const { identity, recipient } = await createBackupKey()
  const keys = { recipients: [recipient], identities: [identity], passphrase: '' }
  const file = join(drill.folder, 'shop.age')
  const ownerUrl = url.replace(/\/postgres$/, '/copy')
  const common = { file, keys, programs: '' }
  const now = Math.floor(Date.now() / 1_000)
  const source = url.replace(/\/postgres$/, `/${new URL(w.deps.url).pathname.slice(1)}`)
  await writeBackup({ ...common, databaseUrl: source, signerFolder: '', settings: {}, chainsFile: '', now })
  const superuser = new pg.Client({ connectionString: url })
  await superuser.connect()
  await superuser.query('create database copy').finally(() => superuser.end())
  const faults = await restoreDatabase(await openReadableBackup({ ...common, expected: [] }, ownerUrl), ownerUrl)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 4, options: appRoleConnectionOptions })
  pool.on('error', () => {})
  drill.after(() => pool.end())
  const { signer, signed } = copySigner(drill, w)
  const deps: Deps = {
    ...w.deps,
    pool,
    pools: { jobs: pool, chains: pool, probes: pool },
    signer,
    addressMark: makeFileAddressIndexMark(join(drill.folder, 'copy')),
  }
  const owners = { withdrawal: w.owners.withdrawal! }
  const refusals = new Map<string, number>()
  const pass = async () => {
    await catchUp(deps, w.chain)
    await runSendingPass(deps, w.chain, owners, refusals)
  }
  return { deps, pass, signed }
}

/** A signer with the keys and the policy of the original's, whose record knows nothing. */
function copySigner({ folder, after }: Drill, { signer }: PayoutWorld) {
  const record = new SigningRecord(join(folder, 'signed.jsonl'), 0)
  after(() => record.close())
  let signed = 0
  const sign: Deps['signer']['sign'] = async request => {
    const line = JSON.stringify({ id: 1, op: 'sign', request })
    const answer = await answerSignerRequest(
      { keys: signer.keys, policy: signer.policy, record, now: signer.now },
      line,
    )
    if ('refused' in answer) throw new SignerRefused(answer.refused)
    signed += 1
    return answer.result as Awaited<ReturnType<Deps['signer']['sign']>>
  }
  return { signer: { ...signer, sign }, signed: () => signed }
}
