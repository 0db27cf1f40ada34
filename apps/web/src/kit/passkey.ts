import type { PasskeyAssertion, PasskeyRegistration } from '@coffer/contract/kit/schemas.ts'
import type {
  PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  PublicKeyCredentialRequestOptionsJSON as RequestOptions,
} from '@simplewebauthn/browser'
import { RequestUnanswered } from '../api/failure.ts'
import { loadMessages, messages } from '../i18n/messages.ts'
import { showToast } from '../lib/toast.ts'

/**
 * Why the browser gave no passkey: the person stopped, it may have none but of an earlier host (`moved`), or it has one
 * of this account already.
 */
export class PasskeyFailure extends Error {
  override name = 'PasskeyFailure'
  readonly reason: 'canceled' | 'moved' | 'exists' | 'failed'
  constructor(reason: PasskeyFailure['reason']) {
    super(reason)
    this.reason = reason
  }
}

/**
 * Handles a failed request for a passkey: shows why the browser gave none, by default as a toast, and ends the
 * submission. Other errors pass.
 */
export const handlePasskeyFailure =
  (show: (text: string) => unknown = text => showToast('error', text)) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof PasskeyFailure)) throw error
    await loadMessages('proof')
    show(messages('proof').failures[error.reason])
    throw new RequestUnanswered('aborted')
  }

/**
 * Whether the browser makes passkeys for this address; it does not for one in numbers. The library is loaded once one
 * is used.
 */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)

const library = () => import('@simplewebauthn/browser')

/** Makes a passkey by options of the server. Throws PasskeyFailure. */
export async function createPasskey(options: object): Promise<PasskeyRegistration> {
  const { startRegistration } = await library()
  const { id, response } = await startRegistration({ optionsJSON: options as CreationOptions }).catch(error =>
    fail(error),
  )
  const { attestationObject, clientDataJSON, transports } = response
  return { id, response: { attestationObject, clientDataJSON, ...(transports && { transports }) } }
}

/**
 * Asks for the signature of a passkey by options of the server. With `autofill` it is offered in the field marked
 * `webauthn` until another request or the page ends. Throws PasskeyFailure.
 */
export async function signWithPasskey(options: object, { autofill = false } = {}): Promise<PasskeyAssertion> {
  const { startAuthentication } = await library()
  const request = { optionsJSON: options as RequestOptions, useBrowserAutofill: autofill }
  const { id, response } = await startAuthentication(request).catch(error => fail(error, 'moved' in options))
  const { authenticatorData, clientDataJSON, signature } = response
  return { id, response: { authenticatorData, clientDataJSON, signature } }
}

/** Whether the browser can offer passkeys in a field. */
export const canAutofillPasskeys = async (): Promise<boolean> => (await library()).browserSupportsWebAuthnAutofill()

function fail(error: Error, moved = false): never {
  if (error.name === 'InvalidStateError') throw new PasskeyFailure('exists')
  const isCanceled = error.name === 'NotAllowedError' || error.name === 'AbortError'
  throw new PasskeyFailure(!isCanceled ? 'failed' : moved ? 'moved' : 'canceled')
}
