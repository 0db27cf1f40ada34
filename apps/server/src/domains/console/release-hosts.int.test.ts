import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Deps } from '../../deps.ts'
import { SignerUnavailable } from '../../signer/client.ts'
import { testOperator } from '../../testing/operators.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { makeConsoleApp } from './app.ts'

const world = await withdrawalWorld({ after }, { config: { operatorUrl: 'https://new.example' } })
const { deps, owner } = world

test('a payout is not offered for a release that the signer would refuse: its passkeys are of another host', async t => {
  const id = await world.withdraw('10')
  await owner.query(`update withdrawals set reason = 'signer: passkey_required' where id = $1`, [id])
  const { token } = await testOperator(deps, 'finance')
  const ask = async (releaseSites: Deps['signer']['releaseSites']) => {
    const app = await makeConsoleApp({ ...deps, signer: { ...deps.signer, releaseSites } })
    t.after(() => app.close())
    const url = `/api/operator/v1/releases/withdrawal/${id}`
    return (await app.inject({ url, headers: { 'x-token': token } })).json()
  }
  const site = (host: string, chain = 'eth') => ({ chain, rpId: host, origin: `https://${host}`, keys: 1 })
  const { code, data } = await ask(async () => [site('old.example', 'bsc'), site('new.example')])
  assert.deepEqual([code, data.options.rpId], [200, 'new.example'])
  const refused = await ask(async () => [site('old.example')])
  assert.equal(refused.code, 10145)
  assert.match(refused.msg, /policy names passkeys made at https:\/\/old\.example.*policy\.json/)
  const otherPort = await ask(async () => [{ ...site('new.example'), origin: 'https://new.example:8443' }])
  assert.equal(otherPort.code, 10145, 'the signer compares the origin, too')
  const silent = await ask(async () => {
    throw new SignerUnavailable('down')
  })
  assert.equal(silent.code, 503)
})
