import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeConsoleApp } from '../domains/console/app.ts'
import { makeApp } from '../serve.ts'
import { makeTestDeps, withDeps } from '../testing/deps.ts'
import { isOwnHost } from './own-host.ts'

const deps = await withDeps({ after }, { config: { operatorUrl: 'https://console.example' } })

test('takes addresses, its own name and names that nobody can register for its own', () => {
  const own = ['127.0.0.1:8081', '192.168.1.7', '[::1]:8081', 'localhost', 'coffer:8080', 'host.docker.internal:80']
  for (const host of [...own, 'a.localhost', 'Console.Example', 'console.example:8443'])
    assert.equal(isOwnHost(host, 'https://console.example'), true, host)
  const others = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'console.example.evil', '', 'a b']
  for (const host of [...others, undefined, 'x@evil.example', 'evil.example/localhost', 'localhost.'])
    assert.equal(isOwnHost(host, 'https://console.example'), false, host)
})

test('the console and the sandbox answer no page that was led here by its own name', async t => {
  const sandboxDeps = makeTestDeps({ pool: deps.pool, config: { mode: 'sandbox', publicUrl: 'http://127.0.0.1:8080' } })
  const [console, sandbox, production] = await Promise.all([makeConsoleApp(deps), makeApp(sandboxDeps), makeApp(deps)])
  t.after(() => Promise.all([console.close(), sandbox.close(), production.close()]))
  const ask = async (app: typeof console, url: string, host: string) =>
    (await app.inject({ url, headers: { host, accept: 'text/html' }, remoteAddress: '127.0.0.1' })).statusCode
  for (const url of ['/', '/healthz', '/api/v1/operator/session', '/nothing'])
    assert.equal(await ask(console, url, 'evil.example'), 421, url)
  assert.equal(await ask(sandbox, '/api/v1/public/config', 'evil.example'), 421)
  assert.equal(await ask(sandbox, '/healthz', 'localhost:8080'), 200)
  assert.notEqual(await ask(console, '/', 'console.example'), 421)
  assert.equal(await ask(production, '/healthz', 'pay.other.example'), 200, 'payers come by any name of the proxy')
})
