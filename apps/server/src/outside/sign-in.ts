/** Who the third-party sign-in says it is. `subject` is stable, the mailbox may change. */
export interface SignInIdentity {
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
