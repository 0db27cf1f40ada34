import { createHash, timingSafeEqual } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { allowInsecureRequests, type Configuration, discovery, genericGrantRequest } from 'openid-client'
import type { Config } from '../config.ts'
import { hashCode, newSecret } from '../kit/secrets.ts'

/**
 * The identity a third-party sign-in vouches for. `subject` is stable within the provider, the email address is not.
 */
export interface SignInIdentity {
  provider: string
  subject: string
  email: string
  emailVerified: boolean
  name: string
}

/** A third-party sign-in with the authorization code flow (OpenID Connect). */
export interface ThirdPartySignIn {
  clientId: string
  /** The script that defines `google.accounts.oauth2.initCodeClient`. */
  scriptUrl: string
  label: string
  /** Starts a sign-in: what the authorization request must carry. The page sends `state` back with the code. */
  begin: () => SignInRequest
  /**
   * Exchanges the code for an identity, verifying state, signature, issuer, audience, expiry and, where the provider
   * carries them, nonce and PKCE. Rejects when one is invalid.
   */
  exchange: (code: string, state: string) => Promise<SignInIdentity>
}

/** Parameters of an authorization request (OpenID Connect Core 3.1.2.1, RFC 7636). */
export interface SignInRequest {
  state: string
  nonce: string
  code_challenge: string
}

interface Provider {
  /** Names the provider in stored identities: never change it. */
  id: string
  /** Base URL of the provider's metadata. */
  issuer: string
  /** Other accepted values of the `iss` claim. */
  alsoKnownAs?: string[]
  clientId: string
  clientSecret: string
  redirectUri: string
  scriptUrl: string
  label: string
  /** Whether the provider's script passes `nonce` and `code_challenge` on. Google's passes `state` only. */
  carriesProof: boolean
  /** The operator's secret: `state` is authenticated with it, nonce and PKCE verifier are derived from it. */
  secret: string
  /** Allows plain HTTP, for a provider on this machine. */
  insecure?: boolean
}

const timeoutSeconds = 10
/** How long a page may show the button before it is used. */
const stateSeconds = 12 * 3_600

/** Derives a value of a sign-in from its state, so that nothing needs to be stored. */
const derive = (secret: string, what: string, state: string) =>
  hashCode(secret, [`sign-in ${what}`, state]).toString('base64url')

const nowSeconds = () => Math.floor(Date.now() / 1_000)

/** Whether `begin` made the state, and not too long ago. */
function isOurs(secret: string, state: string): boolean {
  const [until = '', random = '', mac = ''] = state.split('.')
  const expected = Buffer.from(derive(secret, 'state', `${until}.${random}`))
  const given = Buffer.from(mac)
  return given.length === expected.length && timingSafeEqual(given, expected) && nowSeconds() < Number(until)
}

/** Google's code client in popup mode, whose redirect URI is the literal `postmessage`. */
export const googleSignIn = (config: Config): ThirdPartySignIn =>
  openIdSignIn({
    id: 'google',
    issuer: 'https://accounts.google.com',
    alsoKnownAs: ['accounts.google.com'],
    clientId: config.googleClientId,
    clientSecret: config.googleClientSecret,
    redirectUri: 'postmessage',
    scriptUrl: 'https://accounts.google.com/gsi/client',
    label: 'Google',
    carriesProof: false,
    secret: config.secret,
  })

/** Sign-in with any OpenID provider. Its metadata and keys are fetched on first use and cached. */
export function openIdSignIn(provider: Provider): ThirdPartySignIn {
  let found: Promise<{ client: Configuration; keys: ReturnType<typeof createRemoteJWKSet> }> | undefined
  const find = async () => {
    const client = await discovery(new URL(provider.issuer), provider.clientId, provider.clientSecret, undefined, {
      timeout: timeoutSeconds,
      execute: provider.insecure ? [allowInsecureRequests] : [],
    })
    const { jwks_uri } = client.serverMetadata()
    if (!jwks_uri) throw new Error('the sign-in provider has no jwks_uri')
    return { client, keys: createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: timeoutSeconds * 1_000 }) }
  }
  return {
    clientId: provider.clientId,
    scriptUrl: provider.scriptUrl,
    label: provider.label,
    begin() {
      const start = `${nowSeconds() + stateSeconds}.${newSecret()}`
      const state = `${start}.${derive(provider.secret, 'state', start)}`
      const verifier = derive(provider.secret, 'verifier', state)
      return {
        state,
        nonce: derive(provider.secret, 'nonce', state),
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      }
    },
    async exchange(code, state) {
      if (!isOurs(provider.secret, state)) throw new Error('the state of the sign-in is not ours, or too old')
      found ??= find().catch(error => {
        found = undefined
        throw error
      })
      const { client, keys } = await found
      const { id_token } = await genericGrantRequest(client, 'authorization_code', {
        code,
        redirect_uri: provider.redirectUri,
        ...(provider.carriesProof && { code_verifier: derive(provider.secret, 'verifier', state) }),
      })
      if (!id_token) throw new Error('the sign-in provider returned no ID token')
      const { payload } = await jwtVerify(id_token, keys, {
        issuer: [provider.issuer, ...(provider.alsoKnownAs ?? [])],
        audience: provider.clientId,
        algorithms: ['RS256', 'ES256'],
        requiredClaims: ['sub', 'exp', 'iat'],
        clockTolerance: 5,
      })
      if (provider.carriesProof && payload.nonce !== derive(provider.secret, 'nonce', state))
        throw new Error('the ID token belongs to another sign-in')
      return {
        provider: provider.id,
        subject: payload.sub!,
        email: textOf(payload.email),
        emailVerified: payload.email_verified === true,
        name: textOf(payload.name),
      }
    },
  }
}

const textOf = (claim: unknown) => (typeof claim === 'string' ? claim : '')
