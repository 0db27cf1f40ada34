import { createHash } from 'node:crypto'
import { isCleanText } from '@coffer/contract/kit/texts.ts'
import { isEmail } from '@coffer/contract/kit/validators.ts'
import type { FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair } from 'jose'
import type { Provider } from 'oidc-provider'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { newSecret } from '../kit/secrets.ts'
import { openIdSignIn, type ThirdPartySignIn } from '../outside/third-party-sign-in.ts'
import { serveFile } from './files.ts'
import { MemoryAdapter } from './memory-adapter.ts'

const path = '/sandbox/oidc'
const clientId = 'coffer-sandbox'
/** Known to this process only, which is both the provider and its client. */
const clientSecret = newSecret()

/** The URL at which the server reaches itself, whatever host name the browser uses. */
const issuerOf = ({ host, port }: Config) =>
  `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}${path}`
const redirectUriOf = (config: Config) => `${config.publicUrl}${path}/done`

/** The sandbox's sign-in: the code of production, with a provider of our own. */
export const createSandboxSignIn = (config: Config): ThirdPartySignIn =>
  openIdSignIn({
    // It replaces Google, so that a sandbox and production store identities alike.
    id: 'google',
    issuer: issuerOf(config),
    clientId,
    clientSecret,
    redirectUri: redirectUriOf(config),
    scriptUrl: `${path}/client.js`,
    label: 'Sandbox',
    carriesProof: true,
    secret: config.secret,
    insecure: true,
  })

const person = z.strictObject({
  email: z.string().trim().toLowerCase().refine(isEmail),
  name: z.string().trim().max(64).refine(isCleanText).default(''),
})

/**
 * Mounts an OpenID provider at /sandbox/oidc/ and its sign-in page, which accepts any identity, at /sandbox/sign-in/.
 * /sandbox/oidc/client.js has the interface of Google's code client.
 */
export async function mountOidc(app: FastifyInstance, deps: Deps): Promise<void> {
  const people = new Map<string, z.infer<typeof person>>()
  let made: Promise<Provider> | undefined
  const provider = () => {
    made ??= makeProvider(deps.config, people)
    return made
  }
  const redirectUri = redirectUriOf(deps.config)
  serveFile(app, `${path}/client.js`, 'client.js', text => text.replace('REDIRECT_URI', redirectUri))
  serveFile(app, `${path}/done`, 'done.html')
  serveFile(app, `${path}/done.js`, 'done.js')
  serveFile(app, '/sandbox/sign-in/:uid', 'sign-in.html')
  serveFile(app, '/sandbox/sign-in.js', 'sign-in.js')

  await app.register(async scope => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    scope.post('/sandbox/sign-in/:uid', async (request, reply) => {
      const given = person.parse(request.body)
      const accountId = createHash('sha256').update(given.email).digest('hex').slice(0, 24)
      people.set(accountId, given)
      reply.header('cross-origin-opener-policy', 'unsafe-none')
      const { raw } = request
      return reply.redirect(await (await provider()).interactionResult(raw, reply.raw, { login: { accountId } }), 303)
    })
  })
  await app.register(async scope => {
    // The provider parses bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all(`${path}/*`, async (request, reply) => {
      const answer = (await provider()).callback()
      // The COOP header of a redirect can sever the popup from its opener, which would then consider it closed.
      reply.raw.setHeader('cross-origin-opener-policy', 'unsafe-none')
      reply.hijack()
      const url = request.raw.url ?? ''
      void answer(Object.assign(request.raw, { originalUrl: url, url: url.slice(path.length) }), reply.raw)
    })
  })
}

/** Its modules are loaded at the first sign-in. */
async function makeProvider(config: Config, people: Map<string, z.infer<typeof person>>): Promise<Provider> {
  const { Provider } = await import('oidc-provider')
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const scope = 'openid email profile'
  return new Provider(issuerOf(config), {
    adapter: MemoryAdapter,
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'sandbox' }] },
    cookies: { keys: [newSecret()] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUriOf(config)],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    scopes: scope.split(' '),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Put the claims into the ID token: there is no userinfo endpoint.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, userinfo: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/sandbox/sign-in/${interaction.uid}` },
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 3_600, IdToken: 300, Interaction: 3_600, Session: 3_600 },
    findAccount: (_ctx, accountId) => {
      const found = people.get(accountId)
      return found && { accountId, claims: () => ({ sub: accountId, ...found, email_verified: true }) }
    },
    // Signing in implies consent.
    loadExistingGrant: async ctx => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope(scope)
      await grant.save()
      return grant
    },
    renderError: (ctx, out) => {
      ctx.type = 'text/plain'
      ctx.body = `${out.error}: ${out.error_description ?? ''}\n`
    },
  })
}
