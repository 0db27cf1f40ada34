import { createRemoteJWKSet, jwtVerify } from 'jose'
import { allowInsecureRequests, type Configuration, discovery, genericGrantRequest } from 'openid-client'
import type { Config } from '../config.ts'

/** The identity a third-party sign-in vouches for. `subject` is stable within the provider, the email address is not. */
export interface SignInIdentity {
  provider: string
  subject: string
  email: string
  emailVerified: boolean
  name: string
}

/** A third-party sign-in with the authorization code flow (OpenID Connect). */
export interface SignIn {
  clientId: string
  /** The script that defines `google.accounts.oauth2.initCodeClient`. */
  scriptUrl: string
  label: string
  /** Exchanges the code for an identity, verifying signature, issuer, audience and expiry. Rejects when one is invalid. */
  exchange: (code: string) => Promise<SignInIdentity>
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
  /** Allows plain HTTP, for a provider on this machine. */
  insecure?: boolean
}

const timeoutSeconds = 10

/** Google's code client in popup mode, whose redirect URI is the literal `postmessage`. */
export const googleSignIn = (config: Config): SignIn =>
  openIdSignIn({
    id: 'google',
    issuer: 'https://accounts.google.com',
    alsoKnownAs: ['accounts.google.com'],
    clientId: config.googleClientId,
    clientSecret: config.googleClientSecret,
    redirectUri: 'postmessage',
    scriptUrl: 'https://accounts.google.com/gsi/client',
    label: 'Google',
  })

/** Sign-in with any OpenID provider. Its metadata and keys are fetched on first use and cached. */
export function openIdSignIn(provider: Provider): SignIn {
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
    async exchange(code) {
      found ??= find().catch(error => {
        found = undefined
        throw error
      })
      const { client, keys } = await found
      const { id_token } = await genericGrantRequest(client, 'authorization_code', {
        code,
        redirect_uri: provider.redirectUri,
      })
      if (!id_token) throw new Error('the sign-in provider returned no ID token')
      const { payload } = await jwtVerify(id_token, keys, {
        issuer: [provider.issuer, ...(provider.alsoKnownAs ?? [])],
        audience: provider.clientId,
        algorithms: ['RS256', 'ES256'],
        requiredClaims: ['sub', 'exp', 'iat'],
        clockTolerance: 5,
      })
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
