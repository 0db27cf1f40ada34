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

/** A third-party sign-in by authorization code (OpenID Connect). */
export interface SignIn {
  clientId: string
  /** The script that gives `google.accounts.oauth2.initCodeClient`. */
  scriptUrl: string
  label: string
  /** Trades the code for an identity whose signature, issuer, audience and expiry were checked. Rejects otherwise. */
  exchange: (code: string) => Promise<SignInIdentity>
}

interface Provider {
  /** Names the provider in stored identities: never change it. */
  id: string
  /** Where its metadata are found. */
  issuer: string
  /** Other names it signs with. */
  alsoKnownAs?: string[]
  clientId: string
  clientSecret: string
  redirectUri: string
  scriptUrl: string
  label: string
  /** Lets it be reached without TLS: on this machine only. */
  insecure?: boolean
}

const timeoutSeconds = 10

/** Google's code client in a popup, for which the redirect URI is the word `postmessage`. */
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

/** A sign-in with any OpenID provider. Its metadata and keys are fetched at the first use and kept. */
export function openIdSignIn(provider: Provider): SignIn {
  let found: Promise<{ client: Configuration; keys: ReturnType<typeof createRemoteJWKSet> }> | undefined
  const find = async () => {
    const client = await discovery(new URL(provider.issuer), provider.clientId, provider.clientSecret, undefined, {
      timeout: timeoutSeconds,
      execute: provider.insecure ? [allowInsecureRequests] : [],
    })
    const { jwks_uri } = client.serverMetadata()
    if (!jwks_uri) throw new Error('the sign-in provider publishes no keys')
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
      if (!id_token) throw new Error('the sign-in provider gave no identity token')
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
