import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ethereum } from '@coffer/chains'
import { SignerClient } from './client.ts'
import { prepareSandboxSigner } from './start.ts'

/** Ids without accounts: the signer, a server in its group, and a user outside it. */
const owner = 64_001
const server = 64_002
const stranger = 64_003
const asks = `require('node:net').connect(process.argv[1]).on('error', e => console.log(e.code)).on('data', d => { console.log(String(d)); process.exit() })
  .write('{"id":1,"op":"hot","kind":"evm"}\\n')`

const main = join(import.meta.dirname, 'main.ts')

/** Whether this process can start the signer as another user, who must be able to read it. */
function canSwitch(): boolean {
  const reads = ['-e', 'require("node:fs").readFileSync(process.argv[1])', main]
  try {
    return process.getuid?.() === 0 && !!execFileSync(process.execPath, reads, { uid: owner, gid: owner, cwd: '/' })
  } catch {
    return false
  }
}

test('a signer that runs as another user answers whoever is in the group of its socket, and keeps its files to itself', async t => {
  const isOther = canSwitch()
  const home = mkdtempSync(join(tmpdir(), 'coffer-test-shared-'))
  chmodSync(home, 0o755)
  const folder = join(home, 'signer')
  const run = join(home, 'run')
  await prepareSandboxSigner(folder, [ethereum])
  mkdirSync(run)
  if (isOther)
    for (const each of [folder, run, ...readdirSync(folder).map(name => join(folder, name))])
      chownSync(each, owner, owner)
  const socket = join(run, 'signer.sock')
  const child = spawn(process.execPath, [main, folder, '--child'], {
    env: { ...process.env, COFFER_SIGNER_SOCKET: socket },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(isOther && { uid: owner, gid: owner }),
  })
  t.after(async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(home, { recursive: true })
  })
  const [line] = await once(child.stdout, 'data')
  assert.equal(String(line), `ready ${socket}\n`)
  assert.equal(statSync(socket).mode & 0o777, 0o660)
  const client = new SignerClient(socket)
  t.after(() => client.close())
  const hot = await client.hot('evm')
  assert.match(hot, /^0x[0-9a-f]{40}$/)
  if (!isOther) return
  assert.equal(statSync(join(folder, 'signed.jsonl')).uid, owner)
  const ask = async (uid: number, gid: number) =>
    (await promisify(execFile)(process.execPath, ['-e', asks, socket], { uid, gid, cwd: '/' })).stdout
  assert.deepEqual(JSON.parse(await ask(server, owner)), { id: 1, result: hot })
  assert.equal((await ask(stranger, stranger)).trim(), 'EACCES')
  const reads = promisify(execFile)('/bin/cat', [join(folder, 'seed.json')], { uid: server, gid: owner, cwd: '/' })
  await assert.rejects(reads, /Permission denied/)
})
