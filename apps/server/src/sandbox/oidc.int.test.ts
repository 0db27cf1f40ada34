import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { readConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { SignInRequest, ThirdPartySignIn } from '../outside/third-party-sign-in.ts'
import { createSandboxSignIn, mountOidc } from './oidc.ts'

let app: FastifyInstance
let signIn: ThirdPartySignIn
let base: string

before(async () => {
  const port = await freePort()
  const config = readConfig({ COFFER_PORT: String(port) })
  base = config.publicUrl
  signIn = createSandboxSignIn(config)
  app = fastify()
  await mountOidc(app, { config } as Deps)
  await app.listen({ port, host: '127.0.0.1' })
})
after(() => app.close())

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** A minimal HTTP client that keeps cookies with their paths; the test follows redirects itself. */
function browser() {
  const cookies = new Map<string, { value: string; path: string }>()
  return async (url: string, form?: Record<string, string>) => {
    const { pathname } = new URL(url, base)
    const answer = await fetch(new URL(url, base), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        cookie: [...cookies]
          .filter(([, cookie]) => pathname.startsWith(cookie.path))
          .map(([name, cookie]) => `${name}=${cookie.value}`)
          .join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, { value, path: /path=([^;]+)/i.exec(line)?.[1] ?? '/' })
    }
    return answer
  }
}

async function signInAs(
  email: string,
  name: string,
  requested = signIn.begin(),
  state = 's',
): Promise<URLSearchParams> {
  const go = browser()
  const query = new URLSearchParams({
    client_id: signIn.clientId,
    scope: 'openid email profile',
    response_type: 'code',
    redirect_uri: `${base}/sandbox/oidc/done`,
    prompt: 'login',
    state,
    nonce: requested.nonce,
    code_challenge: requested.code_challenge,
    code_challenge_method: 'S256',
  })
  const started = await go(`/sandbox/oidc/auth?${query}`)
  assert.equal(started.status, 303)
  const page = started.headers.get('location')!
  const shown = await go(page)
  assert.equal(shown.status, 200)
  assert.match(shown.headers.get('content-security-policy')!, /script-src 'self'/)
  const posted = await go(page, { email, name })
  assert.equal(posted.status, 303)
  const resumed = await go(posted.headers.get('location')!)
  assert.equal(resumed.status, 303)
  const done = new URL(resumed.headers.get('location')!)
  assert.equal(done.origin + done.pathname, `${base}/sandbox/oidc/done`)
  for (const step of [started, shown, posted, resumed])
    assert.equal(step.headers.get('cross-origin-opener-policy'), 'unsafe-none')
  assert.equal((await go(done.href)).status, 200)
  return done.searchParams
}

test('ends a popup sign-in with a code that can be exchanged once', async () => {
  const requested = signIn.begin()
  const done = await signInAs('Ann@Example.com', 'Ann', requested, 'abc.http://localhost')
  assert.equal(done.get('state'), 'abc.http://localhost')
  const code = done.get('code')!
  const identity = await signIn.exchange(code, requested.state)
  assert.deepEqual(
    { ...identity, subject: '' },
    { provider: 'google', subject: '', email: 'ann@example.com', emailVerified: true, name: 'Ann' },
  )
  await assert.rejects(signIn.exchange(code, requested.state), 'a code works once')
  const again = await signIn.exchange(
    (await signInAs('ann@example.com', 'Other', requested)).get('code')!,
    requested.state,
  )
  assert.equal(again.subject, identity.subject, 'the subject is stable')
})

test('refuses the code of another sign-in, and a state that it did not make', async () => {
  const mine = signIn.begin()
  const other = signIn.begin()
  const codeOf = async (requested: SignInRequest) => (await signInAs('ann@example.com', 'Ann', requested)).get('code')!
  // Injected by an attacker who signed in himself: PKCE binds the code to the state.
  await assert.rejects(signIn.exchange(await codeOf(other), mine.state))
  // The challenge of one sign-in with the nonce of another.
  const mixed = { ...mine, nonce: other.nonce }
  await assert.rejects(signIn.exchange(await codeOf(mixed), mine.state), /another sign-in/)
  for (const state of ['', 'x', `9${mine.state}`, mine.state.slice(0, -1), mine.state.replace(/^\d+/, '1')])
    await assert.rejects(signIn.exchange(await codeOf(mine), state), /not ours/)
  assert.equal((await signIn.exchange(await codeOf(mine), mine.state)).email, 'ann@example.com')
})

test('refuses a sign-in without PKCE', async () => {
  const query = new URLSearchParams({
    client_id: signIn.clientId,
    scope: 'openid',
    response_type: 'code',
    redirect_uri: `${base}/sandbox/oidc/done`,
  })
  const answer = await browser()(`/sandbox/oidc/auth?${query}`)
  assert.match(answer.headers.get('location') ?? '', /error=invalid_request/)
})

test('refuses invalid codes and invalid email addresses', async () => {
  await assert.rejects(signIn.exchange('not-a-code', signIn.begin().state))
  const go = browser()
  const query = new URLSearchParams({
    client_id: signIn.clientId,
    scope: 'openid email',
    response_type: 'code',
    redirect_uri: `${base}/sandbox/oidc/done`,
    code_challenge: signIn.begin().code_challenge,
    code_challenge_method: 'S256',
  })
  const page = (await go(`/sandbox/oidc/auth?${query}`)).headers.get('location')!
  assert.notEqual((await go(page, { email: 'nobody', name: '' })).status, 303)
  assert.notEqual((await go(page, { email: 'a@example.com', name: 'x', admin: '1' })).status, 303)
})

test('refuses any redirect URI but its own', async () => {
  const go = browser()
  const query = new URLSearchParams({
    client_id: signIn.clientId,
    scope: 'openid',
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:9/elsewhere',
  })
  const answer = await go(`/sandbox/oidc/auth?${query}`)
  assert.equal(answer.status, 400)
  assert.equal(answer.headers.get('location'), null)
})

test('serves the client script with the redirect URI filled in', async () => {
  const script = await (await fetch(`${base}${signIn.scriptUrl}`)).text()
  assert.ok(script.includes(`'${base}/sandbox/oidc/done'`))
  assert.ok(!script.includes('REDIRECT_URI'))
})
