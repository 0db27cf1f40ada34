import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const script = join(import.meta.dirname, '..', 'ops/upgrade.sh')
const units = ['coffer-signer', 'coffer', 'coffer@second']

/** Two versions and three units that only note which version they run. */
function makeMachine(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-upgrade-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const each of ['bin', 'etc', 'units']) mkdirSync(join(folder, each))
  const program = (path: string, text: string) =>
    writeFileSync(join(folder, path), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  for (const release of ['old', 'new']) {
    mkdirSync(join(folder, release, 'node_modules/node/bin'), { recursive: true })
    // "broken" lists what does not answer: a unit and the version that it then runs, or a command.
    program(
      `${release}/node_modules/node/bin/node`,
      `for place; do :; done
case "$*" in *main.ts*) ! grep -qx "$place" ${folder}/broken; exit ;; esac
case $place in *:1) unit=coffer ;; *:2) unit=coffer@second ;; *) unit=coffer-signer ;; esac
! grep -qx "$unit $(basename "$(cat "${folder}/units/$unit")")" ${folder}/broken`,
    )
  }
  program(
    'bin/systemctl',
    `case $1 in
  list-units) printf 'coffer.service loaded active\\ncoffer@second.service loaded active\\n' ;;
  restart) if [ -e ${folder}/kill ]; then kill -9 $PPID; fi; readlink -f ${folder}/current > "${folder}/units/$2" ;;
esac`,
  )
  const setting = (file: string, text: string) => writeFileSync(join(folder, file), text)
  setting('etc/coffer.env', `COFFER_PORT=1\nCOFFER_SIGNER_SOCKET=${folder}/signer.sock\n`)
  setting('etc/second.env', 'COFFER_PORT=2\n')
  symlinkSync(join(folder, 'old'), join(folder, 'current'))
  for (const unit of units) setting(`units/${unit}`, join(folder, 'old'))
  /** Upgrades, while these do not answer. Returns the exit code and what it said. */
  const upgrade = async (to: string, ...broken: string[]) => {
    setting('broken', broken.map(each => `${each}\n`).join(''))
    const env = {
      PATH: `${folder}/bin:${process.env.PATH}`,
      COFFER_ETC: join(folder, 'etc'),
      COFFER_CURRENT_LINK: join(folder, 'current'),
      COFFER_READY_SECONDS: '0',
    }
    const ended = await run('sh', [script, join(folder, to)], { env }).catch(error => error)
    return {
      code: ended.code ?? ended.signal ?? 0,
      said: `${ended.stdout}${ended.stderr}`.replaceAll(`${folder}/`, ''),
    }
  }
  const nameOf = (path: string) => path.trim().slice(folder.length + 1)
  /** The version that the link names, and those that the units run. */
  const state = () =>
    [readlinkSync(join(folder, 'current')), ...units.map(unit => readFileSync(join(folder, 'units', unit), 'utf8'))]
      .map(nameOf)
      .join(' ')
  /** Has `systemctl restart` kill the script. */
  const killAtRestart = (isSet: boolean) => (isSet ? setting('kill', '') : rmSync(join(folder, 'kill')))
  return { upgrade, state, killAtRestart }
}

test('an upgrade restarts the signer and each server, and the same goes back', async t => {
  const { upgrade, state } = makeMachine(t)
  const { code, said } = await upgrade('new')
  assert.deepEqual([code, said.split('\n').slice(0, 3)], [0, units.map(unit => `${unit} runs new.`)])
  assert.equal(state(), 'new new new new')
  assert.equal((await upgrade('old')).code, 0)
  assert.equal(state(), 'old old old old')
})

test('nothing is touched when something does not answer before it, or the check or the migration fails', async t => {
  const { upgrade, state } = makeMachine(t)
  for (const [broken, words] of [
    ['coffer@second old', /coffer@second does not answer at 127\.0\.0\.1:2: mend that first/],
    ['coffer-signer old', /coffer-signer does not answer at signer\.sock: mend that first/],
    ['check', /^$/],
    ['migrate', /^$/],
  ] as const) {
    const { code, said } = await upgrade('new', broken)
    assert.equal(code, 1, broken)
    assert.match(said, words)
    assert.equal(state(), 'old old old old')
  }
})

test('what does not answer with the new version goes back, and the run says what runs which', async t => {
  const { upgrade, state } = makeMachine(t)
  const signer = await upgrade('new', 'coffer-signer new')
  assert.match(signer.said, /^coffer-signer does not answer with new\. Starting it with old again\.\n.* runs old again/)
  assert.deepEqual([signer.code, state()], [1, 'old old old old'])
  const first = await upgrade('new', 'coffer new')
  assert.match(first.said, /coffer runs old again\.\nStill with new, beside the former: coffer-signer\. That is safe/)
  assert.deepEqual([first.code, state()], [1, 'old new old old'])
  const second = await upgrade('new', 'coffer@second new')
  assert.match(second.said, /Still with new, beside the former: coffer-signer coffer\./)
  assert.deepEqual([second.code, state()], [1, 'old new new old'])
  const neither = await upgrade('new', 'coffer@second new', 'coffer new')
  assert.match(neither.said, /coffer does not answer at 127\.0\.0\.1:1: mend that first/)
  assert.equal((await upgrade('new')).code, 0)
  assert.equal(state(), 'new new new new')
})

test('a run that was interrupted is repeated, and knows what to go back to', async t => {
  const { upgrade, killAtRestart, state } = makeMachine(t)
  killAtRestart(true)
  assert.equal((await upgrade('new')).code, 'SIGKILL')
  killAtRestart(false)
  assert.equal(state(), 'new new old old')
  const { code, said } = await upgrade('new', 'coffer@second new')
  assert.match(
    said,
    /coffer@second does not answer with new\. Starting it with old again\.\ncoffer@second runs old again/,
  )
  assert.deepEqual([code, state()], [1, 'old new new old'])
})
